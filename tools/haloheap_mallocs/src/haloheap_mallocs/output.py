# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Text for people, JSON for programs, SARIF for editors and servers."""

from __future__ import annotations

import os
from typing import Any

from haloheap_mallocs import __version__
from haloheap_mallocs.advice import Advice, advice_for
from haloheap_mallocs.cursors import Place
from haloheap_mallocs.sites import Control, Site, Who, who_of
from haloheap_mallocs.values import Level

SAME_FOR = {Level.GRID: "the same for all threads", Level.BLOCK: "the same for the threads of a block",
            Level.WARP: "the same for the threads of a warp", Level.THREAD: "differs from thread to thread"}


def size_of(site: Site) -> str:
    if site.bytes is not None:
        return f"{site.bytes} bytes, always"
    limit = f", at most {site.largest} bytes" if site.largest is not None else ""
    return f"{site.size_text} bytes, {SAME_FOR[site.size_level]}{limit}"


def fate_of(site: Site) -> str:
    parts = []
    if site.escapes:
        place, how = min(site.escapes.items())
        parts.append(f"outlives its thread: {how} ({where(place, site)})")
    elif site.is_shared:
        parts.append("known to the threads of its block")
    else:
        parts.append("stays with its thread")
    if site.freed:
        parts.append("given back at " + ", ".join(where(place, site) for place in sorted(site.freed)))
    elif site.escapes:
        parts.append("not given back in these kernels")
    else:
        parts.append("never given back: lost with each call")
    return "; ".join(parts)


def where(place: Place, site: Site) -> str:
    return f"line {place.line}" if place.file == site.place.file else name_of(place)


def entries_of(site: Site) -> str:
    if not site.is_known:
        return f"in {site.function}(), which no kernel of these files calls"
    through = f", through {site.function}()" if any(visit.calls for visit in site.visits) else ""
    return f"in kernel {', '.join(site.entries)}{through}"


def conditions_of(control: Control) -> str:
    return "; ".join(f"{condition.text} (line {condition.place.line})" for condition in control)


def who_lines(site: Site) -> list[str]:
    """One for all ways to the place, or one for each where they differ."""
    ways: dict[tuple[Who, str], list[str]] = {}
    for visit in site.visits:
        call = f"called at line {visit.calls[-1].line}" if visit.calls else f"in {visit.entry}"
        ways.setdefault((who_of(visit.control), conditions_of(visit.control)), []).append(call)
    lines = []
    for (who, conditions), calls in ways.items():
        line = f"  who      {who.sentence}" + (f": {conditions}" if conditions else "")
        line += ", in a loop" if site.is_repeated else ""
        lines.append(line + (f", {', '.join(dict.fromkeys(calls))}" if len(ways) > 1 else ""))
    return lines


def text_of_site(site: Site) -> str:
    lines = [f"{name_of(site.place)}: {site.text}", f"  {entries_of(site)}", *who_lines(site)]
    lines += [f"  size     {size_of(site)}", f"  block    {fate_of(site)}", f"  advice   {advice_for(site).sentence}"]
    return "\n".join(lines)


def name_of(place: Place) -> str:
    return f"{os.path.relpath(place.file)}:{place.line}"


def as_text(sites: list[Site]) -> str:
    if not sites:
        return "no allocation in device code"
    return "\n\n".join(text_of_site(site) for site in sites)


def as_json(sites: list[Site]) -> list[dict[str, Any]]:
    return [{
        "file": os.path.relpath(site.place.file), "line": site.place.line,
        "call": site.text, "function": site.function, "kernels": site.entries if site.is_known else [],
        "who": site.who.value, "repeated": site.is_repeated,
        "ways": [{"kernel": visit.entry, "calls": [place.line for place in visit.calls],
                  "who": who_of(visit.control).value} for visit in site.visits],
        "conditions": [{"text": condition.text, "line": condition.place.line, "alike": condition.level.name.lower(),
                        "kind": condition.kind.value} for condition in site.conditions],
        "size": {"text": site.size_text, "same_for": site.size_level.name.lower(), "bytes": site.bytes,
                 "most": site.largest},
        "escapes": [{"line": place.line, "how": how} for place, how in sorted(site.escapes.items())],
        "shared_with_block": site.is_shared, "freed": [place.line for place in sorted(site.freed)],
        "advice": advice_for(site).value,
    } for site in sites]


def as_sarif(sites: list[Site]) -> dict[str, Any]:
    """SARIF 2.1.0."""
    rules = [{"id": f"allocation-{advice.value}", "shortDescription": {"text": advice.sentence}} for advice in Advice]
    results = [{
        "ruleId": f"allocation-{advice_for(site).value}",
        "level": "note" if advice_for(site) is Advice.EACH else "warning",
        "message": {"text": f"{site.text}: {site.who.sentence}; {size_of(site)}; {fate_of(site)}. "
                            f"Use {advice_for(site).sentence}."},
        "locations": [location(site.place)],
        "relatedLocations": [location(place, how) for place, how in sorted(site.escapes.items())],
    } for site in sites]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
        "runs": [{"tool": {"driver": {"name": "haloheap-mallocs", "version": __version__, "rules": rules}},
                  "results": results}],
    }


def location(place: Place, text: str = "") -> dict[str, Any]:
    result: dict[str, Any] = {"physicalLocation": {
        "artifactLocation": {"uri": os.path.relpath(place.file).replace(os.sep, "/")},
        "region": {"startLine": place.line}}}
    if text:
        result["message"] = {"text": text}
    return result
