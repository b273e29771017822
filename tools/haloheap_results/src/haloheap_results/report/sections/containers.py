# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""[Dastgeer2016]: containers that remember which copy of their elements is valid."""

from __future__ import annotations

import collections
from collections.abc import Callable, Sequence

from haloheap_results.figures.containers import (PEER, POLICIES, POLICY, mechanism_of, name_of, normalised_or_none,
                                                 panels_of, range_of)
from haloheap_results.group import by_problem, several
from haloheap_results.load import Point
from haloheap_results.report.charts import Chart, Panel, Series
from haloheap_results.report.model import NOTHING, Claim, Exhibit, Finding, Run, Section
from haloheap_results.report.numbers import geometric_mean, span, times, wall
from haloheap_results.report.sections import hosts
from haloheap_results.report.verdicts import of_gain, of_gains, walls_apart

WAYS = {"h2d": "host to device", "d2d": "within a device", "peer": "device to device", "d2h": "device to host"}
NEW = "paper"
NO_NUMBERS = "[Dastgeer2016] draws this figure without numbers."
SAVED = {"lu": 82.0, "nbody": 11.0, "sph": 50.0}
"""Times less device memory, section 4.2."""
HOST_DEVICES = "the devices are emulated in the host's memory"

# ---------------------------------------------------------------------------------------------- bytes: Table 1


def volume(prefix: str) -> Callable[[Run], list[Chart]]:
    """In units of what all calls replicate: [Dastgeer2016] does not give its sizes, but in this unit both compare."""
    def drawn(run: Run) -> list[Chart]:
        there = [point for point in run.points if any(point.figure(f"{prefix}_{way}") is not None for way in WAYS)
                 and point.deck.get(POLICY)]
        panels = []
        for problem, points in by_problem(there).items():
            by_mechanism = {name_of(mechanism_of(point, True)): point for point in points}
            names = list(by_mechanism)
            series = [Series(text, names, [by_mechanism[name].figure(f"{prefix}_{way}") for name in names])
                      for way, text in WAYS.items()]
            panels.append(Panel(problem, series))
        title = "Bytes by way" if prefix == "unit" else "[Dastgeer2016], Table 1: 2 x C2050"
        return [Chart(title, "policy", "bytes / bytes that all calls replicate", panels,
                      "stacked: all bytes that moved", bars=True, stacked=True)] if panels else []

    return drawn


def paper_volume(runs: Sequence[Run]) -> list[Chart]:
    """The program puts its numbers beside ours."""
    for run in runs:
        if charts := volume("paper")(run):
            return charts
    return []


# ---------------------------------------------------------------------------------------------- Figures 6 and 7


def normalised_chart(initial: bool) -> Callable[[Run], list[Chart]]:
    """Figure 7 has the initial mechanism, Figure 6 has not."""
    def drawn(run: Run) -> list[Chart]:
        points = [point for point in run.points if normalised_or_none(point) is not None]
        if any(point.deck.get(POLICY) == "initial" for point in points) != initial:
            return []
        with_peers = several(point.deck.get(PEER) for point in points)
        mechanisms = list(dict.fromkeys(mechanism_of(point, with_peers) for point in points))
        policies = [policy for policy, _ in mechanisms]
        panels = []
        for title, own in panels_of(points).items():
            problems = list(by_problem(own))
            series = []
            for mechanism in mechanisms:
                of = {point.work.problem: point for point in own if mechanism_of(point, with_peers) == mechanism}
                ends = [range_of(of[problem]) if problem in of else (None, None) for problem in problems]
                series.append(Series(name_of(mechanism), problems,
                                     [normalised_or_none(of[problem]) if problem in of else None
                                      for problem in problems],
                                     [low for low, _ in ends], [high for _, high in ends],
                                     (POLICIES.of(mechanism[0], policies)[0], "o")))
            panels.append(Panel(title, series))
        return [Chart("Normalised times", "application", "time / time of the reference", panels,
                      "reference: paper with peer copies where it is there; ranges: fastest to slowest repetition",
                      bars=True, log_y=True)] if panels else []

    return drawn


