// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where Clang has no header of OpenMP of its own: what host code calls, declared.
#ifndef HALOHEAP_MALLOCS_OMP_H
#define HALOHEAP_MALLOCS_OMP_H

typedef struct omp_lock_t omp_lock_t;
typedef struct omp_nest_lock_t omp_nest_lock_t;
struct omp_lock_t {
  void* lock;
};
struct omp_nest_lock_t {
  void* lock;
};

extern "C" {
int omp_get_active_level(), omp_get_default_device(), omp_get_dynamic(), omp_get_initial_device(),
    omp_get_level();
int omp_get_max_active_levels(), omp_get_max_threads(), omp_get_nested(), omp_get_num_devices(),
    omp_get_num_procs();
int omp_get_num_teams(), omp_get_num_threads(), omp_get_team_num(), omp_get_thread_limit(),
    omp_get_thread_num();
int omp_in_parallel(), omp_is_initial_device();
double omp_get_wtime(), omp_get_wtick();
void omp_set_default_device(int), omp_set_dynamic(int), omp_set_max_active_levels(int), omp_set_nested(int);
void omp_set_num_threads(int);
void omp_init_lock(omp_lock_t*), omp_destroy_lock(omp_lock_t*), omp_set_lock(omp_lock_t*),
    omp_unset_lock(omp_lock_t*);
int omp_test_lock(omp_lock_t*);
void omp_init_nest_lock(omp_nest_lock_t*), omp_destroy_nest_lock(omp_nest_lock_t*);
void omp_set_nest_lock(omp_nest_lock_t*), omp_unset_nest_lock(omp_nest_lock_t*);
int omp_test_nest_lock(omp_nest_lock_t*);
}

#endif
