# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which threads a condition leaves."""

from __future__ import annotations

import dataclasses

from clang.cindex import Cursor, CursorKind

from haloheap_mallocs.cursors import binary_operator, children, place_of, plain, text_of, unary_operator
from haloheap_mallocs.frames import Frame
from haloheap_mallocs.sites import Condition, Control, Kind, level_of
from haloheap_mallocs.state import State
from haloheap_mallocs.values import LANE, Index, Level, Value, index_first


class Conditions(State):
    def conditions(self, cursor: Cursor, value: Value, frame: Frame) -> tuple[Control, Control]:
        """What those who take a branch have decided, and those who do not."""
        kind = self.kind_of(cursor, frame) if value.level > Level.GRID else (Kind.PART, Kind.PART)
        condition = Condition(text_of(cursor), place_of(cursor), value.level, kind[0])
        other = dataclasses.replace(condition, text=f"not ({condition.text})", kind=kind[1])
        self.opposite[condition], self.opposite[other] = other, condition
        return (condition,), (other,)

    def remaining(self, control: Control, gone: Control) -> list[Condition]:
        """What those have decided who did not go with the ones that these conditions leave."""
        control = tuple(condition for condition in control if condition not in gone)
        if not control:
            return []
        last = self.opposite.get(control[-1], control[-1])
        return [last if len(control) == 1 else dataclasses.replace(last, level=level_of(control), kind=Kind.PART)]

    def kind_of(self, cursor: Cursor, frame: Frame) -> tuple[Kind, Kind]:
        """Of those for whom it is true, and of the others."""
        if (found := self.kind_of_fixed(self.fixed(cursor, frame))) is not Kind.PART:
            return found, Kind.PART
        cursor = plain(cursor)
        parts = children(cursor)
        if cursor.kind is CursorKind.UNARY_OPERATOR and unary_operator(cursor, parts[0]) == "!":
            kind = self.kind_of(parts[0], frame)
            return kind[1], kind[0]
        if cursor.kind is not CursorKind.BINARY_OPERATOR or len(parts) != 2:
            return Kind.PART, Kind.PART
        operator = binary_operator(cursor, *parts)
        if operator in ("&&", "||"):
            which = 0 if operator == "&&" else 1
            both = [self.kind_of(part, frame) for part in parts if self.quiet(part, frame).level is Level.THREAD]
            is_guard = bool(both) and all(kind[which] is Kind.GUARD for kind in both)
            found = Kind.GUARD if is_guard else Kind.PART
            if operator == "||" and (other := self.kind_of_fixed(self.unless(parts, frame))) is not Kind.PART:
                return Kind.PART, other
            return (found, Kind.PART) if operator == "&&" else (Kind.PART, found)
        if operator == "!=":
            return Kind.PART, self.kind_of_fixed(self.unless([cursor], frame))
        left, right, operator = self.sides(parts, operator, frame)
        if left.index is Index.GLOBAL and right.level <= Level.BLOCK and right.constant is None:
            if operator in ("<", "<="):
                return Kind.GUARD, Kind.PART
            if operator in (">", ">="):
                return Kind.PART, Kind.GUARD
        return Kind.PART, Kind.PART

    def kind_of_fixed(self, fixed: frozenset[str]) -> Kind:
        """Of those whom a condition leaves that leaves one thread in these dimensions."""
        if fixed >= self.dimensions():
            return Kind.ONE
        return Kind.LANE if fixed >= LANE else Kind.PART

    def sides(self, parts: list[Cursor], operator: str, frame: Frame) -> tuple[Value, Value, str]:
        """With an index to the left, if there is one."""
        return index_first(operator, *(self.quiet(part, frame) for part in parts))

    def fixed(self, cursor: Cursor, frame: Frame) -> frozenset[str]:
        """Dimensions of a block in which the condition leaves one thread."""
        cursor = plain(cursor)
        parts = children(cursor)
        if cursor.kind is CursorKind.UNARY_OPERATOR and unary_operator(cursor, parts[0]) == "!":
            value = self.quiet(plain(parts[0]), frame)
            return value.dims if value.index is not Index.NO else self.unless(parts, frame)
        if cursor.kind is not CursorKind.BINARY_OPERATOR or len(parts) != 2:
            return frozenset()
        operator = binary_operator(cursor, *parts)
        if operator == "&&":
            return self.fixed(parts[0], frame) | self.fixed(parts[1], frame)
        if operator != "==":
            return frozenset()
        left, right, _ = self.sides(parts, operator, frame)
        return left.dims if left.index is not Index.NO and right.level <= Level.BLOCK else frozenset()

    def unless(self, cursors: list[Cursor], frame: Frame) -> frozenset[str]:
        """The same of those for whom none of the conditions is true."""
        found = frozenset[str]()
        for cursor in (plain(cursor) for cursor in cursors):
            parts = children(cursor)
            if cursor.kind is not CursorKind.BINARY_OPERATOR or len(parts) != 2:
                continue
            operator = binary_operator(cursor, *parts)
            if operator == "||":
                found |= self.unless(parts, frame)
            elif operator == "!=":
                left, right, _ = self.sides(parts, operator, frame)
                if left.index is not Index.NO and right.level <= Level.BLOCK:
                    found |= left.dims
        return found

    def dimensions(self) -> frozenset[str]:
        """In which the blocks of the kernel have threads, as far as it looks at them."""
        return frozenset(self.dims_used.get(self.stack[0], ())) | {"x"}

    def quiet(self, cursor: Cursor, frame: Frame) -> Value:
        """The value of an expression that was evaluated already, without doing again what it does."""
        copy = dataclasses.replace(frame, values=dict(frame.values))
        sites = {key: (len(site.visits), set(site.freed)) for key, site in self.sites.items()}
        value = self.value_of(cursor, copy, ())
        for key, (visits, freed) in sites.items():
            del self.sites[key].visits[visits:]
            self.sites[key].freed = freed
        return value
