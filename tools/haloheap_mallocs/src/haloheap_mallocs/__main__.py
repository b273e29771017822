# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
import os
import sys

from haloheap_mallocs.command import main

try:
    code = main()
    sys.stdout.flush()
except BrokenPipeError:  # who reads has seen enough
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    code = 0
sys.exit(code)
