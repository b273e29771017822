# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Where the numbers of a run come from, and whether it was made as numbers for others should be."""

from __future__ import annotations

import dataclasses
import functools
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from haloheap_results.group import varying_keys
from haloheap_results.load import Point
from haloheap_results.report.decks import DECKS, FIXED, VARIES, Deck
from haloheap_results.report.model import STALE, Run
from haloheap_results.transfers import EMULATED

REPETITIONS = 3
QUIET = 0.2  # (slowest - fastest) / median of five repetitions, above which the machine may have been busy
FEW = 5  # repetitions, as most decks have them
FULL = 1.1  # load over hardware threads, above which others were at work: what ran just before fills them at most
SLOWED = "slowed by"


@dataclasses.dataclass(frozen=True)
class Stamp:
    """`reasons`: why the run does not conform; `unknown`: what cannot be told from its file."""

    reasons: tuple[str, ...]
    unknown: tuple[str, ...]

    def text(self) -> str:
        if self.reasons:
            return "not conforming"
        return "conforming as far as recorded" if self.unknown else "conforming"


def stamp(run: Run) -> Stamp:
    return Stamp(tuple(reasons(run)), tuple(unknown(run)))


def reasons(run: Run) -> Iterator[str]:
    provenance, points = run.results.provenance, run.points
    few = [int(repetitions) for point in points if (repetitions := point.deck.get("run.repetitions")) is not None
           and repetitions < REPETITIONS]
    if few:
        yield f"{min(few)} repetition{'s' if min(few) > 1 else ''} ({REPETITIONS} at least)"
    if any(point.verified is False for point in points):
        yield "results that were verified and are wrong"
    unverified = sum(point.verified is None and not point.exchange_alone for point in points)
    if unverified:
        yield f"{unverified} of {len(points)} points not verified"
    if reason := build_reason(provenance):
        yield reason
    if str(provenance.get("git_revision", "")).endswith("-dirty"):
        yield "built from sources with changes that are not committed"
    if any(note.startswith(EMULATED) for point in points for note in point.notes):
        yield "the link between host and device is emulated: its times follow from the deck's rates"
    yield from filter(None, [spread_reason(run), load_reason(provenance), *clock_reasons(run), other_deck(run)])
    yield from run.results.remarks


def build_reason(provenance: Mapping[str, Any]) -> str:
    flags = str(provenance.get("compiler_flags", ""))
    if re.search(r"\bDebug\b|-O[01g]\b|-fsanitize", flags) or "DEBUG_BOUNDS_CHECK: yes" in str(
            provenance.get("kokkos_configuration", "")):
        return f"debug build ({flags})"
    return ""


def wide_points(run: Run) -> int:
    """Points whose repetitions are far apart."""
    return sum(wall.maximum - wall.minimum > quiet(repetitions_of(point)) * wall.median
               for point in run.points for wall in [point.wall]
               if wall.median and wall.minimum is not None and wall.maximum is not None)


def repetitions_of(point: Point) -> int:
    return int(point.deck.get("run.repetitions") or FEW)


@functools.cache
def quiet(repetitions: int) -> float:
    """How far so many repetitions may be apart, over their median.

    The more there are the further the slowest is from the fastest, on a quiet machine, too: results have no quartiles,
    so that the limit grows as the range of normal values of one deviation does. Few are held to that of five.
    """
    return QUIET * max(1.0, normal_range(repetitions) / normal_range(FEW))


def normal_range(values: int) -> float:
    """How many deviations the largest of normal values is from the smallest on average: d2 of control charts."""
    step, end = 0.01, 800
    below = [0.5 * (1 + math.erf(place * step / math.sqrt(2))) for place in range(-end, end)]
    return step * sum(1 - share**values - (1 - share) ** values for share in below)


def disturbed(run: Run) -> bool:
    """Whether so many of its times vary that a reader should not build on them."""
    return wide_points(run) >= 0.25 * len(run.points)


def spread_reason(run: Run) -> str:
    wide = wide_points(run)
    if not wide:
        return ""
    most = max(map(repetitions_of, run.points))
    of = f" (of {most}; {100 * QUIET:.0f} % of {FEW})" if quiet(most) > QUIET else ""
    return (f"{wide} of {len(run.points)} points with repetitions more than {100 * quiet(most):.0f} % apart{of}: "
            "the machine may have been busy")


def load_reason(provenance: Mapping[str, Any]) -> str:
    """Of the minute before the run: its own threads do not count yet."""
    for load, cores in zip(provenance.get("loads", []), provenance.get("cores", [])):
        if load > FULL * cores:
            return f"a busy machine: load {load:.1f} on {cores} hardware threads when the run started"
    return ""


def clock_reasons(run: Run) -> Iterator[str]:
    """The host's count where kernels run on it; a device's where it cannot run as fast as it should."""
    provenance = run.results.provenance
    loose = [clocks for clocks in provenance.get("cpu_clocks", []) if not fixed(clocks)]
    if loose and is_host(run):
        yield f"clocks not fixed: {loose[0]}"
    slowed = [clocks for clocks in provenance.get("device_clocks", []) if SLOWED in clocks]
    if slowed:
        yield f"a device that is {slowed[0].split(', ')[-1]}"


def fixed(clocks: str) -> bool:
    """Whether a core has one clock, or a governor that asks for the highest."""
    found = re.fullmatch(r"governor (.+), (\d+) to (\d+) MHz", clocks)
    return found is not None and (found[1] == "performance" or found[2] == found[3])


