# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How halos travel: no paper compares today's ways, so this section has ours alone."""

from __future__ import annotations

import collections
from collections.abc import Iterable

from haloheap_results.group import Group, grouped, name_groups, several
from haloheap_results.labels import DEPTH, EXCHANGE
from haloheap_results.load import Point
from haloheap_results.report.charts import Chart, Panel, line
from haloheap_results.report.model import Exhibit, Run, Section

DECK = "bench_halo"
TRANSPORT, DEPTH_KEY = "halo.transport", "halo.depth"


def exchange_us(point: Point) -> float | None:
    return 1e6 * point.exchange_s if point.exchange_s else None


def exchanges(points: Iterable[Point]) -> list[Group]:
    """Groups of exchanges that differ in nothing but depth and transport. Transports that send nothing do not count."""
    there = [point for point in points if exchange_us(point) and point.deck.get(TRANSPORT) != "mock"]
    groups = [group for group in grouped(there, (TRANSPORT, DEPTH_KEY))
              if several(point.deck.get(TRANSPORT) for point in group.points)]
    name_groups(groups, (TRANSPORT, DEPTH_KEY))
    return groups


def own_exchanges(run: Run) -> list[Chart]:
    charts = []
    for group in exchanges(run.points):
        lines = collections.defaultdict(list)
        for point in group.points:
            lines[str(point.deck[TRANSPORT])].append(point)
        series = [line(name, points, lambda point: point.deck[DEPTH_KEY], exchange_us, bounds_us)
                  for name, points in lines.items()]
        charts.append(Chart(group.title(), DEPTH.axis(), EXCHANGE.axis(), [Panel("", series)],
                            ", ".join(filter(None, ["exchanges alone: nothing is computed", group.extra_text()])),
                            log_x=True, log_y=True))
    return charts


def bounds_us(point: Point) -> tuple[float | None, float | None]:
    """The wall time is that of all exchanges."""
    wall = point.wall
    if not (wall.median and wall.minimum and wall.maximum and point.exchange_s):
        return None, None
    scale = 1e6 * point.exchange_s / wall.median
    return scale * wall.minimum, scale * wall.maximum


SECTION = Section(
    "transports", "Transports", "",
    "The ways in which a halo gets to the neighbour. All deliver the same bits; [Valen2023] staged through pageable "
    "memory.",
    (Exhibit("exchange", "Time of an exchange by transport", DECK, own_exchanges,
             unpublished="None of the five papers compares transports; [Valen2023] staged through pageable memory."),),
    ())
