# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables as Markdown."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence


@dataclasses.dataclass(frozen=True)
class Grid:
    """A table before it is Markdown or HTML. Columns from `numbers_from` on hold numbers."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    numbers_from: int = 0

    def markdown(self) -> str:
        parts = [f"### {self.title}", table(self.heads, self.rows, self.numbers_from), self.note]
        return "\n\n".join(filter(None, parts)) + "\n"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers_from: int = 0) -> str:
    """Columns from `numbers_from` on hold numbers, which stand at their right end."""
    rule = ["---:" if column >= numbers_from else "---" for column in range(len(heads))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, rule, *rows])
