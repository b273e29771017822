# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The report as one HTML file that asks no network for anything, which its content security policy enforces."""

from __future__ import annotations

import collections
import dataclasses
import functools
import importlib.util
import json
import pathlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

from haloheap_results.report import charts as drawing
from haloheap_results.report.charts import Chart, drawable
from haloheap_results.report.conformity import (FEW, QUIET, Stamp, command_of, deck_of, disturbed, facts, is_host,
                                                 own_first, quiet, stamp)
from haloheap_results.report.decks import DECKS
from haloheap_results.report.filter import SHORT, controls, verdicts_by_deck
from haloheap_results.report.html import Html, element, join, link, table, text
from haloheap_results.report.model import (NOTHING, Answer, Claim, Exhibit, Finding, Listing, Question, Run, Section,
                                           Verdict)
from haloheap_results.report.numbers import times
from haloheap_results.report.questions import QUESTIONS
from haloheap_results.report.sections import SECTIONS
from haloheap_results.report.verdicts import TOLD
from haloheap_results.tables.markdown import Grid

ASSETS = pathlib.Path(__file__).resolve().parent / "assets"
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
WIDE_FROM = 3  # panels
BUSY = "The repetitions of this run are far apart: measure again on a quiet machine."
KEYS = ("Charts: point at a value to read it, drag to zoom, click a name in the legend to hide or show it. By "
        "keyboard: Tab to a chart, arrow keys go from value to value and from series to series, + and - zoom, 0 "
        "shows all, 1 to 9 hide or show a series, Escape ends reading. The boxes below choose claims and figures, by "
        "keyboard with Tab and Space; in print all are there.")


def limit_of(repetitions: int) -> str:
    return f"{100 * quiet(repetitions):.0f} % of {repetitions}"


CONFORMING = (
    "A run conforms if it has three repetitions or more, all results verified and right, an optimised build of "
    f"committed sources, real devices and links, repetitions that agree within {100 * QUIET:.0f} % (more than {FEW} "
    f"are further apart on a quiet machine, too: {', '.join(map(limit_of, (10, 100, 1000)))}), a machine that others "
    "left alone, and clocks that do not change. What its file does not record is named.")


class PlotlyMissing(ImportError):
    """The browser's part of the package plotly is not there."""


def plotly_script() -> str:
    found = importlib.util.find_spec("plotly")
    for folder in found.submodule_search_locations or () if found else ():
        path = pathlib.Path(folder) / "package_data" / "plotly.min.js"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise PlotlyMissing("no package plotly with its plotly.min.js here (Debian's has none): pip install plotly")