def other_deck(run: Run) -> str:
    """Of reference results that were taken with other values than the deck has now."""
    keys = STALE.get(run.path.removesuffix(".json.gz"), ()) if run.reference else ()
    return f"taken with another deck ({', '.join(keys)})" if keys else ""


def unknown(run: Run) -> Iterator[str]:
    provenance = run.results.provenance
    if not provenance.get("loads"):
        yield "load of the machine"
    if is_host(run) and not provenance.get("cpu_clocks"):
        yield "clocks of the CPU"
    if on_device(run):
        for key, name in (("drivers", "driver"), ("device_clocks", "clocks of the device")):
            if not provenance.get(key):
                yield name
    for key, name in (("git_revision", "commit"), ("mpi_library", "MPI library"), ("start_time", "date")):
        if not provenance.get(key):
            yield name


def on_device(run: Run) -> bool:
    return not is_host(run)


def is_host(run: Run) -> bool:
    """Whether kernels run on the host."""
    return bool(re.match(r"(OpenMP|Serial|Threads)\b", str(run.results.provenance.get("execution_space", ""))))


def driver_of(run: Run) -> str:
    """Older results have only the version of CUDA that it supports, in the description of a device."""
    provenance = run.results.provenance
    if drivers := each_once(provenance.get("drivers", [])):
        return drivers
    found = (re.search(r"driver[ :]*([\w.]+)", str(device)) for device in provenance.get("devices", []))
    supported = next((match.group(1) for match in found if match), "")
    return f"not recorded, but that it supports CUDA {supported}" if supported else ""


def each_once(values: Iterable[Any]) -> str:
    return "; ".join(dict.fromkeys(map(str, values)))


def loads_of(provenance: Mapping[str, Any]) -> str:
    return each_once(f"{load:.2f} on {cores} hardware threads"
                     for load, cores in zip(provenance.get("loads", []), provenance.get("cores", [])))


def facts(run: Run) -> list[tuple[str, str]]:
    """[(what, value)]; what is missing says so."""
    provenance = run.results.provenance
    clocks = [text for key in ("cpu_clocks", "device_clocks") if (text := each_once(provenance.get(key, [])))]
    driver = "no driver: kernels run on the host" if is_host(run) else driver_of(run) or "not recorded"
    return [
        ("command", command_of(run)), ("date", str(provenance.get("start_time") or "not recorded")),
        ("commit", str(provenance.get("git_revision") or "not recorded")),
        ("devices", each_once(provenance.get("devices", [])) or "not recorded"),
        ("driver", driver), ("backend", str(provenance.get("execution_space") or "not recorded")),
        ("MPI", f"{provenance.get('mpi_library') or 'not recorded'}, {provenance.get('ranks', '?')} ranks on "
                f"{len(set(provenance.get('hosts', [])))} host(s)"),
        ("compiler", f"{provenance.get('compiler') or 'not recorded'}, {provenance.get('compiler_flags', '')}"),
        ("Kokkos", str(provenance.get("kokkos_version") or "not recorded")),
        ("clocks", "; ".join(clocks) or "not recorded"),
        ("load at the start", loads_of(provenance) or "not recorded"),
    ]


def command_of(run: Run) -> str:
    """Without the folders of the program, the deck and the results, which say nothing elsewhere."""
    line = str(run.results.provenance.get("command_line") or "not recorded")
    return re.sub(r"\S*/(?=input/)| (?:output\.folder=|-o )\S+", "", re.sub(r"^\S*/", "", line))


def own_first(runs: Iterable[Run], deck: str) -> list[Run]:
    """Those of the deck, or of what it is on GPUs, then those of others from the same file, before all others."""
    return sorted(runs, key=lambda run: (own_deck(run) != deck, file_of(run) != DECKS[deck].source))


def in_order(runs: Iterable[Run]) -> list[Run]:
    """As the decks are, so that the order in which results are given changes nothing but which of two alike is first.
    """
    places = {name: place for place, name in enumerate(DECKS)}
    return sorted(runs, key=lambda run: (places.get(own_deck(run), len(places)), deck_of(run)))


def own_deck(run: Run) -> str:
    """The name of its deck; of those from the same file the one whose points differ in the same keys. Empty of others.
    """
    file = file_of(run)
    found = [deck for deck in DECKS.values() if deck.source == file]
    varying = varying_keys(run.points) if len(found) > 1 else ()
    return min(found, key=lambda deck: unlike(run, deck, varying)).name if found else ""


def unlike(run: Run, deck: Deck, varying: Collection[str]) -> int:
    """In how many keys: it varies in one of both only, or is another word."""
    return sum(kind_of(run, key, varying) != deck.kinds.get(key, FIXED) for key in {*deck.kinds, *varying})


def kind_of(run: Run, key: str, varying: Collection[str]) -> str:
    value = run.points[0].deck.get(key) if run.points else None
    return VARIES if key in varying else value if isinstance(value, str) else FIXED


def file_of(run: Run) -> str:
    """The deck that it is a deck for GPUs of."""
    return deck_of(run).replace("_h200.toml", ".toml")


def deck_of(run: Run) -> str:
    found = re.search(r"\S*?([\w.-]+\.toml)", command_of(run))
    return found.group(1) if found else "deck not recorded"
