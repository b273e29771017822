# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Where pointers lead: loads, stores, and blocks that become known to others."""

from __future__ import annotations

from clang.cindex import Cursor

from haloheap_mallocs.cursors import place_of
from haloheap_mallocs.declarations import typed
from haloheap_mallocs.frames import Frame
from haloheap_mallocs.state import State
from haloheap_mallocs.values import UNKNOWN, Level, Value


class Memory(State):
    def load(self, pointer: Value, frame: Frame, cursor: Cursor) -> Value:
        only = self.only_scalar(pointer)
        if only is not None and only in frame.values:
            return typed(frame.values[only], cursor)
        level, points = pointer.level, set[str]()
        for thing in pointer.points:
            points |= self.contents[thing]
            kind, _, usr = thing.partition(" ")
            if kind == "local":
                inside = frame.values.get(usr, UNKNOWN)
                level = max(level, inside.level)
                points |= inside.points - {thing}
            elif kind == "shared":
                level = max(level, Level.BLOCK)
            elif kind == "outer":
                points.add(thing)
                if thing in self.stored_before:
                    level = Level.THREAD
            else:
                level = Level.THREAD
        if not pointer.points:
            level = Level.THREAD
        return typed(Value(level, points=frozenset(points)), cursor)

    def store(self, pointer: Value, value: Value, frame: Frame, cursor: Cursor) -> None:
        """Through a pointer, which may lead to several things, for each thread to another one."""
        only = self.only_scalar(pointer)
        if only is not None and only in frame.values and not frame.jumps:
            frame.values[only] = value
            return
        for thing in pointer.points or {"outer something"}:
            kind, _, usr = thing.partition(" ")
            if kind == "local" and usr in frame.values:
                before = frame.values[usr]
                after = before.join(value, max(pointer.level, Level.WARP if len(pointer.points) > 1 else Level.GRID))
                level = max(after.level, pointer.level)
                frame.values[usr] = Value(level, after.low, after.high, points=before.points | value.points)
            if kind == "outer":
                self.stored.add(thing)
                self.escape(self.reach(value.points, frame), cursor, "stored where others find it")
            self.contents[thing] |= value.points

    def only_scalar(self, pointer: Value) -> str | None:
        """The variable to which a pointer leads for all threads, if it is a number or a pointer itself."""
        if len(pointer.points) != 1 or pointer.level is not Level.GRID:
            return None
        kind, _, usr = next(iter(pointer.points)).partition(" ")
        return usr if kind == "local" and usr in self.scalars else None

    def reach(self, points: frozenset[str], frame: Frame) -> frozenset[str]:
        """With what is in the things that pointers lead to."""
        found, work = set(points), list(points)
        while work:
            thing = work.pop()
            kind, _, usr = thing.partition(" ")
            inside = set(self.contents[thing])
            if kind == "local" and usr in frame.values:
                inside |= frame.values[usr].points
            work += inside - found
            found |= inside
        return frozenset(found)

    def free(self, cursor: Cursor, value: Value, name: str) -> Value:
        """By a function of that name."""
        for site in self.sites.values():
            if site.block in value.points:
                site.freed.add(place_of(cursor))
                site.freed_by.add(name)
                site.freed_in.update(self.rounds)
        return Value()

    def escape(self, points: frozenset[str], cursor: Cursor, how: str) -> None:
        for site in self.sites.values():
            if site.block in points:
                site.escapes.setdefault(place_of(cursor), how)

    def follow_escapes(self) -> None:
        """What is in a block that escapes does so, too; what is in shared memory is known to the block's threads."""
        by_block = {site.block: site for site in self.sites.values()}
        work = [site for site in self.sites.values() if site.escapes]
        while work:
            site = work.pop()
            for inner in (by_block[thing] for thing in self.contents[site.block] if thing in by_block):
                if not inner.escapes:
                    inner.escapes = {place: "stored in a block that others find" for place in site.escapes}
                    work.append(inner)
        known = self.reach(frozenset(thing for thing in self.contents if thing.startswith("shared ")), Frame("", {}, 0))
        for block in known & set(by_block):
            by_block[block].is_shared = True