class Page:
    """Collects the charts while the page is written: each is drawn by its number."""

    def __init__(self, runs: Sequence[Run], reference: Sequence[Run]) -> None:
        self.runs, self.reference = runs, reference
        self.charts: list[dict[str, Any]] = []

    # ------------------------------------------------------------------------------------------------ first screen

    @functools.cached_property
    def machines(self) -> collections.Counter[str]:
        """By how many runs are of each."""
        return collections.Counter(map(short_machine, self.runs))

    @functools.cached_property
    def machine(self) -> str:
        """That of most runs, and of several alike the first."""
        return max(self.machines, key=lambda name: self.machines[name])

    def first_screen(self) -> Html:
        others = "; ".join(f"{name} ({count} of {len(self.runs)})" for name, count in self.machines.items()
                           if name != self.machine)
        return join([
            element("header", element("h1", text("haloheap: five questions to this machine")),
                    element("p", *machine_of(next(run for run in self.runs if short_machine(run) == self.machine))),
                    element("p", text(f"Some of the runs are of other machines: {others}."), class_="quiet small")
                    if others else Html(""),
                    element("p", *stamps(self.runs), class_="small")),
            element("ol", *(self.question(question) for question in QUESTIONS), class_="answers",
                    aria_label="The five questions"),
            element("nav", element("ul", *(element("li", link(section.key, section.title)) for section in SECTIONS),
                                   element("li", link("provenance", "Where the numbers come from"))),
                    aria_label="Sections"),
            element("p", text(TOLD), class_="quiet small"), element("p", text(KEYS), class_="keys quiet small"),
            controls(SECTIONS, self.findings()),
        ])

    def question(self, question: Question) -> Html:
        run, answer = first_answer(question, self.runs)
        _, other = first_answer(question, self.reference)
        parts = [element("h2", text(question.text))]
        if answer is None or run is None:
            parts += [element("p", text("not measured"), class_="choice"),
                      element("p", text("run "), element("code", text(DECKS[question.deck].command())),
                              class_="sentence")]
        else:
            parts.append(element("p", text(answer.choice), class_="choice"))
            if answer.factor is not None:
                parts.append(element("p", text(f"{times(answer.factor)} × "), element("small", text("as fast")),
                                     class_="factor"))
            other_machine = f" Measured on {short_machine(run)}." if short_machine(run) != self.machine else ""
            parts.append(element("p", text(answer.sentence + other_machine + (f" {BUSY}" if disturbed(run) else "")),
                                 class_="sentence"))
        if other is not None:
            factor = f", {times(other.factor)} ×" if other.factor is not None else ""
            parts.append(element("p", text(f"Reference, {short_machine(self.reference[0])}: {other.choice}{factor}"),
                                 class_="reference"))
        if answer is not None or other is not None:
            exhibit = (answer.exhibit if answer else "") or question.exhibit
            parts.append(element("p", link(exhibit, "the evidence"), class_="evidence"))
        return element("li", *parts, class_="answer")

    # ---------------------------------------------------------------------------------------------------- sections

    def section(self, section: Section) -> Html:
        parts = [element("h2", text(section.title))]
        if section.source:
            parts.append(element("p", text(section.source), class_="quiet small"))
        parts.append(element("p", text(section.summary)))
        if section.claims:
            parts.append(self.claims(section.claims))
        parts += [self.exhibit(exhibit) for exhibit in section.exhibits]
        parts += [self.listing(listing) for listing in section.listings]
        return element("section", *parts, id=section.key, data_paper=section.key)

    @functools.cached_property
    def found(self) -> dict[str, tuple[Run | None, Finding]]:
        """By the claim's key."""
        return {claim.key: first_finding(claim, self.runs) for section in SECTIONS for claim in section.claims}

    @functools.cached_property
    def verdicts(self) -> dict[str, str]:
        """Those of the claims of a deck: by them its figures and tables can be chosen."""
        return verdicts_by_deck(SECTIONS, self.findings())

    def findings(self) -> dict[str, Finding]:
        return {key: finding for key, (_, finding) in self.found.items()}

    def claims(self, claims: Sequence[Claim]) -> Html:
        heads = ["what the paper says", "here", "why", *(["reference"] if self.reference else [])]
        rows, marks = [], []
        for claim in claims:
            run, finding = self.found[claim.key]
            row = [text(claim.text), verdict(finding), self.why(claim, run, finding)]
            if self.reference:
                other_run, other = first_finding(claim, self.reference)
                row.append(join([verdict(other), *([element("details", element("summary", text("why")),
                                                            self.why(claim, other_run, other))] if other_run else [])]))
            rows.append(row)
            marks.append({"id": claim.anchor, "data_verdict": SHORT[finding.verdict]})
        return element("div", table(heads, rows, len(heads), "claims", marks), class_="scroll")

    def why(self, claim: Claim, run: Run | None, finding: Finding) -> Html:
        if run is None:
            return join([text("run "), element("code", text(claim.how()))])
        host = f"; {claim.on_host}" if claim.on_host and is_host(run) else ""
        busy = ", repetitions far apart)" if disturbed(run) else ")"
        reason = claim.explained(finding, is_host(run))
        return join([text(f"{finding.text}{host} ("), link(run.key, run.name), text(busy),
                     *([element("p", text(f"Explained so far: {reason}"), class_="because")] if reason else [])])

    def exhibit(self, exhibit: Exhibit) -> Html:
        every = own_first([*self.runs, *self.reference], exhibit.deck)
        published = [chart for chart in exhibit.published(every) if drawable(chart)]
        own, other = (drawn_of(exhibit, runs) for runs in (self.runs, self.reference))
        cards = [self.card("paper", chart, None) for chart in published]
        wide = any(len(chart.panels) >= WIDE_FROM for chart in [*published, *(chart for _, chart in [*own, *other])])
        if exhibit.unpublished:
            cards.append(element("p", text(exhibit.unpublished), class_="missing wide"))
        cards += [self.card("here", chart, run) for run, chart in own]
        if not own:
            cards.append(element("div", element("strong", text("Not measured here. ")), text("Run "),
                                 element("code", text(DECKS[exhibit.deck].command())),
                                 class_="missing wide" if wide else "missing"))
        cards += [self.card("reference", chart, run) for run, chart in other]
        return element("div", element("h3", text(exhibit.title)), element("div", *cards, class_="pair"), id=exhibit.key,
                       data_verdicts=self.verdicts.get(exhibit.deck, ""))

    def listing(self, listing: Listing) -> Html:
        """Each of its tables closed, since some have a hundred rows."""
        found = listing.listed(own_first([*self.runs, *self.reference], listing.deck))
        parts = [listed(grid, run) for grid, run in found]
        if not any(run for _, run in found):
            parts.append(element("div", element("strong", text("Not measured here. ")), text("Run "),
                                 element("code", text(DECKS[listing.deck].command())), class_="missing"))
        return element("div", element("h3", text(listing.title)), *parts, id=listing.key,
                       data_verdicts=self.verdicts.get(listing.deck, ""))

    def card(self, tag: str, chart: Chart, run: Run | None) -> Html:
        name = ", ".join([tag, *([short_machine(run) if run.reference else run.name] if run else [])])
        caption = element("figcaption", element("span", text(name), class_="tag"), text(chart.title))
        wide = "wide" if len(chart.panels) >= WIDE_FROM else ""
        return element("figure", caption, self.plot(chart), told(chart), as_table(chart), source_of(run),
                       class_=f"chart {wide}".strip())

    def plot(self, chart: Chart) -> Html:
        self.charts.append(drawing.figure(chart))
        names = ", ".join(chart.series_names())
        label = f"Chart: {chart.title}. {chart.y} against {chart.x}: {names}. Its table is below."
        return join([element("div", class_="plot", tabindex=0, role="application", aria_label=label,
                             data_chart=len(self.charts) - 1),
                     element("div", class_="notes", aria_live="polite")])

    # -------------------------------------------------------------------------------------------------- provenance

    def provenance(self) -> Html:
        every = [*self.runs, *self.reference]
        return element("section", element("h2", text("Where the numbers come from")),
                       element("p", text(CONFORMING)),
                       *(provenance_of(run) for run in every), id="provenance")


