# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Figures of results: one file a family, each with a function `pictures`."""

from __future__ import annotations

from haloheap_results.figures import allocators, containers, exchanges, solvers, stencils, transfers
from haloheap_results.load import Results
from haloheap_results.style import Pictures

FAMILIES = (exchanges.pictures, allocators.pictures, transfers.pictures, containers.pictures, solvers.pictures,
            stencils.pictures)


def pictures(results: Results) -> Pictures:
    """All that can be drawn, and why the rest cannot."""
    for family in FAMILIES:
        yield from family(results)
