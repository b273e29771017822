# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""results.json as objects. The one place that knows how the file is laid out (docs/reference/results.schema.json)."""

from __future__ import annotations

import collections
import dataclasses
import gzip
import json
import math
import os
import pathlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas

from haloheap_results.labels import LABEL, Label, Labels

FORMAT = "haloheap-results"
FORMAT_VERSION = 1

Settings = dict[str, Any]
"""Keys of a deck with their section ("halo.depth") and their values."""


class BadInput(Exception):
    """A file that is not what was asked for, or has nothing of it. The text names the file and says why."""


@dataclasses.dataclass(frozen=True)
class Work:
    """What was computed."""

    problem: str
    size: tuple[int, ...]
    steps: int
    scalar: str
    quantities: int


@dataclasses.dataclass(frozen=True)
class Wall:
    """Seconds over the repetitions; None where the file has no finite number."""

    median: float | None
    minimum: float | None
    maximum: float | None


@dataclasses.dataclass(frozen=True)
class Point:
    """One combination of deck values and what was measured of it. None: not measured, or not finite."""

    deck: Settings
    swept: Settings
    """The keys that the run varied, with this point's values."""
    work: Work
    ranks: int
    rank_grid: tuple[int, ...]
    exchange: str
    overlap: str
    transport: str
    """These three: empty of problems that exchange no halos."""
    wall: Wall
    gcells_per_s: float | None
    fraction_of_copy: float | None
    exchange_alone: bool
    """Nothing was computed: run.measure was "exchange"."""
    exchange_s: float | None
    bytes_per_exchange: int
    hidden_share: float | None
    speedup: float | None
    phases: dict[str, float] | None
    overlap_terms: dict[str, float]
    figures: dict[str, float | None] | None
    """What a problem measures beside its time, by name."""
    notes: tuple[str, ...]
    verified: bool | None = None
    """Whether its results are right; None where nobody looked."""

    def figure(self, name: str) -> float | None:
        """None where the problem has no such figure, too."""
        return (self.figures or {}).get(name)


@dataclasses.dataclass(frozen=True)
class Results:
    """The points of one file, or of several taken together, and where they were measured."""

    points: list[Point]
    provenance: Mapping[str, Any]
    remarks: tuple[str, ...] = ()
    """What whoever looks at them is to be told."""
    labels: Labels = dataclasses.field(default_factory=dict)
    """Of the files that say what their quantities are called; older ones do not."""

    def machine(self) -> str:
        """'Cuda on 4 x NVIDIA H200, Open MPI 4.1.4, 2026-01-02'"""
        return ", ".join(filter(None, [platform(self.provenance), str(self.provenance.get("start_time", ""))[:10]]))

    def frame(self) -> pandas.DataFrame:
        """One row a point: keys of the deck by their names, numbers by theirs with their section ("figures.tas")."""
        return frame_of(self.points)


# --------------------------------------------------------------------------------------------------- reading


def read_numbers(path: pathlib.Path, told: str, fits: Callable[[pandas.DataFrame], bool]) -> pandas.DataFrame:
    """A table that a run wrote beside its results. `told` says what one is not that does not fit."""
    try:
        rows = pandas.read_csv(path)
        if not fits(rows) or rows.empty or rows.isna().any(axis=None):
            raise BadInput(f"{path}: not {told}")
        return rows.astype(float)
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: {error}") from error


def load(paths: Sequence[str | os.PathLike[str]]) -> Results:
    """The points of all files and the provenance of the first; what differs between files counts as swept."""
    return joined(paths, [load_one(path) for path in paths])


