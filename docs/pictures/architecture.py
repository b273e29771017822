#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes architecture.svg beside itself: the four ways of a value, as docs/architecture.md tells them."""

import pathlib
from xml.sax.saxutils import escape

COLOURS = {"miniapp": "#cfe2f7", "comm": "#e2d6f3", "core": "#d3ecd5", "allocators": "#fbe3c2", "outside": "#ececec"}

# Of each way: its title, and its stations with what they are, where they stand, and what they do.
WAYS = [
    ("Deck to kernel", [
        ("halo.depth = 8", "outside", "input/heat2d.toml", "a line of a deck"),
        ("Schema, Sweep, Deck", "miniapp", "miniapp/deck", "read, judge, one point"),
        ("GridSettings", "miniapp", "miniapp/problems/grids", "in the types of comm"),
        ("DeepHalo", "comm", "comm/halo/deep_halo", "which boxes, when"),
        ("Passes", "core", "core/stencil", "kernels, of 1 to n steps"),
    ]),
    ("Cell to neighbour", [
        ("HaloPlan", "comm", "comm/halo_plan", "which boxes to whom"),
        ("HaloExchange::begin", "comm", "comm/halo/halo_exchange", "packs on the device"),
        ("HaloPath", "comm", "comm/paths", "a transport: moves bytes"),
        ("MessageSet", "comm", "comm/paths/host/messages", "calls of MPI, if any"),
        ("HaloExchange::end", "comm", "comm/halo/halo_exchange", "unpacks: ghost cells valid"),
    ]),
    ("Request to block", [
        ("MemoryResource", "core", "core/memory", "where the pool stands"),
        ("SlabWalk::handle()", "allocators", "allocators/slab_walk", "copied into the kernel"),
        ("allocate(bytes)", "allocators", "SlabWalkHandle", "any lane, any time"),
        ("Platform::Lanes", "core", "core/lanes", "same size, one request"),
        ("block", "allocators", "a slot of a slab", "or a null pointer"),
    ]),
    ("Timer to report", [
        ("Event", "core", "core/backend", "a time in a queue"),
        ("PhaseTimer", "comm", "comm/phase_timer", "seconds of a phase"),
        ("Point", "miniapp", "miniapp/report/result", "what a problem measured"),
        ("ResultsFiles, table", "miniapp", "miniapp/report", "JSON, CSV, the screen"),
        ("haloheap-results", "outside", "tools/haloheap_results", "figures and tables"),
    ]),
]

BOX, HEIGHT, GAP, LEFT, TOP, ROW = 184, 74, 30, 20, 66, 128
WIDTH = 2 * LEFT + 5 * BOX + 4 * GAP
TOTAL = TOP + len(WAYS) * ROW - 24


def text(x, y, content, style):
    return f'<text x="{x}" y="{y}" {style}>{escape(content)}</text>'


def station(x, y, name, part, place, does):
    middle = 'text-anchor="middle"'
    centre = x + BOX // 2
    return [f'<rect x="{x}" y="{y}" width="{BOX}" height="{HEIGHT}" rx="6" fill="{COLOURS[part]}" stroke="#555555"/>',
            text(centre, y + 23, name, f'{middle} font-weight="bold"'),
            text(centre, y + 43, place, f'{middle} font-size="12" fill="#333333"'),
            text(centre, y + 62, does, f'{middle} font-size="12" font-style="italic"')]


def legend():
    x = LEFT
    for part, colour in COLOURS.items():
        yield f'<rect x="{x}" y="14" width="16" height="16" rx="3" fill="{colour}" stroke="#555555"/>'
        yield text(x + 22, 27, "beside the program" if part == "outside" else part, 'font-size="13"')
        x += 112


def picture():
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {TOTAL}" width="{WIDTH}" height="{TOTAL}" '
           'font-family="Helvetica, Arial, sans-serif" font-size="14">')
    yield "<!-- SPDX-FileCopyrightText: 2026 the haloheap contributors -->"
    yield "<!-- SPDX-License-Identifier: BSD-3-Clause -->"
    yield "<!-- Written by architecture.py. -->"
    yield "<title>The four ways of a value through haloheap</title>"
    yield ('<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
           '<path d="M0 0L8 4L0 8z" fill="#333333"/></marker></defs>')
    yield f'<rect width="{WIDTH}" height="{TOTAL}" fill="#ffffff"/>'
    yield from legend()
    for row, (title, stations) in enumerate(WAYS):
        y = TOP + row * ROW
        yield text(LEFT, y, f"{row + 1}  {title}", 'font-size="16" font-weight="bold"')
        for column, entry in enumerate(stations):
            x = LEFT + column * (BOX + GAP)
            yield from station(x, y + 14, *entry)
            if column > 0:
                height = y + 14 + HEIGHT // 2
                yield f'<path d="M{x - GAP} {height}H{x - 1}" stroke="#333333" stroke-width="1.5" marker-end="url(#tip)"/>'
    yield "</svg>"


if __name__ == "__main__":
    pathlib.Path(__file__).with_suffix(".svg").write_text("\n".join(picture()) + "\n")
