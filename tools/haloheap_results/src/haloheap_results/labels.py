# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What quantities and keys are called on axes and in legends, and their units.

All of it stands here, so that the names that a result file carries can take the place of these tables.
"""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class Label:
    """What a quantity is called, and its unit."""

    title: str
    unit: str = ""

    def axis(self) -> str:
        return with_unit(self.title, self.unit)


def with_unit(text: str, unit: str) -> str:
    return f"{text} [{unit}]" if unit else text


SPEEDUP = "speedup"

# Figures of the problems, by problem and name.
FIGURES = {
    "malloc_sweep": {
        "allocate_median_us": Label("time of the kernel that allocates", "µs"),
        "churn_median_us": Label("time of the churn", "µs"),
        "free_median_us": Label("time of the kernel that frees", "µs"),
        "at_once_median_us": Label("time of the kernel that allocates and frees at once", "µs"),
        "steps_thread": Label("steps of a request, on average"),
        "utilisation_percent": Label("utilisation of the pool when it is full", "%"),
        "fragmentation_percent": Label("fragmentation of what is free", "%"),
        "footprint_over_in_use": Label("footprint / in use"),
        "pass_over_packed": Label("pass over the blocks / pass over a packed array"),
        SPEEDUP: Label("speed-up of the kernel that allocates over native"),
    },
    "getpage": {
        "getpage_median_us": Label("time of the kernel that gets the pages", "µs"),
        "tas": Label("steps of a thread (TAS)"),
        "was": Label("steps of the slowest of a warp (WAS)"),
        SPEEDUP: Label("speed-up of the kernel over native"),
    },
    "atomics": {
        "latency_ns": Label("time of an atomic operation, mean thread", "ns"),
        "operations_per_ns": Label("10$^9$ atomic operations a second"),
    },
    "page_steps": {
        "tas_queue": Label("steps of a thread (TAS), queue"),
        "tas_walk": Label("steps of a thread (TAS), random walk"),
        "was_queue": Label("steps of the slowest of a warp (WAS), queue"),
        "was_walk": Label("bound of the steps of the slowest of a warp (WAS), random walk"),
    },
    "allocation": {
        "allocate_us": Label("time of an allocation, mean thread", "µs"),
        "work_us": Label("time of the work, mean thread", "µs"),
        "free_us": Label("time of a free, mean thread", "µs"),
        "gflops": Label("GFlop/s of the work"),
        SPEEDUP: Label("speed-up of the work over native"),
    },
    "hash_join": {
        "join_us": Label("time of the join: partition, build, probe", "µs"),
        "probe_us": Label("time of the probing, which allocates", "µs"),
        "free_us": Label("time to free all output pages", "µs"),
        SPEEDUP: Label("speed-up of the join over native"),
    },
    "collectives": {
        "collective_us": Label("time of the operation", "µs"),
        "allocate_us": Label("time to allocate a rank's buffers", "µs"),
        "free_us": Label("time to free a rank's buffers", "µs"),
        SPEEDUP: Label("speed-up of the operation over native"),
    },
}

# Parts of a transfer, each measured as NAME_us and NAME_ns_per_byte.
TRANSFER_PARTS = {"total": "whole run", "h2d": "copies H2D", "kernel": "kernel", "d2h": "copies D2H"}

# In the order of the time line: what is packed, sent, waited for and unpacked, then the computation.
PHASES = {
    "pack_s": "pack",
    "message_s": "message",
    "desynchronisation_s": "desynchronisation",
    "unpack_s": "unpack",
    "inner_s": "inner cells",
    "outer_s": "outer cells",
    "primary_s": "whole-subdomain steps",
}

# Of an overlap, each measured by itself.
OVERLAP_TERMS = {
    "serial_s": "without overlap",
    "overlapped_s": "overlapped",
    "exchange_s": "exchanges alone",
    "interior_s": "interior alone",
}

DEPTH = Label("halo depth", "steps per exchange")
ALL_STEPS = Label("time for all steps", "s")
ONE_STEP = Label("time of a step", "µs")
EXCHANGE = Label("time of an exchange", "µs")
EXCHANGE_BYTES = Label("sent by the busiest rank in an exchange", "KiB")
HIDDEN = Label("communication hidden by the overlap", "%")
RATE = "GCells/s (useful cell updates, 10$^9$ a second)"

# Units of deck keys.
KEYS = {
    "malloc.size": "bytes", "malloc.largest": "bytes", "malloc.free": "%", "getpage.free": "%", "steps.free": "%",
    "atomics.spacing": "bytes", "allocator.alignment": "bytes",
    "allocator.page": "bytes", "allocator.pool": "GiB", "allocator.word": "bits",
}


def figure(problem: str, name: str) -> Label:
    """What a figure of a problem is called: by its own name where nothing is said here."""
    return FIGURES.get(problem, {}).get(name) or Label("speed-up over native" if name == SPEEDUP else name)


def key_axis(key: str) -> str:
    return with_unit(key, KEYS.get(key, ""))


def word(value: Any) -> str:
    """A deck's value, spelt as in a deck."""
    if isinstance(value, float):
        return f"{value:g}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def setting(key: str, value: Any) -> str:
    """'malloc.size = 16 bytes'"""
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
