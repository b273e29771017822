# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How a claim is judged by its size: a gain that is less than claimed is told apart from none, and noise from both."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from haloheap_results.load import Point
from haloheap_results.report.model import Finding, Verdict
from haloheap_results.report.numbers import geometric_mean, span, times

ENOUGH = 0.8  # of a claimed gain, for the claim to hold
NOTABLE = 1.02  # a factor below which there is no gain to speak of
WORST_FIRST = (Verdict.FAILS, Verdict.LESS, Verdict.HOLDS)
TOLD = (f"Verdicts: a claim of a paper holds if at least {100 * ENOUGH:.0f} % of the gain that it claims was measured; "
        "less than claimed: there is a gain, but a smaller one, or not everywhere; not measured: no run has it, or its "
        "repetitions are further apart than what they would show.")


def enough(claimed: float) -> float:
    """The least factor with which such a claim holds."""
    return 1 + ENOUGH * (claimed - 1)


def of_gains(gains: Iterable[tuple[float, float]], text: str, noise: float = 1.0) -> Finding:
    """Of [(factor, the claimed one)] the worst decides. `noise`: how far repetitions are apart, as a factor."""
    pairs = list(gains)
    asked = dict.fromkeys(f"{times(claimed)} ({times(enough(claimed))} is enough)" for _, claimed in pairs)
    told = f"{text}; claimed {', '.join(asked)}"
    if doubt := doubt_of([max(claimed, far(factor)) for factor, claimed in pairs], noise):
        return Finding(Verdict.OPEN, f"{doubt}; {told}")
    return Finding(min((verdict_of(*pair) for pair in pairs), key=WORST_FIRST.index), told)


def of_gain(factor: float, claimed: float, text: str, noise: float = 1.0) -> Finding:
    return of_gains([(factor, claimed)], text, noise)


def verdict_of(factor: float, claimed: float) -> Verdict:
    if factor <= NOTABLE:
        return Verdict.FAILS
    return Verdict.HOLDS if factor >= enough(claimed) else Verdict.LESS


def of_likeness(factors: Sequence[float], tolerance: float, text: str, noise: float = 1.0) -> Finding:
    """Of a claim that all are the same, as far as the tolerance goes."""
    if doubt := doubt_of([max(tolerance, far(geometric_mean(factors)))], noise):
        return Finding(Verdict.OPEN, f"{doubt}; {text}")
    return Finding(Verdict.HOLDS if all(far(factor) <= tolerance for factor in factors) else Verdict.FAILS, text)


def of_order(found: Mapping[str, Sequence[float]], text: str, noise: float) -> Finding:
    """Of a claim that each of these factors is above 1, whatever its size. Less than claimed: where their mean is."""
    all_factors = [factor for factors in found.values() for factor in factors]
    middle = geometric_mean(all_factors)
    above = sum(factor > 1 for factor in all_factors)
    text += f"; above 1 in {above} of {len(all_factors)}, {times(middle)} on average"
    if doubt := doubt_of([far(middle)], noise):
        return Finding(Verdict.OPEN, f"{doubt}; {text}")
    if min(all_factors) > 1:
        return Finding(Verdict.HOLDS, text)
    return Finding(Verdict.LESS if middle > NOTABLE else Verdict.FAILS, text)


def far(factor: float) -> float:
    """From 1, whichever side it is."""
    return max(factor, 1 / factor) if factor > 0 else math.inf


def doubt_of(effects: Sequence[float], noise: float) -> str:
    """Why nothing can be said; empty where it can."""
    if noise <= min(effects):
        return ""
    return f"the repetitions are {times(noise)} times apart, more than what they would show"


def apart(ranges: Iterable[tuple[float | None, float | None]]) -> float:
    """How far repetitions are apart: highest over lowest, as geometric mean over those that tell."""
    found = [high / low for low, high in ranges if low and high and 0 < low <= high]
    return geometric_mean(found) if found else 1.0


def walls_apart(points: Iterable[Point]) -> float:
    return apart((point.wall.minimum, point.wall.maximum) for point in points)


def by_name(found: Mapping[str, Sequence[float]]) -> str:
    """'slab_walk 1.10 to 2.31, native 3.00'"""
    return ", ".join(f"{name} {span(values)}" for name, values in found.items())
