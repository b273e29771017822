# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
# What the scripts of this folder share; sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034
scripts=$root/scripts
# shellcheck disable=SC2034
environment=$root/.venv # of Python; scripts/bootstrap makes it

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

die() {
  say "$@"
  exit 1
}

# The comment block below the SPDX header of a script is its help text.
help() {
  awk 'NR > 3 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"
  exit 0
}

# nproc takes OMP_NUM_THREADS for the number of cores.
cores() { env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc 2>/dev/null || echo 1; }

# quietly LOG COMMAND...: the command's output goes to LOG and is shown only when the command fails. Where time_limit is
# set, the command is ended after so many seconds, and 124 returned.
quietly() {
  local log=$1 status=0
  shift
  mkdir -p "$(dirname "$log")"
  ${time_limit:+timeout --signal=INT "$time_limit"} "$@" >"$log" 2>&1 || status=$?
  if [ -n "${time_limit:-}" ] && [ "$status" -eq 124 ]; then
    say "stopped after $time_limit s: $*"
  elif [ "$status" -ne 0 ]; then
    tail -n 80 "$log" >&2
    say "failed with exit code $status: $*"
    say "the whole output: $log"
  fi
  return "$status"
}

# Environment of every MPI program that the scripts start; what the caller has set stands.
mpi_environment() {
  export OMPI_MCA_rmaps_base_oversubscribe=${OMPI_MCA_rmaps_base_oversubscribe:-1}
  export PRTE_MCA_rmaps_default_mapping_policy=${PRTE_MCA_rmaps_default_mapping_policy:-:oversubscribe}
  # Ranks share the cores as the system sees fit: bound ranks would pile their threads onto one core.
  export OMPI_MCA_hwloc_base_binding_policy=${OMPI_MCA_hwloc_base_binding_policy:-none}
  export PRTE_MCA_hwloc_default_binding_policy=${PRTE_MCA_hwloc_default_binding_policy:-none}
  if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  fi
  # Containers often forbid one process to read another's memory; Open MPI then complains at every large message.
  if [ -e /.dockerenv ] || [ -e /run/.containerenv ]; then
    export OMPI_MCA_btl_vader_single_copy_mechanism=${OMPI_MCA_btl_vader_single_copy_mechanism:-none}
    export OMPI_MCA_btl_sm_single_copy_mechanism=${OMPI_MCA_btl_sm_single_copy_mechanism:-none}
  fi
}

# threads_environment RANKS: shares the cores among the ranks and says so to OpenMP and Kokkos.
threads_environment() {
  local share=$(($(cores) / $1))
  [ "$share" -ge 1 ] || share=1
  export OMP_NUM_THREADS=${OMP_NUM_THREADS:-$share}
  export KOKKOS_NUM_THREADS=${KOKKOS_NUM_THREADS:-$OMP_NUM_THREADS}
  export OMP_PROC_BIND=${OMP_PROC_BIND:-false}
  if [ $(($1 * OMP_NUM_THREADS)) -gt "$(cores)" ]; then
    export KOKKOS_DISABLE_WARNINGS=${KOKKOS_DISABLE_WARNINGS:-1} # each rank would warn of more ranks than cores
  fi
}

# Tests are small and many: one thread a rank unless the caller says otherwise.
test_environment() {
  mpi_environment
  # All ranks are on one machine: Open MPI need not look for fabrics, which takes longer than most programs of the tests.
  export OMPI_MCA_pml=${OMPI_MCA_pml:-ob1}
  export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} OMP_PROC_BIND=${OMP_PROC_BIND:-false}
  # Programs of Open MPI share a folder, which the one that ends last removes, while one that begins just then fails ("A
  # call to mkdir was unable to create the desired directory ... File exists"). So it is never empty.
  mkdir -p "${TMPDIR:-/tmp}/ompi.$(uname -n | cut -d. -f1).$(id -u)/kept"
}

# Puts nvcc on the path where only its usual place is known; fails when there is none.
find_nvcc() {
  command -v nvcc >/dev/null && return
  [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ] || return 1
  export PATH=${CUDA_HOME:-/usr/local/cuda}/bin:$PATH
}

# What the presets, and checkouts in other folders, compile alike is compiled once.
compiler_cache() {
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}
}

# build PRESET [TARGET...]: configures build/PRESET where it is new or its inputs changed, and builds; output in *.log there.
build() {
  local preset=$1 folder=$root/build/$1
  shift
  compiler_cache
  if ! [ -f "$folder/build.ninja" ] || [ "$root/CMakePresets.json" -nt "$folder/configured" ] ||
    [ "$root/.deps/VERSIONS" -nt "$folder/configured" ]; then
    (cd "$root" && quietly "$folder/configure.log" cmake --preset "$preset") || return
    touch "$folder/configured"
  fi
  (cd "$root" && quietly "$folder/build.log" cmake --build --preset "$preset" --parallel "$(cores)" ${1:+--target "$@"})
}
