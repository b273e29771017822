# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the parts of the analysis share."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator

from clang.cindex import Cursor, Type

from haloheap_mallocs.cursors import FUNCTIONS, Place, body_of, place_of
from haloheap_mallocs.declarations import declared
from haloheap_mallocs.frames import Closure, Frame
from haloheap_mallocs.sites import Condition, Control, Site, level_of
from haloheap_mallocs.values import Level, Value


class State:
    def __init__(self, units: list[Cursor], is_for_any_instance: bool = False) -> None:
        self.units = units
        self.is_for_any_instance = is_for_any_instance
        """Templates may have instances in other files: what depends on their parameters may be anything."""
        self.definitions = {cursor.get_usr(): cursor for unit in units for cursor in declared(unit)
                            if cursor.kind in FUNCTIONS and body_of(cursor) is not None}
        self.sites: dict[Place, Site] = {}
        self.contents: dict[str, set[str]] = defaultdict(set)
        self.shared: set[str] = set()
        self.stored: set[str] = set()
        self.stored_before: set[str] = set()
        self.lambdas: dict[str, Closure] = {}
        self.aliases: dict[str, Cursor] = {}
        self.opposite: dict[Condition, Condition] = {}
        self.stack: list[str] = []
        self.calls: list[Cursor] = []
        self.requests: dict[Place, Cursor] = {}
        self.called: dict[Place, Cursor] = {}
        self.arrived: dict[tuple[Place, ...], Level] = {}
        self.launched: dict[Place, list[Cursor]] = defaultdict(list)
        self.rounds: list[Place] = []
        self.dims_used: dict[str, set[str]] = defaultdict(set)
        self.allocated: list[Site] = []
        self.calls_made = 0
        self.bodies: list[Cursor] = []
        self.references: set[str] = set()
        self.scalars: set[str] = set()
        self.statics: set[str] = set()
        self.taken: set[str] = set()
        self.given_up: set[str] = set()
        self.lambdas_run: set[Place] = set()
        self.entry = ""
        self.reached: set[str] = set()

    @contextlib.contextmanager
    def repeated(self, loop: Cursor) -> Iterator[None]:
        self.rounds.append(place_of(loop))
        try:
            yield
        finally:
            self.rounds.pop()

    def arrive(self, control: Control) -> None:
        """Notes for whom together the last of the calls is made, on this way from a kernel."""
        way = tuple(place_of(call) for call in self.calls)
        self.called[way[-1]] = self.calls[-1]
        self.arrived[way] = max(self.arrived.get(way, Level.GRID), level_of(control))

    # Each of these needs the others, so that no file can come first: see expressions.py, objects.py, calls.py and
    # statements.py.

    def value_of(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        raise NotImplementedError

    def value_of_call(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        raise NotImplementedError

    def value_of_new(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        raise NotImplementedError

    def value_of_delete(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        raise NotImplementedError

    def definition_of(self, function: Cursor | None) -> Cursor | None:
        raise NotImplementedError

    def inline(self, function: Cursor, cursor: Cursor, arguments: list[Cursor], values: list[Value],
               owner: Cursor | None, frame: Frame, control: Control, this: Value | None = None) -> Value:
        raise NotImplementedError

    def construct(self, cursor: Cursor, pointer: Value, frame: Frame, control: Control) -> None:
        raise NotImplementedError

    def complete(self, kind: Type, pointer: Value, frame: Frame, control: Control, depth: int = 0) -> None:
        raise NotImplementedError

    def end(self, kind: Type, pointer: Value, frame: Frame, control: Control, depth: int = 0) -> None:
        raise NotImplementedError

    def walk_body(self, body: Cursor, frame: Frame, control: Control) -> None:
        raise NotImplementedError
