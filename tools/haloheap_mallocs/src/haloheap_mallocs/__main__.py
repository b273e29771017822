# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
import sys

from haloheap_mallocs.command import main

sys.exit(main())
