# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which allocations may say that all threads of the block ask alike, and how functions learn it from their callers.

In a kernel that is known: `true`. A function may have callers in files that nobody has given, so that it is told: an
allocation in it says what its parameter says. The parameter is true only on ways from a kernel on which every call is
made by all threads of a block together; each way has been looked at.
"""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

from haloheap_mallocs.analysis import Analysis
from haloheap_mallocs.cursors import Place, has_attribute, place_of
from haloheap_mallocs.signatures import FLAG, Edits, SourceOf, extended, passing
from haloheap_mallocs.sites import Site, Visit, level_of
from haloheap_mallocs.sources import Left, written_once
from haloheap_mallocs.values import Level
from haloheap_mallocs.written import TEMPLATES, Written

NOBODY = "no kernel of these files calls {}() with all threads of a block"


class Plan:
    def __init__(self, analysis: Analysis, written: Written, source_of: SourceOf) -> None:
        self.analysis, self.written, self.source_of = analysis, written, source_of
        self.told: dict[str, Edits | Left] = {}
        """Functions that get the parameter, with all changes that this needs; or why they do not."""
        self.callees: dict[str, set[str]] = {}
        for place, call in analysis.called.items():
            if call.kind is CursorKind.CALL_EXPR and call.referenced is not None:
                scope = self.scope_of(analysis.called[place])
                if scope is not None:
                    self.callees.setdefault(scope.get_usr(), set()).add(call.referenced.get_usr())

    def scope_of(self, cursor: Cursor) -> Cursor | None:
        around = self.written.around(cursor)
        return around[0] if around else None

    def value_of(self, site: Site) -> tuple[str, Edits]:
        """What the allocation says, and the changes elsewhere that this needs. @throws Left"""
        if self.written.ends_threads:
            raise Left("a function ends threads in assembly")
        cursor = self.analysis.requests[site.place]
        around = self.written.around(cursor)
        if not around:
            raise Left("it stands in no function")
        if any(scope.kind in TEMPLATES for scope in around) and not is_kernel_template(around):
            raise Left("it stands in a template")
        self.source_of(cursor).require_one_meaning(around[0])
        if self.is_kernel(around[0]):
            for visit in site.visits:
                require_together(visit)
            return "true", []
        if self.analysis.given_up:
            raise Left("there are more calls than are followed")
        for visit in site.visits:
            if self.is_together(visit.calls):
                require_together(visit)
        return FLAG, self.tell(around[0])

    def is_kernel(self, scope: Cursor) -> bool:
        return has_attribute(scope, CursorKind.CUDAGLOBAL_ATTR) or place_of(scope) in self.analysis.launched

    def is_together(self, way: tuple[Place, ...]) -> bool:
        """Whether all threads of a block make the last of these calls together. Without a call nobody is known."""
        return bool(way) and self.analysis.arrived.get(way, Level.THREAD) <= Level.BLOCK

    def tell(self, function: Cursor) -> Edits:
        """The changes by which a function learns it. @throws Left"""
        usr = function.get_usr()
        if usr not in self.told:
            self.told[usr] = Left(f"{function.spelling}() calls itself")  # until it is known
            try:
                self.told[usr] = self.changes(function)
            except Left as why:
                self.told[usr] = why
        found = self.told[usr]
        if isinstance(found, Left):
            raise found
        return found

    def changes(self, function: Cursor) -> Edits:
        usr = function.get_usr()
        if self.is_recursive(usr):
            raise Left(f"{function.spelling}() calls itself")
        edits = extended(function, self.written, self.source_of)
        calls = {place: call for place, call in self.analysis.called.items()
                 if call.kind is CursorKind.CALL_EXPR and call.referenced is not None and
                 call.referenced.get_usr() == usr}
        why, is_told = Left(NOBODY.format(function.spelling)), False
        for place, call in calls.items():
            try:
                edits += self.changes_of_call(place, call)
                is_told = True
            except Left as reason:
                why = reason
        if not is_told:
            raise why
        return edits

    def changes_of_call(self, place: Place, call: Cursor) -> Edits:
        """@throws Left where the call stays as it is"""
        around = self.written.around(call)
        ways = [way for way in self.analysis.arrived if way[-1] == place]
        if not around or any(scope.kind in TEMPLATES for scope in around):
            raise Left(f"{call.spelling}() is called in a template")
        source = self.source_of(call)
        source.require_one_meaning(around[0])
        edits: Edits = []
        if self.is_kernel(around[0]):
            value = "true"
            is_sure = all(len(way) == 1 and self.is_together(way) for way in ways)
        else:
            value = FLAG
            is_sure = all(self.is_together(way) or not self.is_together(way[:-1]) for way in ways)
        if not ways or not is_sure:
            raise Left(NOBODY.format(call.spelling))
        if value == FLAG:
            edits = list(self.tell(around[0]))
        return [*edits, (source, passing(call, written_once(call), source, place.line, value))]

    def is_recursive(self, usr: str) -> bool:
        seen: set[str] = set()
        work = [usr]
        while work:
            for callee in self.callees.get(work.pop(), set()) - seen:
                seen.add(callee)
                work.append(callee)
        return usr in seen


def is_kernel_template(around: list[Cursor]) -> bool:
    """Nobody need tell a kernel who comes, so that it gets no parameter: it may be a template."""
    return all(has_attribute(scope, CursorKind.CUDAGLOBAL_ATTR) for scope in around)


def require_together(visit: Visit) -> None:
    """All threads of the block come to the allocation together and ask for as much. @throws Left"""
    if level_of(visit.control) > Level.BLOCK:
        condition = next(each for each in visit.control if each.level > Level.BLOCK)
        raise Left(f"not all threads of a block come to it: {condition.text} (line {condition.place.line})")
    if visit.size.level > Level.BLOCK:
        raise Left("its size is not known to be the same for all threads of a block")
    if visit.heap > Level.BLOCK:
        raise Left("its heap is not known to be the same for all threads of a block")
