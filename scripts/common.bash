# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
# What the scripts of this folder share; sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scripts=$root/scripts

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

cores() { nproc 2>/dev/null || echo 1; }

# quietly LOG COMMAND...: the command's output goes to LOG and is shown only when the command fails.
quietly() {
  local log=$1 status=0
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then
    tail -n 80 "$log" >&2
    say "failed with exit code $status: $*"
    say "the whole output: $log"
  fi
  return "$status"
}
