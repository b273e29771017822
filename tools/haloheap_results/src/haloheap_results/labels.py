# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What quantities and keys are called on axes and in legends, and their units.

A result file says what its quantities are called. What stands here is what it does not say: what figures make of
several quantities or in other units, the parts that they stack, and the units of keys of the deck.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any


@dataclasses.dataclass(frozen=True)
class Label:
    """What a quantity is called, its unit, and sentences that say what it is."""

    title: str
    unit: str = ""
    description: str = ""

    def axis(self) -> str:
        return with_unit(self.title, self.unit)

    def sentence(self) -> str:
        """What the title, which is that of a column of a table, is short for."""
        return f"{self.title}: {self.description}" if self.description else ""


def with_unit(text: str, unit: str) -> str:
    """Files spell units in ASCII."""
    return f"{text} [{'µs' if unit == 'us' else unit}]" if unit else text


SPEEDUP = "speedup"

Labels = Mapping[str, Mapping[str, Label]]
"""What result files say of what they hold: by problem, and by the place in a point ("figures.tas")."""

# Parts of a transfer, each measured as NAME_us and NAME_ns_per_byte.
TRANSFER_PARTS = {"total": "whole run", "h2d": "copies H2D", "kernel": "kernel", "d2h": "copies D2H"}

# In the order of the time line: what is packed, sent, waited for and unpacked, then the computation. [Valen2023] has
# them, too, beside whose numbers no file stands that could name them.
PHASES = {
    "pack_s": "pack",
    "message_s": "message",
    "desynchronisation_s": "desynchronisation",
    "unpack_s": "unpack",
    "inner_s": "inner cells",
    "outer_s": "outer cells",
    "primary_s": "whole-subdomain steps",
}

DEPTH = Label("halo depth", "steps per exchange")
ALL_STEPS = Label("time for all steps", "s")
ONE_STEP = Label("time of a step", "µs")
EXCHANGE = Label("time of an exchange", "µs")
EXCHANGE_BYTES = Label("sent by the busiest rank in an exchange", "KiB")
HIDDEN = Label("communication hidden by the overlap", "%")
RATE = "GCells/s (useful cell updates, 10$^9$ a second)"

# What the command line calls a file, as if it were a key of its decks.
LABEL = "label"

# Units of deck keys.
KEYS = {
    "malloc.size": "bytes", "malloc.largest": "bytes", "malloc.free": "%", "getpage.free": "%", "steps.free": "%",
    "atomics.spacing": "bytes", "allocator.alignment": "bytes",
    "allocator.page": "bytes", "allocator.pool": "GiB", "allocator.word": "bits",
}


def quantity(problem: str, place: str, said: Labels) -> Label:
    """What files say of a quantity. Older ones say nothing of any: there it is called as the file names it."""
    return said.get(problem, {}).get(place) or Label(place.rpartition(".")[2])


def figure(problem: str, name: str, said: Labels) -> Label:
    """The same of a figure of a problem, or of its speed-up."""
    return quantity(problem, name if name == SPEEDUP else f"figures.{name}", said)


def key_axis(key: str) -> str:
    return with_unit(key, KEYS.get(key, ""))


def word(value: Any) -> str:
    """A deck's value, spelt as in a deck."""
    if isinstance(value, float):
        return f"{value:g}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def setting(key: str, value: Any) -> str:
    """'malloc.size = 16 bytes'; a label is what it says."""
    if key == LABEL:
        return str(value)
    return f"{key} = {word(value)}" + (f" {KEYS[key]}" if key in KEYS else "")


def shape(numbers: tuple[int, ...]) -> str:
    return " x ".join(map(str, numbers))


def size_text(size: float) -> str:
    """'1600 KiB'; bytes where no unit makes it short."""
    for unit, factor in (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        text = f"{size / factor:g}"
        if size >= factor and len(text) < 6 and float(text) * factor == size:
            return f"{text} {unit}"
    return f"{size} bytes"
