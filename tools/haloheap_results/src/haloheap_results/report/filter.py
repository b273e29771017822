# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Boxes by which a reader chooses claims and figures, by verdict and by paper; report.js hides the others.

A claim has its verdict; figures and tables have those of the claims that their deck decides. Without JavaScript, and on
paper, all are shown.
"""

from __future__ import annotations

import collections
import re
from collections.abc import Iterable, Mapping, Sequence

from haloheap_results.report.html import Html, element, join, text
from haloheap_results.report.model import Finding, Section, Verdict

SHORT = {Verdict.HOLDS: "holds", Verdict.LESS: "less", Verdict.FAILS: "fails", Verdict.OPEN: "open"}
"""Of style sheet and script."""


def paper_of(section: Section) -> str:
    """'[Valen2023]', or what the section is called where it is of none."""
    found = re.match(r"\[\w+\]", section.source)
    return found[0] if found else section.title


def verdicts_by_deck(sections: Iterable[Section], findings: Mapping[str, Finding]) -> dict[str, str]:
    """{deck: 'fails holds'}"""
    found: dict[str, set[str]] = collections.defaultdict(set)
    for claim in (claim for section in sections for claim in section.claims):
        found[claim.deck].add(SHORT[findings[claim.key].verdict])
    return {deck: " ".join(sorted(words)) for deck, words in found.items()}


def controls(sections: Sequence[Section], findings: Mapping[str, Finding]) -> Html:
    """All ticked. Hidden until the script is there that heeds them."""
    counts = collections.Counter(finding.verdict for finding in findings.values())
    verdicts = [box("verdict", SHORT[verdict], f"{verdict.value} ({counts[verdict]})", SHORT[verdict])
                for verdict in Verdict]
    papers = [box("paper", section.key, paper_of(section)) for section in sections]
    return element("form", group("Claims and their figures, by verdict", verdicts),
                   group("By paper", papers),
                   element("p", element("button", text("Show all"), type="reset"), Html(" "),
                           element("span", class_="shown", role="status")),
                   class_="filter", aria_label="Filter", hidden="")


def group(name: str, boxes: Sequence[Html]) -> Html:
    return element("fieldset", element("legend", text(name)), join(boxes))


def box(name: str, value: str, told: str, kind: str | None = None) -> Html:
    return element("label", element("input", type="checkbox", name_=name, value=value, checked=""), Html(" "),
                   element("span", text(told), class_=kind))
