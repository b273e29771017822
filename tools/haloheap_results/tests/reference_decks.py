# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How the deck that a reference result was taken with differs from what stands in input/ now."""

import json
import tomllib

from support import ROOT


def flat(table, head=""):
    """{"halo.depth": value}"""
    found = {}
    for key, value in table.items():
        found.update(flat(value, f"{head}{key}.") if isinstance(value, dict) else {head + key: value})
    return found


def setting(text):
    """Of "a.b=[1,2]"; a word that is no TOML is a text."""
    key, _, value = text.partition("=")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key, value


def deck_now(deck):
    with open(ROOT / deck.file, "rb") as file:
        return {**flat(tomllib.load(file)), **dict(map(setting, deck.settings))}


def values(found):
    return {json.dumps(value) for value in found}


def as_values(now, then):
    """What a sweep over `now` would have: a list of values, unless each point has a list."""
    listed = isinstance(now, list) and not (then and all(isinstance(value, list) for value in then)
                                            and not isinstance(now[0], list))
    # A whole number stands for a real one.
    reals = any(isinstance(value, float) for value in then)
    return values(float(value) if reals and isinstance(value, int) else value for value in (now if listed else [now]))


def changed_keys(deck, points):
    """Keys whose values in the deck are not those of the points, or that no point has."""
    changed = []
    for key, now in deck_now(deck).items():
        then = [point.deck[key] for point in points if key in point.deck]
        if not then or as_values(now, then) != values(then):
            changed.append(key)
    return tuple(sorted(changed))
