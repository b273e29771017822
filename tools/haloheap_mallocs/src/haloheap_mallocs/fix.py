# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rewrites allocations that all threads of a block make alike so that they say so, as the compiler of [Blach2022] does.

Whatever is not certain stays as it is, and the user learns why.
"""

from __future__ import annotations

import os
import pathlib
from collections import defaultdict

from clang.cindex import Cursor, CursorKind

from haloheap_mallocs.analysis import Analysis
from haloheap_mallocs.builtins import HANDLE_ALLOCATES
from haloheap_mallocs.cursors import place_of
from haloheap_mallocs.edits import Edit, include, unified_diff
from haloheap_mallocs.forms import (
    Alike,
    kernels_of,
    of_handle,
    of_malloc,
    require_cuda,
    require_matching_free,
    require_no_flag,
    require_one_lane,
    require_stand_in,
)
from haloheap_mallocs.news import of_new
from haloheap_mallocs.plan import Plan
from haloheap_mallocs.relatives import of_aligned_alloc, of_calloc, of_realloc, require_cleared_names
from haloheap_mallocs.signatures import Edits
from haloheap_mallocs.sites import Site
from haloheap_mallocs.sources import Left, Source
from haloheap_mallocs.written import Written


OF_THE_LIBRARY = {"malloc": of_malloc, "calloc": of_calloc, "aligned_alloc": of_aligned_alloc, "realloc": of_realloc}


class Fix:
    """Of an analysis that has run."""

    def __init__(self, analysis: Analysis, files: list[pathlib.Path], macros: set[str], alike: Alike) -> None:
        self.analysis, self.alike = analysis, alike
        self.sources = {os.path.realpath(file): Source(file, macros) for file in files}
        self.written = Written(analysis.units)
        self.plan = Plan(analysis, self.written, self.source_of)
        self.edits: dict[str, set[Edit]] = defaultdict(set)
        self.left: list[str] = []
        """A sentence for each allocation that stays as it is."""

    def run(self, sites: list[Site]) -> str:
        """A unified diff."""
        for site in sites:
            try:
                for source, edit in self.edits_of(site):
                    self.edits[os.path.realpath(source.path)].add(edit)
            except Left as why:
                place = f"{os.path.relpath(site.place.file)}:{site.place.line}"
                self.left.append(f"{place}: {site.text} stays as it is: {why}.")
        return "".join(unified_diff(self.sources[file], edits) for file, edits in sorted(self.edits.items()))

    def source_of(self, cursor: Cursor) -> Source:
        """@throws Left for a file that may not be changed"""
        file = place_of(cursor).file
        source = self.sources.get(os.path.realpath(file))
        if source is None:
            raise Left(f"{os.path.relpath(file)} is not among the files given")
        return source

    def edits_of(self, site: Site) -> Edits:
        """Of the allocation and of all that must change with it. @throws Left"""
        call = self.written.as_written(self.analysis.requests[site.place])
        if call.kind is CursorKind.CALL_EXPR and not call.spelling:
            raise Left("what it asks for depends on a parameter of a template")
        is_new = call.kind is CursorKind.CXX_NEW_EXPR
        is_of_library = call.kind is CursorKind.CALL_EXPR and call.spelling in OF_THE_LIBRARY
        is_handle = call.kind is CursorKind.CALL_EXPR and call.spelling == HANDLE_ALLOCATES
        if not (is_new or is_of_library or is_handle):
            raise Left("only the C library's requests, new, and allocate of a handle can say that all ask alike")
        if not site.is_known:
            raise Left("no kernel of these files comes to it")
        value, edits = self.plan.value_of(site)
        source = self.source_of(call)
        scope = self.written.around(call)[0]
        kernels = kernels_of(site, scope, self.analysis, self.written)
        if is_new:
            require_cuda(kernels, scope)
            own, header = of_new(site, call, source, value, self.written, self.alike)
        elif is_of_library:
            require_cuda(kernels, scope)
            require_no_flag(scope)
            name = require_stand_in(self.alike, scope, self.written)
            if call.spelling == "calloc":
                require_cleared_names(source, scope, name)
            own = OF_THE_LIBRARY[call.spelling](call, source, value, name)
            require_matching_free(site, "free")
            header = self.alike.header
        else:
            require_one_lane(kernels, self.analysis)
            own, header = of_handle(site, call, source, value, scope)
        own |= include(source, header) if header is not None else set()
        return [*edits, *((source, edit) for edit in own)]
