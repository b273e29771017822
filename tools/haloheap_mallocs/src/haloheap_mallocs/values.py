# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the analysis knows of a value: for which threads it is the same, its range, and where it points."""

from __future__ import annotations

import dataclasses
import enum

WARP = 32
COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}


class Level(enum.IntEnum):
    """The largest group of threads for all of which a value is the same, or which take a branch together."""

    GRID = 0
    BLOCK = 1
    WARP = 2
    THREAD = 3


class Index(enum.Enum):
    """Values that differ by one from a thread to the next one."""

    NO = "no"
    THREAD = "thread"
    """In the block."""
    LANE = "lane"
    """In the warp."""
    GLOBAL = "global"
    """In the grid, or in a range that the threads share out among them."""


LANE = frozenset({"lane"})


@dataclasses.dataclass(frozen=True)
class Value:
    level: Level = Level.GRID
    low: int | None = None
    """The least integer that it can be, if that is known."""
    high: int | None = None
    index: Index = Index.NO
    aligned: bool = False
    """A multiple of the warp's size; of an index, at the first lane of each warp."""
    dims: frozenset[str] = frozenset()
    """Of an index: the dimensions of a block along which it counts, or LANE."""
    points: frozenset[str] = frozenset()
    """Objects that a pointer or a structure may lead to: "block N" of a heap, "local X", "outer X"."""

    @property
    def constant(self) -> int | None:
        return self.low if self.low == self.high else None

    def at_least(self, level: Level) -> Value:
        """Not the same for more threads than those of the level. No index any more, if that changes it."""
        if level <= self.level:
            return self
        return dataclasses.replace(self, level=level, index=Index.NO, aligned=False, dims=frozenset())

    def join(self, other: Value, level: Level) -> Value:
        """One of both; which one is decided for all threads of a group of that level.

        Two values of which the same is known are the same only if they are one object, or one number.
        """
        if self is other or (self == other and (level is Level.GRID or self.constant is not None)):
            return self
        same = self.index == other.index and level is Level.GRID
        return Value(max(self.level, other.level, level), least(self.low, other.low), greatest(self.high, other.high),
                     self.index if same else Index.NO, same and self.aligned and other.aligned,
                     self.dims if same else frozenset(), self.points | other.points)

    def widened(self, before: Value) -> Value:
        """Without the limits that have moved since: a loop would go on moving them."""
        return dataclasses.replace(self, low=self.low if self.low == before.low else None,
                                   high=self.high if self.high == before.high else None)


UNKNOWN = Value(Level.THREAD)


