# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""One file a paper, each with a SECTION; the order is that of the report."""

from __future__ import annotations

from haloheap_results.report.sections import containers, deep_halos, design_space, random_walks, superblocks, transports

SECTIONS = (deep_halos.SECTION, transports.SECTION, superblocks.SECTION, random_walks.SECTION, design_space.SECTION,
            containers.SECTION)
