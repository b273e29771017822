// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kokkos as far as the drawn programs need it to be read: Clang may lack what Kokkos wants for its backends,
// and takes seconds for the whole of it. They are compiled with Kokkos itself.
#ifndef HALOHEAP_MALLOCS_TESTS_DECLARED_KOKKOS_CORE_HPP
#define HALOHEAP_MALLOCS_TESTS_DECLARED_KOKKOS_CORE_HPP

#include <cstddef>

#define KOKKOS_FUNCTION
#define KOKKOS_LAMBDA [=]

namespace Kokkos {

namespace Impl {
struct HostThreadTeamMember {
  int team_rank() const;
  int team_size() const;
  int league_rank() const;
};
}  // namespace Impl

template <class...>
struct TeamPolicy {
  using member_type = Impl::HostThreadTeamMember;
  TeamPolicy(int teams, int threads);
};

template <class Policy, class Functor>
void parallel_for(const char* name, const Policy& policy, const Functor& functor);

}  // namespace Kokkos

#endif