def joined(paths: Sequence[str | os.PathLike[str]], files: Sequence[Results]) -> Results:
    """What was read of each of the paths, as of one file."""
    first, *others = files
    if not others:
        return first
    remarks = [text for results in (first, *others) for text in results.remarks]
    for path, results in zip(paths[1:], others):
        if platform(results.provenance) != platform(first.provenance):
            remarks.append(f"the figures name the machine of '{paths[0]}' only; '{path}' is of {results.machine()}")
    points = [point for results in (first, *others) for point in results.points]
    values = collections.defaultdict(set)
    for point in points:
        for key, value in what_counts(point.deck).items():
            values[key].add(json.dumps(value))
    differing = {key for key, found in values.items() if len(found) > 1}
    points = [dataclasses.replace(point, swept={**point.swept, **{key: value for key, value in point.deck.items()
                                                                  if key in differing}}) for point in points]
    return Results(points, first.provenance, tuple(remarks), joined_labels([first, *others]))


def load_labelled(files: Sequence[tuple[str, str | os.PathLike[str]]]) -> Results:
    """As load. Each file has a label, which counts as a key of its decks that differs; all are empty, or none is."""
    paths = [path for _, path in files]
    if not any(label for label, _ in files):
        return load(paths)
    bare = next((path for label, path in files if not label), None)
    if bare is not None:
        raise BadInput(f"'{bare}' has no label, and others have: give all files one, or none")
    return joined(paths, [labelled(load_one(path), label) for label, path in files])


def labelled(results: Results, label: str) -> Results:
    own = {LABEL: label}
    return dataclasses.replace(results, points=[
        dataclasses.replace(point, deck={**own, **point.deck}, swept={**own, **point.swept})
        for point in results.points])


def only(results: Results, wanted: Mapping[str, Sequence[Any]]) -> Results:
    """The points that have one of these values of each of these keys of the deck."""
    for key in wanted:
        if not any(key in point.deck for point in results.points):
            raise BadInput(f"no deck of these results has the key '{key}'")
    points = [point for point in results.points
              if all(point.deck.get(key) in values for key, values in wanted.items())]
    if not points:
        raise BadInput(f"no point has {', '.join(f'{key} = {list(values)}' for key, values in wanted.items())}")
    return dataclasses.replace(results, points=points)


def load_one(path: str | os.PathLike[str]) -> Results:
    """Of a file whose name ends with .gz what gzip makes of it."""
    try:
        with gzip.open(path) if os.fspath(path).endswith(".gz") else open(path, "rb") as file:
            document = json.load(file)
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot read '{path}': {error}") from error
    return results_of(document, path)


def results_of(document: Any, path: str | os.PathLike[str] = "results.json") -> Results:
    """What a parsed file says, checked as far as it is read here; `path` is what errors call it."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadInput(f"'{path}' is not a results.json of haloheap: no \"format\": \"{FORMAT}\"")
    if document.get("format_version") != FORMAT_VERSION:
        raise BadInput(f"'{path}' has format version {document.get('format_version')}; this program reads version "
                       f"{FORMAT_VERSION}")
    listed = document.get("points")
    if not isinstance(listed, list) or not listed:
        raise BadInput(f"'{path}' has no points: the run did not finish one")
    points = []
    for number, point in enumerate(listed):
        try:
            points.append(point_of(point))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise BadInput(f"'{path}', point {number}: missing or malformed: {error}") from error
    if not isinstance(document.get("provenance"), dict):
        raise BadInput(f"'{path}' has no provenance")
    completion = document.get("completion", {})  # older files, which were written at the end, have none
    remarks: tuple[str, ...] = ()
    if completion.get("complete") is False:
        remarks = (f"'{path}' is not complete: {len(points)} of {completion.get('planned_points')} points",)
    try:
        labels = labels_of(document.get("quantities", {}))
    except (KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"'{path}', quantities: missing or malformed: {error}") from error
    return Results(points, document["provenance"], remarks, labels)


def labels_of(quantities: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Labels:
    return {problem: {place: Label(str(said["title"]), str(said.get("unit", "")), str(said.get("description", "")))
                      for place, said in places.items()} for problem, places in quantities.items()}


def joined_labels(files: Sequence[Results]) -> Labels:
    """Of a quantity those of the first file that has some."""
    joined: dict[str, dict[str, Label]] = {}
    for results in reversed(files):
        for problem, places in results.labels.items():
            joined.setdefault(problem, {}).update(places)
    return joined


def number(value: Any) -> float | None:
    """The value if it is a finite number; truth values are none."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return value
    return None