def stamps(runs: Sequence[Run]) -> Iterator[Html]:
    """How many of them conform."""
    found = [stamp(run) for run in runs]
    bad = sum(bool(one.reasons) for one in found)
    words = f"{bad} of {len(found)} runs do not conform" if bad else f"all runs: {found[0].text()}"
    yield element("span", text(words), class_=f"stamp {'bad' if bad else 'good'}")
    yield Html(" ")
    yield link("provenance", "why, and where each number comes from")


def provenance_of(run: Run) -> Html:
    found = stamp(run)
    rows = [[text(what), element("code", text(value)) if what == "command" else text(value)]
            for what, value in facts(run)]
    return element("article", element("h3", text(f"{run.name}: {deck_of(run)} "), badge(found)), reasons_of(found),
                   element("details", element("summary", text("all that the file says of itself")),
                           element("div", table(["", ""], rows, 2, "facts"), class_="scroll")), id=run.key)


def badge(found: Stamp) -> Html:
    return element("span", text(found.text()), class_=f"stamp {'bad' if found.reasons else 'good'}")


def reasons_of(found: Stamp) -> Html:
    parts = []
    if found.reasons:
        parts.append(element("ul", *(element("li", text(reason)) for reason in found.reasons), class_="small"))
    if found.unknown:
        parts.append(element("p", text(f"Not recorded: {', '.join(found.unknown)}."), class_="quiet small"))
    return join(parts)


def machine_of(run: Run) -> Iterator[Html]:
    provenance = run.results.provenance
    devices = list(dict.fromkeys(map(str, provenance.get("devices", []))))
    yield element("strong", text("; ".join(devices) or "devices not recorded"))
    hosts = len(set(provenance.get("hosts", [])))
    yield text(f". {provenance.get('execution_space') or 'backend not recorded'}; "
               f"{provenance.get('mpi_library') or 'MPI not recorded'}; {hosts} host{'s' if hosts != 1 else ''}; "
               f"{str(provenance.get('start_time', ''))[:10] or 'date not recorded'}; commit "
               f"{provenance.get('git_revision') or 'not recorded'}.")


