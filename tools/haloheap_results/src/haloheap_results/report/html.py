# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Elements of HTML as text: what comes from a file is escaped here and nowhere else."""

from __future__ import annotations

import html
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import NewType

INLINE = {"a", "button", "code", "label", "small", "span", "strong"}
VOID = {"input"}

Html = NewType("Html", str)
"""Markup, safe to put into a page."""


def text(value: object) -> Html:
    return Html(html.escape(str(value)))


def join(parts: Iterable[Html]) -> Html:
    return Html("".join(parts))


def element(name: str, *content: Html, **attributes: str | int | None) -> Html:
    """`class_` is class; attributes that are None are left out, underscores become hyphens."""
    told = "".join(f' {key.rstrip("_").replace("_", "-")}="{html.escape(str(value))}"'
                   for key, value in attributes.items() if value is not None)
    if name in VOID:
        return Html(f"<{name}{told}>")
    return Html(f"<{name}{told}>{''.join(content)}</{name}>" + ("" if name in INLINE else "\n"))


def table(heads: Sequence[str], rows: Sequence[Sequence[Html]], numbers_from: int, kind: str | None = None,
          marks: Sequence[Mapping[str, str]] = ()) -> Html:
    """Columns from `numbers_from` on hold numbers; `marks`: attributes of the rows."""
    head = element("tr", *(element("th", text(name), scope="col") for name in heads))
    body = (element("tr", *(element("td", cell, class_="number" if column >= numbers_from else None,
                                    data_head=heads[column])
                            for column, cell in enumerate(row)), **(mark or {}))
            for row, mark in itertools.zip_longest(rows, marks[: len(rows)]))
    return element("table", element("thead", head), element("tbody", *body), class_=kind)


def link(target: str, content: str) -> Html:
    return element("a", text(content), href=f"#{target}")
