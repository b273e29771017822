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
from haloheap_mallocs.templates import is_of_template, usr_called
from haloheap_mallocs.written import Written

NOBODY = "no kernel of these files calls {}() with all threads of a block"


class Plan:
    def __init__(self, analysis: Analysis, written: Written, source_of: SourceOf) -> None:
        self.analysis, self.written, self.source_of = analysis, written, source_of
        self.told: dict[str, Edits | Left] = {}
        """Functions that get the parameter, with all changes that this needs; or why they do not."""
        self.callees: dict[str, set[str]] = {}
        for call in analysis.called.values():
            scope = self.scope_of(call) if usr_called(call) else None
            if scope is not None:
                self.callees.setdefault(scope.get_usr(), set()).add(usr_called(call))

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
        self.source_of(cursor).require_one_meaning(around[0])
        if self.is_kernel(around[0]):
            require_all_instances(around)
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
        calls = {place: call for place, call in self.analysis.called.items() if usr_called(call) == usr}
        why, is_told = Left(NOBODY.format(function.spelling)), False
        for place, call in calls.items():
            try:
                edits += self.changes_of_call(place, self.written.as_written(call), function)
                is_told = True
            except Left as reason:
                why = reason
        if not is_told:
            raise why
        return edits

    def changes_of_call(self, place: Place, call: Cursor, function: Cursor) -> Edits:
        """@throws Left where the call stays as it is"""
        around = self.written.around(call)
        ways = [way for way in self.analysis.arrived if way[-1] == place]
        if not around:
            raise Left(f"{function.spelling}() is called in no function")
        if usr_called(call) != function.get_usr():
            raise Left(f"other instances of a template may call another {function.spelling}()")
        if self.written.usrs_called(call) != {function.get_usr()}:
            raise Left(f"it depends on the file which {function.spelling}() is called")
        source = self.source_of(call)
        source.require_one_meaning(around[0])
        edits: Edits = []
        if self.is_kernel(around[0]):
            require_all_instances(around)
            value = "true"
            is_sure = all(len(way) == 1 and self.is_together(way) for way in ways)
        else:
            value = FLAG
            is_sure = all(self.is_together(way) or not self.is_together(way[:-1]) for way in ways)
        if not ways or not is_sure:
            raise Left(NOBODY.format(function.spelling))
        if value == FLAG:
            edits = list(self.tell(around[0]))
        return [*edits, (source, passing(function.spelling, written_once(call), source, place.line, value))]

    def is_recursive(self, usr: str) -> bool:
        seen: set[str] = set()
        work = [usr]
        while work:
            for callee in self.callees.get(work.pop(), set()) - seen:
                seen.add(callee)
                work.append(callee)
        return usr in seen


def require_all_instances(around: list[Cursor]) -> None:
    """What a kernel says holds for all its instances, in any file: functions with __global__ are looked at for all.

    @throws Left for others
    """
    if any(map(is_of_template, around)) and not all(has_attribute(each, CursorKind.CUDAGLOBAL_ATTR) for each in around):
        raise Left("it stands in a template")


def require_together(visit: Visit) -> None:
    """All threads of the block come to the allocation together and ask for as much. @throws Left"""
    if level_of(visit.control) > Level.BLOCK:
        condition = next(each for each in visit.control if each.level > Level.BLOCK)
        raise Left(f"not all threads of a block come to it: {condition.text} (line {condition.place.line})")
    if visit.size.level > Level.BLOCK:
        raise Left("its size is not known to be the same for all threads of a block")
    if visit.heap > Level.BLOCK:
        raise Left("its heap is not known to be the same for all threads of a block")
