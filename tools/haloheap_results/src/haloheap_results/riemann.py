# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The Riemann problem of an ideal gas ([Toro2009], chapter 4): what two constant states make that meet at x = 0."""

from __future__ import annotations

import dataclasses

import numpy

from haloheap_results.vtk import Array


@dataclasses.dataclass(frozen=True)
class State:
    density: float
    velocity: float
    pressure: float

    def sound(self, gamma: float) -> float:
        return float(numpy.sqrt(gamma * self.pressure / self.density))

    def mirrored(self) -> State:
        return State(self.density, -self.velocity, self.pressure)


SOD = State(1, 0, 1), State(0.125, 0, 0.1)
"""Left and right of the membrane of [Sod1978]."""


def change(gamma: float, outer: State, pressure: float) -> float:
    """Of the velocity, across the wave beside a state that has this pressure behind it."""
    if pressure > outer.pressure:  # a shock
        a, b = 2 / (gamma + 1) / outer.density, (gamma - 1) / (gamma + 1) * outer.pressure
        return float((pressure - outer.pressure) * numpy.sqrt(a / (pressure + b)))
    power = (pressure / outer.pressure) ** ((gamma - 1) / (2 * gamma))  # a rarefaction
    return float(2 * outer.sound(gamma) / (gamma - 1) * (power - 1))


def middle(gamma: float, left: State, right: State) -> tuple[float, float]:
    """Pressure and velocity between the two waves, the pressure by bisection. The states leave no vacuum between
    them."""
    def excess(pressure: float) -> float:
        return (change(gamma, left, pressure) + change(gamma, right, pressure) + right.velocity - left.velocity)

    low, high = 0.0, max(left.pressure, right.pressure)
    while excess(high) < 0:
        high *= 2
    while low < (pressure := (low + high) / 2) < high:
        low, high = (pressure, high) if excess(pressure) < 0 else (low, pressure)
    velocity = (left.velocity + right.velocity + change(gamma, right, pressure) - change(gamma, left, pressure)) / 2
    return pressure, velocity


def beside(gamma: float, outer: State, pressure: float, speeds: Array) -> Array:
    """Density, velocity and pressure left of the contact, by x / t."""
    ratio, g, c = pressure / outer.pressure, (gamma - 1) / (gamma + 1), outer.sound(gamma)
    velocity = outer.velocity - change(gamma, outer, pressure)
    still = numpy.array([outer.density, outer.velocity, outer.pressure])[:, None]
    if ratio > 1:
        shock = outer.velocity - c * numpy.sqrt((gamma + 1) / (2 * gamma) * ratio + (gamma - 1) / (2 * gamma))
        behind = numpy.array([outer.density * (ratio + g) / (g * ratio + 1), velocity, pressure])[:, None]
        return numpy.where(speeds < shock, still, behind)
    behind = numpy.array([outer.density * ratio ** (1 / gamma), velocity, pressure])[:, None]
    # Where it is not that of the fan it is not used, and may be anything.
    here = numpy.maximum(2 / (gamma + 1) + g / c * (outer.velocity - speeds), 0)
    fan = numpy.array([outer.density * here ** (2 / (gamma - 1)),
                       2 / (gamma + 1) * (c + (gamma - 1) / 2 * outer.velocity + speeds),
                       outer.pressure * here ** (2 * gamma / (gamma - 1))])
    tail = velocity - c * ratio ** ((gamma - 1) / (2 * gamma))
    return numpy.where(speeds < outer.velocity - c, still, numpy.where(speeds > tail, behind, fan))


def solution(gamma: float, left: State, right: State, speeds: Array) -> Array:
    """Density, velocity and pressure, a row each, for each x / t."""
    pressure, velocity = middle(gamma, left, right)
    mirror = numpy.array([1, -1, 1])[:, None]
    return numpy.where(speeds <= velocity, beside(gamma, left, pressure, speeds),
                       mirror * beside(gamma, right.mirrored(), pressure, -speeds))