# ------------------------------------------------------------------------------------------------------- claims


def pairs(points: Sequence[Point], other: tuple[str, bool | None], base: tuple[str, bool | None],
          value: Callable[[Point], float | None]) -> dict[str, list[float]]:
    """{application: other's value over base's}, wherever all else is the same; a peer of None is any."""
    found: dict[str, dict[str, dict[tuple[str, bool | None], float]]] = collections.defaultdict(
        lambda: collections.defaultdict(dict))
    for point in points:
        number = value(point)
        if number is None or not point.deck.get(POLICY):
            continue
        rest = str(sorted((key, what) for key, what in point.swept.items() if key not in (POLICY, PEER)))
        policy, peer = mechanism_of(point, True)
        for mechanism in ((policy, peer), (policy, None)):
            found[point.work.problem][rest].setdefault(mechanism, number)
    return {problem: values for problem, of_problem in found.items()
            if (values := [of[other] / of[base] for of in of_problem.values()
                           if other in of and base in of and of[base] > 0])}


def told(found: dict[str, list[float]]) -> str:
    return ", ".join(f"{problem} {span(values)}" for problem, values in found.items())


def flat(found: dict[str, list[float]]) -> list[float]:
    return [value for values in found.values() for value in values]


def container_noise(points: Sequence[Point]) -> float:
    return walls_apart(point for point in points if point.deck.get(POLICY))


def new_beats_initial(points: Sequence[Point]) -> Finding:
    found = pairs(points, ("initial", True), (NEW, True), wall)
    if not found:
        return NOTHING
    values = flat(found)
    return of_gains([(geometric_mean(values), 19.2), (max(values), 33.4)],
                    f"time with initial over {NEW}, with peer copies: {told(found)}; geometric mean "
                    f"{times(geometric_mean(values))}, highest {times(max(values))}", container_noise(points))


def peers_help(points: Sequence[Point]) -> Finding:
    found = pairs(points, (NEW, False), (NEW, True), wall)
    if not found:
        return NOTHING
    mean = geometric_mean(flat(found))
    return of_gain(mean, 1.23, f"time without peer copies over with them: {told(found)}; geometric mean {times(mean)}",
                   container_noise(points))


def link_bytes(point: Point) -> float | None:
    """In all four ways, as Table 1 adds them up."""
    values = [point.figure(f"{way}_mb") for way in WAYS]
    return None if any(value is None for value in values) else sum(value for value in values if value is not None)


def peers_save_bytes(points: Sequence[Point]) -> Finding:
    found = pairs(points, (NEW, False), (NEW, True), link_bytes)
    if not found:
        return NOTHING
    return of_gain(min(flat(found)), 1.5, f"bytes in all ways without peer copies over with them: {told(found)}; its "
                                          "Table 1 has 1.50, 1.49 and 1.50")


def peers_halve_bytes(points: Sequence[Point]) -> Finding:
    found = pairs(points, (NEW, False), (NEW, True), link_bytes)
    if not found:
        return NOTHING
    return of_gain(min(flat(found)), 2, f"bytes in all ways without peer copies over with them: {told(found)}, so that "
                                        f"they save {100 * (1 - 1 / min(flat(found))):.0f} %")


def fewer_allocations(points: Sequence[Point]) -> Finding:
    found = pairs(points, ("initial", True), (NEW, True), lambda point: point.figure("allocated_mb"))
    if not found:
        return NOTHING
    named = {problem: min(values) for problem, values in found.items() if problem in SAVED}
    if not named:
        return NOTHING
    return of_gains([(value, SAVED[problem]) for problem, value in named.items()],
                    f"device memory taken with initial over {NEW}: {told(found)}")


def remembering_pays(points: Sequence[Point]) -> Finding:
    found = {problem: values for problem, values in pairs(points, ("none", None), (NEW, None), wall).items()
             if problem != "mse"}
    if not found:
        return NOTHING
    return of_gain(max(flat(found)), 100, f"time with operands moved at each call over {NEW}: {told(found)}; the "
                                          "highest counts", container_noise(points))