def numbers(section: Mapping[str, Any] | None) -> dict[str, float]:
    """Those of a section that are finite."""
    return {key: found for key, value in (section or {}).items() if (found := number(value)) is not None}


def point_of(point: dict[str, Any]) -> Point:
    wall, path, figures = point["wall_s"], point.get("path"), point.get("figures")
    work = Work(str(point["work"]["problem"]), tuple(point["work"]["size"]), int(point["work"]["steps"]),
                str(point["work"]["scalar"]), int(point["work"].get("quantities", 1)))
    return Point(
        deck=dict(point["deck"].items()), swept=dict(point["swept"].items()), work=work,
        ranks=int(point["ranks"]), rank_grid=tuple(point["rank_grid"]),
        exchange="" if path is None else str(path["exchange"]), overlap="" if path is None else str(path["overlap"]),
        transport="" if path is None else str(path["transport"]),
        wall=Wall(number(wall["median"]), number(wall.get("minimum")), number(wall.get("maximum"))),
        gcells_per_s=number(point.get("gcells_per_s")), fraction_of_copy=number(point.get("fraction_of_copy")),
        exchange_alone="exchange_s" in point, exchange_s=number(point.get("exchange_s")),
        bytes_per_exchange=int(point.get("bytes_per_exchange", 0)), hidden_share=number(point.get("hidden_share")),
        speedup=number(point.get("speedup")),
        phases=None if point.get("phases") is None else numbers(point["phases"]),
        overlap_terms=numbers(point.get("overlap_terms")),
        figures=None if figures is None else {name: number(value) for name, value in figures.items()},
        notes=tuple(point.get("notes") or ()), verified=(point.get("verification") or {}).get("passed"),
    )


# ----------------------------------------------------------------------------------------------- what is read


def what_counts(deck: Settings, *apart_from: str) -> Settings:
    """Without these keys and those that say where results go."""
    return {key: value for key, value in deck.items() if key not in apart_from and not key.startswith("output.")}


def platform(provenance: Mapping[str, Any]) -> str:
    """'Cuda on 4 x NVIDIA H200, Open MPI 4.1.4'"""
    # The name is enough here; number, memory and driver of each device stand in results.json.
    names = (re.sub(r"^\w+ device \d+: ", "", device).split(",")[0] for device in provenance.get("devices", []))
    counts = collections.Counter(names)
    devices = ", ".join(f"{count} x {name}" if count > 1 else name for name, count in counts.items())
    space = str(provenance.get("execution_space") or "")
    parts = [f"{space} on {devices}" if devices else space, str(provenance.get("mpi_library", "")).split(",")[0][:40]]
    return ", ".join(part for part in parts if part)


def frame_of(points: Iterable[Point]) -> pandas.DataFrame:
    """As Results.frame; of points of one problem, whole numbers stay whole: a point without a key makes them floats."""
    return pandas.DataFrame([row_of(point) for point in points])


def row_of(point: Point) -> Settings:
    row: Settings = {**point.deck, "work.problem": point.work.problem, "ranks": point.ranks,
                     "path.exchange": point.exchange, "path.overlap": point.overlap,
                     "path.transport": point.transport}
    sections: Iterable[tuple[str, Mapping[str, float | None] | None]] = (
        ("wall_s", dataclasses.asdict(point.wall)), ("phases", point.phases), ("overlap_terms", point.overlap_terms),
        ("figures", point.figures))
    for name, section in sections:
        row.update((f"{name}.{key}", value) for key, value in (section or {}).items())
    for name in ("gcells_per_s", "fraction_of_copy", "exchange_s", "bytes_per_exchange", "hidden_share", "speedup"):
        row[name] = getattr(point, name)
    return row
