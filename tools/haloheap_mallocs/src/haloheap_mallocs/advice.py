# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What to do about an allocation."""

from __future__ import annotations

import enum

from haloheap_mallocs.builtins import MOST_THREADS
from haloheap_mallocs.sites import Site, Who
from haloheap_mallocs.values import WARP, Level

LOCAL_BYTES = 1024
"""What a local array may have: more of it for each of the threads of a device would not stay near them."""
SHARED_BYTES = 48 * 1024
"""What a block has without asking for more."""

MOST_WARPS = MOST_THREADS // WARP


class Advice(enum.Enum):
    LOCAL = "local"
    SHARED = "shared"
    BLOCK = "block"
    WARP = "warp"
    EACH = "each"

    @property
    def sentence(self) -> str:
        return {
            Advice.LOCAL: "a local array: no heap is needed",
            Advice.SHARED: "shared memory of the block: no heap is needed",
            Advice.BLOCK: "one allocation for the block, without asking who comes along "
                          "(block_header, block_table, all_alike)",
            Advice.WARP: "one allocation for those of a warp who come along (warp_header, warp_table)",
            Advice.EACH: "a heap that is fast for any single request (slab_walk)",
        }[self]


def advice_for(site: Site) -> Advice:
    is_inside = site.is_one_at_a_time and not site.escapes and not site.is_shared
    if is_inside and site.largest is not None and site.largest <= LOCAL_BYTES:
        return Advice.LOCAL
    is_once = len(site.visits) == 1 and not site.is_repeated
    for_one = {Who.ONE: SHARED_BYTES, Who.LANE: SHARED_BYTES // MOST_WARPS}.get(site.who, 0)
    if site.is_shared and is_once and not site.escapes and fits(site, for_one):
        return Advice.SHARED
    if site.who in (Who.GRID, Who.BLOCKS) and site.size_level <= Level.BLOCK:
        return Advice.BLOCK
    if site.who in (Who.GRID, Who.BLOCKS, Who.WARPS, Who.GUARDED):
        return Advice.WARP
    return Advice.EACH


def fits(site: Site, limit: int) -> bool:
    return site.largest is not None and site.largest <= limit
