# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables as Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers_from: int = 0) -> str:
    """Columns from `numbers_from` on hold numbers, which stand at their right end."""
    rule = ["---:" if column >= numbers_from else "---" for column in range(len(heads))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, rule, *rows])
