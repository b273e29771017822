# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Says of each allocation in device code who makes it, how large it is and where it goes, and what would be faster."""

__version__ = "0.1.0"
