# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which result files a report is made of."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterable, Sequence

from haloheap_results.load import BadInput, load_one
from haloheap_results.papers import DATA
from haloheap_results.report.conformity import in_order, on_device
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


def runs_of(paths: Iterable[pathlib.Path]) -> list[Run]:
    return numbered(Run(0, str(path), load_one(path)) for path in files_of(paths))


def numbered(runs: Iterable[Run]) -> list[Run]:
    """From 1 on, in the order of the decks."""
    return [dataclasses.replace(run, number=number) for number, run in enumerate(in_order(runs), 1)]


def shipped(kind: str) -> list[Run]:
    """Those of the package, of the kind "cpu" or "gpu"."""
    return numbered(Run(0, f"{kind}/{path.name}", load_one(path), reference=True)
                    for path in sorted((REFERENCE / kind).glob("*.json.gz")))


def reference_runs(beside: Sequence[Run]) -> list[Run]:
    """Those of the package for beside these runs, of a GPU if one of these is, but for what is among them itself."""
    own = [run.results.provenance for run in beside]
    kind = "gpu" if any(on_device(run) for run in beside) else "cpu"
    return [run for run in shipped(kind) if run.results.provenance not in own]
