# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which threads a condition leaves."""

from __future__ import annotations

import dataclasses

from clang.cindex import Cursor, CursorKind

from haloheap_mallocs.cursors import binary_operator, children, place_of, plain, text_of, unary_operator
from haloheap_mallocs.frames import Frame
from haloheap_mallocs.sites import Condition, Control, Kind
from haloheap_mallocs.state import State
from haloheap_mallocs.values import Index, Level, Value


class Conditions(State):
    def conditions(self, cursor: Cursor, value: Value, frame: Frame) -> tuple[Control, Control]:
        """What those who take a branch have decided, and those who do not."""
        if value.level is Level.GRID:
            return (), ()
        kind = self.kind_of(cursor, frame)
        condition = Condition(text_of(cursor), place_of(cursor), value.level, kind[0])
        other = dataclasses.replace(condition, text=f"not ({condition.text})", kind=kind[1])
        self.opposite[condition], self.opposite[other] = other, condition
        return (condition,), (other,)

    def remaining(self, control: Control) -> list[Condition]:
        """What those have decided who did not go with the ones that these conditions leave."""
        if not control:
            return []
        last = self.opposite.get(control[-1], control[-1])
        level = max(condition.level for condition in control)
        is_alone = sum(1 for condition in control if condition.level is Level.THREAD) <= 1
        return [last if level is last.level and is_alone else dataclasses.replace(last, level=level, kind=Kind.PART)]

    def kind_of(self, cursor: Cursor, frame: Frame) -> tuple[Kind, Kind]:
        """Of those for whom it is true, and of the others."""
        cursor = plain(cursor)
        parts = children(cursor)
        if cursor.kind is CursorKind.UNARY_OPERATOR and unary_operator(cursor, parts[0]) == "!":
            value = self.quiet(parts[0], frame)
            if value.index is not Index.NO:
                return Kind.ONE, Kind.PART
            kind = self.kind_of(parts[0], frame)
            return kind[1], kind[0]
        if cursor.kind is not CursorKind.BINARY_OPERATOR or len(parts) != 2:
            return Kind.PART, Kind.PART
        operator = binary_operator(cursor, *parts)
        if operator in ("&&", "||"):
            both = [self.kind_of(part, frame) for part in parts if self.quiet(part, frame).level is Level.THREAD]
            which = 0 if operator == "&&" else 1
            kinds = {kind[which] for kind in both}
            found = Kind.PART if Kind.PART in kinds or not kinds else Kind.ONE if Kind.ONE in kinds else Kind.GUARD
            return (found, Kind.PART) if operator == "&&" else (Kind.PART, found)
        left, right = (self.quiet(part, frame) for part in parts)
        if left.index is Index.NO and right.index is not Index.NO:
            left, right, operator = right, left, {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(operator, operator)
        if left.index is Index.NO or right.level > Level.BLOCK:
            return Kind.PART, Kind.PART
        if operator == "==":
            return Kind.ONE, Kind.PART
        if operator == "!=":
            return Kind.PART, Kind.ONE
        if left.index is Index.GLOBAL and right.constant is None:
            return (Kind.GUARD, Kind.PART) if operator in ("<", "<=") else (Kind.PART, Kind.GUARD)
        return Kind.PART, Kind.PART

    def quiet(self, cursor: Cursor, frame: Frame) -> Value:
        """The value of an expression that was evaluated already, without doing again what it does."""
        copy = dataclasses.replace(frame, values=dict(frame.values))
        sites = {key: (len(site.visits), set(site.freed)) for key, site in self.sites.items()}
        value = self.value_of(cursor, copy, ())
        for key, (visits, freed) in sites.items():
            del self.sites[key].visits[visits:]
            self.sites[key].freed = freed
        return value