def short_machine(run: Run) -> str:
    """The devices of its ranks, without their numbers: '2 × A, B'."""
    devices = dict.fromkeys(str(device).split(",")[0] for device in run.results.provenance.get("devices", []))
    names = collections.Counter(re.sub(r"^(CUDA device \d+( of \d+)?: |emulated device on )", "", device)
                                for device in devices)
    return ", ".join(f"{count} × {name}" if count > 1 else name for name, count in names.items()) or "another machine"


def first_answer(question: Question, runs: Sequence[Run]) -> tuple[Run | None, Answer | None]:
    """Of the run of its deck, unless another one answers better."""
    found = [(run, answer) for run in own_first(runs, question.deck) if (answer := question.answer(run.points))]
    return min(found, key=lambda pair: pair[1].rank) if found else (None, None)


def first_finding(claim: Claim, runs: Sequence[Run]) -> tuple[Run | None, Finding]:
    """Of the first run that decides it, or else of the first that says why it cannot."""
    if claim.together:
        return claim.together(runs) or (None, NOTHING)
    found = [(run, finding) for run in own_first(runs, claim.deck) if (finding := claim.judge(run.points)).text]
    decided = [pair for pair in found if pair[1].verdict is not Verdict.OPEN]
    return next(iter(decided or found), (None, NOTHING))


def drawn_of(exhibit: Exhibit, runs: Sequence[Run]) -> list[tuple[Run, Chart]]:
    found = [[(run, chart) for chart in exhibit.drawn(run) if drawable(chart)]
             for run in own_first(runs, exhibit.deck)]
    full = [charts for charts in found if charts]
    return [pair for charts in (full[:1] if exhibit.once else full) for pair in charts]


def verdict(finding: Finding) -> Html:
    return element("span", text(finding.verdict.value), class_=SHORT[finding.verdict])


def told(chart: Chart) -> Html:
    lines = [line for line in (chart.origin, *chart.notes) if line]
    return element("p", text("; ".join(lines)), class_="notes") if lines else Html("")


def listed(grid: Grid, run: Run | None) -> Html:
    rows = [[text(cell) for cell in row] for row in grid.rows]
    note = [element("p", text(grid.note), class_="notes")] if grid.note else []
    of = f" ({run.name})" if run else ""
    return element("details", element("summary", text(f"{grid.title}{of}")),
                   element("div", table(grid.heads, rows, grid.numbers_from), class_="scroll"), *note, source_of(run))


def as_table(chart: Chart) -> Html:
    found = drawing.table(chart)
    first = 1 + any(panel.title for panel in chart.panels)
    rows = [[text(cell) for cell in row] for row in found.rows]
    return element("details", element("summary", text("Table")),
                   element("div", table(found.heads, rows, first), class_="scroll"))


def source_of(run: Run | None) -> Html:
    if run is None:
        return Html("")
    deck, date = deck_of(run), str(run.results.provenance.get("start_time", ""))[:10]
    return element("p", text(f"{deck}, {date or 'date not recorded'}, {stamp(run).text()}: "), link(run.key, run.name),
                   text(". "), element("code", text(command_of(run))), class_="source")


# ------------------------------------------------------------------------------------------------------ the file


@dataclasses.dataclass(frozen=True)
class Parts:
    title: str
    body: Html
    charts: Sequence[dict[str, Any]]


def write(path: pathlib.Path, parts: Parts) -> None:
    # "</script>" in a text would end the script that holds it.
    data = json.dumps(parts.charts, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    document = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{text(parts.title)}</title>
<style>
{asset("report.css")}</style>
</head>
<body>
<main>
{parts.body}</main>
<noscript><p>The charts need JavaScript; their tables do not.</p></noscript>
<script type="application/json" id="charts">{data}</script>
<script>
{plotly_script()}
</script>
<script>
{asset("report.js")}</script>
</body>
</html>
"""
    path.write_text(document, encoding="utf-8")


def asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def report(runs: Sequence[Run], reference: Sequence[Run]) -> Parts:
    page = Page(runs, reference)
    body = join([page.first_screen(), *(page.section(section) for section in SECTIONS), page.provenance()])
    return Parts(f"haloheap: {runs[0].results.machine()}", body, page.charts)