def one_call_costs_nothing(points: Sequence[Point]) -> Finding:
    found = [value for point in points if point.work.problem == "mse" and point.deck.get(POLICY) == NEW
             and (value := point.figure("overhead_percent")) is not None]
    if not found:
        return NOTHING
    return Finding.of(max(found) < 1, "overhead over copies by hand: " + ", ".join(f"{value:.1f} %" for value in found))


LAUNCHES = (
    "Launches and waits cost as much as the copies of short vectors, and long ones take longer to compute than the "
    "bus.")
EVENTS = (
    "Events and metadata of three vectors take 2 us, and a wait 5; calls that repeat as a graph cost less than their "
    "launches.")
FEW_BYTES = (
    "Direct copies spare little of the whole time. What moves through the host without them, 535 MB each way for LU, "
    "72 for N-body and 43 for SPH, takes 9.7, 1.3 and 0.8 ms at 55 GB/s on two links at once, beside runs of 21.6, "
    "14.8 and 7.3 ms, of which computing, launches and waits are the rest. By these rates direct copies would gain "
    "1.45, 1.09 and 1.11 times, and 1.15, 1.12 and 1.03 were measured. A call of LU takes 42 us with direct copies and "
    "48 without, where its bytes would take 19 more; on one device it takes 7. So two thirds of the copies are done "
    "while a call waits for something else: for the host, which issues four or six copies a call, or for the other "
    "device. Which of them would take a timeline of both devices.")
A_THIRD = "Its own Table 1 says 33 %."

CLAIMS = (
    Claim("new-mechanism", "The new mechanism is 19.2 times as fast as the initial one on average, up to 33.4 "
          "(abstract, Figure 7)", "figure7", new_beats_initial, HOST_DEVICES, because=LAUNCHES,
          because_on_host=hosts.ALLOCATIONS_SHOW),
    Claim("peer-copies", "Peer copies make it 1.23 times as fast (Figure 7)", "figure7", peers_help, HOST_DEVICES,
          because=FEW_BYTES, because_on_host=hosts.COPIES_OF_MEMORY),
    Claim("peer-bytes", "Without peer copies 1.5 times the bytes move: they save a third (Table 1)", "table1",
          peers_save_bytes),
    Claim("peer-half", "Peer copies reduce all communication by 50 % (section 4.2)", "table1", peers_halve_bytes,
          because=A_THIRD, because_on_host=A_THIRD),
    Claim("device-memory", "It takes 82, 11 and 50 times less device memory (Table 1)", "table1", fewer_allocations),
    Claim("remembering", "Remembering what is where pays in applications of several calls, in some over 100 times "
          "(section 4.1, Figure 6)", "figure6", remembering_pays, HOST_DEVICES, because=LAUNCHES,
          because_on_host=hosts.HOST_COMPUTES),
    Claim("single-call", "A single call loses less than 1 % (section 4.1, MSE in Figure 6)", "figure6",
          one_call_costs_nothing, because=EVENTS, because_on_host=hosts.WITHIN_TWO_PERCENT),
)

SECTION = Section(
    "containers", "Smart containers",
    "[Dastgeer2016] U. Dastgeer, C. Kessler, Smart Containers and Skeleton Programming for GPU-Based Systems, IJPP "
    "2016",
    "Vectors and matrices that know which of their copies is valid, and move only what a call lacks. Policies: paper "
    "is its new mechanism, initial its older one, none moves operands at each call, region is ours.",
    (Exhibit("volume", "Bytes by way (Table 1)", "table1", volume("unit"), paper_volume, once=True),
     Exhibit("policies", "Normalised times by policy, one device and two (Figure 6)", "figure6",
             normalised_chart(False),
             unpublished=NO_NUMBERS),
     Exhibit("mechanisms", "Normalised times by mechanism, two devices (Figure 7)", "figure7", normalised_chart(True),
             unpublished=f"{NO_NUMBERS} Its text has the averages: initial over new with peer copies 19.2, up to 33.4 "
                         "(SPH); without peer copies 1.23.")),
    CLAIMS)
