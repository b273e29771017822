# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which result files a report is made of."""

from __future__ import annotations

import gzip
import itertools
import json
import pathlib
from collections.abc import Iterable, Sequence

from haloheap_results.load import BadInput, load_one, results_of
from haloheap_results.papers import DATA
from haloheap_results.report.conformity import on_device
from haloheap_results.report.model import Run

REFERENCE = DATA / "reference"


def files_of(paths: Iterable[pathlib.Path]) -> list[pathlib.Path]:
    """Of a folder all results.json that are in it, however deep."""
    found: list[pathlib.Path] = []
    for path in paths:
        inside = sorted(path.rglob("*.json")) if path.is_dir() else [path]
        if not inside:
            raise BadInput(f"'{path}' has no results.json in it")
        found += inside
    return found


def runs_of(paths: Iterable[pathlib.Path], first: int = 1) -> list[Run]:
    return [Run(number, str(path), load_one(path)) for number, path in zip(itertools.count(first), files_of(paths))]


def shipped(kind: str) -> list[Run]:
    """Those of the package, of the kind "cpu" or "gpu"."""
    runs = []
    for number, path in enumerate(sorted((REFERENCE / kind).glob("*.json.gz")), 1):
        with gzip.open(path) as file:
            runs.append(Run(number, f"{kind}/{path.name}", results_of(json.load(file), path.name), reference=True))
    return runs


def reference_runs(beside: Sequence[Run]) -> list[Run]:
    """Those of the package for beside these runs, of a GPU if one of these is, but for what is among them itself."""
    own = [run.results.provenance for run in beside]
    kind = "gpu" if any(on_device(run) for run in beside) else "cpu"
    return [run for run in shipped(kind) if run.results.provenance not in own]