def least(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else min(a, b)


def greatest(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else max(a, b)


def constant(number: int) -> Value:
    return Value(low=number, high=number, aligned=number % WARP == 0)


def of_range(level: Level, low: int | None, high: int | None) -> Value:
    return Value(level, low, high)


def binary(operator: str, a: Value, b: Value) -> Value:
    """a operator b, for integers and pointers."""
    low, high = limits(operator, a, b)
    result = Value(max(a.level, b.level), low, high, points=a.points | b.points)
    if operator in ("+", "-"):
        return with_index(result, operator, a, b)
    if operator == "*":
        is_aligned = any(value.aligned and value.index is Index.NO for value in (a, b))
        return dataclasses.replace(result, aligned=is_aligned)
    if is_lane(operator, a, b):
        return dataclasses.replace(result, index=Index.LANE, dims=LANE)
    if is_whole_warps(operator, a, b):
        return dataclasses.replace(result, level=Level.WARP)
    return result


def with_index(result: Value, operator: str, a: Value, b: Value) -> Value:
    is_aligned = a.aligned and b.aligned
    index, other = (a, b) if a.index is not Index.NO else (b, a)
    if index.index is Index.NO:
        return dataclasses.replace(result, aligned=is_aligned)
    if other.level > Level.BLOCK or (operator == "-" and index is b) or index.index is Index.LANE:
        return result
    # blockIdx.x * blockDim.x + threadIdx.x: the only sum of a block's number and a thread's that anybody writes.
    kind = Index.GLOBAL if other.level is Level.BLOCK else index.index
    return dataclasses.replace(result, index=kind, aligned=is_aligned, dims=index.dims)


def is_lane(operator: str, a: Value, b: Value) -> bool:
    """The remainder of an index that is a multiple of the warp's size at the first lane of each warp."""
    return a.index is not Index.NO and a.aligned and (operator, b.constant) in (("%", WARP), ("&", WARP - 1))


def is_whole_warps(operator: str, a: Value, b: Value) -> bool:
    """Whether the lanes of a warp, whose index is `a`, come to the same."""
    number = b.constant
    if a.index is Index.NO or not a.aligned or number is None:
        return False
    if operator == "/":
        return number > 0 and number % WARP == 0
    if operator == ">>":
        return number >= WARP.bit_length() - 1
    return operator == "&" and number % WARP == 0


def limits(operator: str, a: Value, b: Value) -> tuple[int | None, int | None]:
    al, ah, bl, bh = a.low, a.high, b.low, b.high
    if operator == "%" and bl is not None and bh is not None and bl == bh and bl > 0:
        return (0 if al is not None and al >= 0 else 1 - bl), bh - 1
    if operator == "&":
        tops = [high for low, high in ((al, ah), (bl, bh)) if low is not None and low >= 0 and high is not None]
        return (0, min(tops)) if tops else (None, None)
    if operator == "+":
        return (None if al is None or bl is None else al + bl), (None if ah is None or bh is None else ah + bh)
    if operator == "-":
        return (None if al is None or bh is None else al - bh), (None if ah is None or bl is None else ah - bl)
    if operator == "*":
        for low, high, factor in ((al, ah, b.constant), (bl, bh, a.constant)):
            if factor is not None and factor >= 0:
                return (None if low is None else low * factor), (None if high is None else high * factor)
    if al is None or ah is None or bl is None or bh is None:
        return None, None
    if operator == "*":
        products = [x * y for x in (al, ah) for y in (bl, bh)]
        return min(products), max(products)
    if operator == "/" and bl > 0 and al >= 0:
        return al // bh, ah // bl
    if operator == ">>" and al >= 0 and bl >= 0:
        return al >> bh, ah >> bl
    if operator == "<<" and al >= 0 and bl >= 0 and bh < 64:
        return al << bl, ah << bh
    if operator in ("|", "^") and al >= 0 and bl >= 0:
        return 0, (1 << max(ah.bit_length(), bh.bit_length())) - 1
    return None, None


def index_first(operator: str, left: Value, right: Value) -> tuple[Value, Value, str]:
    """A comparison with an index to the left, if there is one."""
    if left.index is Index.NO and right.index is not Index.NO:
        return right, left, {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(operator, operator)
    return left, right, operator


def compared(operator: str, left: Value, right: Value) -> Value:
    level = max(left.level, right.level)
    if left.constant is not None and right.constant is not None:
        a, b = left.constant, right.constant
        return constant(int({"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b}[operator]))
    # threadIdx.x < 64: the border lies between two warps.
    left, right, operator = index_first(operator, left, right)
    if operator in ("<=", ">"):
        number = right.constant
        right = constant(number + 1) if number is not None else dataclasses.replace(right, aligned=False)
    is_between = left.aligned and right.aligned and operator in ("<", ">=", "<=", ">")
    if left.index is not Index.NO and is_between and right.level <= Level.BLOCK:
        level = Level.WARP
    return of_range(level, 0, 1)


def smaller_or_larger(name: str, values: list[Value]) -> Value:
    a, b = values
    level = max(a.level, b.level)
    lows = [value.low for value in values if value.low is not None]
    highs = [value.high for value in values if value.high is not None]
    if name == "min":
        return Value(level, min(lows) if len(lows) == 2 else None, min(highs) if highs else None)
    return Value(level, max(lows) if lows else None, max(highs) if len(highs) == 2 else None)
