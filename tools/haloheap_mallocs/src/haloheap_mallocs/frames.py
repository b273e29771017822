# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls of functions and their loops, while kernels are run in the mind."""

from __future__ import annotations

import dataclasses

from clang.cindex import Cursor

from haloheap_mallocs.sites import Condition, Control
from haloheap_mallocs.values import Level, Value


@dataclasses.dataclass
@dataclasses.dataclass
class Loop:
    left: list[Condition] = dataclasses.field(default_factory=list)
    """What those who broke out of it had decided."""
    skipped: list[Condition] = dataclasses.field(default_factory=list)
    """The same of those who went on with the next round."""


@dataclasses.dataclass
class Frame:
    """A call of a function."""

    name: str
    values: dict[str, Value]
    base: int
    """Conditions of the callers."""
    returned: list[Condition] = dataclasses.field(default_factory=list)
    loops: list[Loop] = dataclasses.field(default_factory=list)
    objects: list[Cursor] = dataclasses.field(default_factory=list)
    """Variables of classes."""
    result: Value | None = None

    def gone(self) -> Control:
        """Decisions after which some threads are no longer there."""
        found = [*self.returned]
        for loop in self.loops:
            found += loop.left + loop.skipped
        return tuple(found)


def merged(control: Control, more: Control) -> Control:
    return control + tuple(condition for condition in more if condition not in control)


def joined(a: dict[str, Value], b: dict[str, Value], level: Level) -> dict[str, Value]:
    result = dict(a)
    for usr, value in b.items():
        result[usr] = a[usr].join(value, level) if usr in a else value
    return result
