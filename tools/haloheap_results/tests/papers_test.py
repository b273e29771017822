#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""docs/papers.md beside the report: a claim has one verdict, that of the results that ship with the package."""

import collections
import re
import unittest

import support
from haloheap_results.report import page
from haloheap_results.report.inputs import shipped
from haloheap_results.report.model import Verdict
from haloheap_results.report.sections import SECTIONS
from support import ROOT

STATES = {Verdict.HOLDS: "confirmed", Verdict.LESS: "partly", Verdict.FAILS: "contradicted", Verdict.OPEN: "measured"}
CLAIMS = {claim.key: claim for section in SECTIONS for claim in section.claims}


def rows_with_claims(last=False):
    """[(what, state, keys of claims)]; of the last section an explanation stands where the state does."""
    found = []
    states, explanations = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8").split("## What contradicts a paper")
    for line in (explanations if last else states).splitlines():
        keys = re.findall(r"`#claim-([\w-]+)`", line)
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if keys and keys != ["key"]:
            found.append((cells[0], cells[1], keys))
    return found


def rows():
    """[(line, cells)] of the tables of papers; in place of "the same" stands what the row before has."""
    found, before = [], ""
    states = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8").split("## What contradicts a paper")[0]
    for line in states.partition("\n## [")[2].splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 4 and cells[0] not in ("what", "---"):
            before = cells[2] = before if cells[2] == "the same" else cells[2]
            found.append((line, cells))
    return found


class RowsTest(unittest.TestCase):
    """What the rows name is there."""

    def test_files_and_tests_exist(self):
        named = 0
        for line, cells in rows():
            path = None
            for quoted in re.findall(r"`([^`]+)`", " | ".join([line, cells[2]])):
                if re.fullmatch(r"(?!haloheap/)[\w.-]+(/[\w.-]+)+\.\w+", quoted):
                    path = ROOT / quoted
                    self.assertTrue(path.is_file(), quoted)
                elif test := re.fullmatch(r"([A-Z]\w+)\.(\w+)", quoted):
                    self.assertIsNotNone(path, f"{quoted}: of which file?")
                    suite, name = test.groups()
                    text = path.read_text(encoding="utf-8")
                    there = rf"class {suite}\b.*\bdef {name}\(" if path.suffix == ".py" else rf"\(\s*{suite},\s*{name}\s*\)"
                    self.assertRegex(text, re.compile(there, re.DOTALL))
                    named += 1
        self.assertGreater(named, 50)

    def test_decks_exist(self):
        """A word of the third column is a deck, or a heap or a policy that decks name."""
        keys = ("allocator.name", "coherence.policy")
        others = {str(point.deck[key]) for run in shipped("gpu") for point in run.points for key in keys if key in point.deck}
        decks = {path.stem for path in (ROOT / "input").glob("*.toml")}
        for _, cells in rows():
            for quoted in re.findall(r"`([a-z]\w*)`", cells[2]):
                self.assertIn(quoted, decks | others, cells[0])

    def test_keys_of_the_report_exist(self):
        keys = {part.key for section in SECTIONS for part in (*section.exhibits, *section.listings)}
        keys |= {f"claim-{key}" for key in CLAIMS}
        for line, cells in rows():
            for key in re.findall(r"`#([\w-]+)`", line):
                self.assertIn(key, keys, cells[0])

    def test_states_are_those_of_the_page(self):
        page = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
        known = re.findall(r"^\| ([a-z ]+) \| ", page.partition("| state | means |")[2].partition("\n\n")[0], re.MULTILINE)
        for _, cells in rows():
            self.assertIn(cells[1], known, cells[0])
            if cells[1] == "tested":
                self.assertRegex(cells[2], r"test\.(cpp|py)`|tests?/|unit/.*/`", cells[0])


class PapersTest(unittest.TestCase):
    """Where one fails: the results that ship, a rule of the report or the page has changed, and the others have to."""

    @classmethod
    def setUpClass(cls):
        cls.gpu, cls.cpu = shipped("gpu"), shipped("cpu")

    def state(self, claim):
        """Of the results of GPUs; what only emulated links answer is computed."""
        run, found = page.first_finding(claim, self.gpu)
        if run is None and "emulated" in page.first_finding(claim, self.cpu)[1].text:
            return "computed"
        return STATES[found.verdict]

    def test_a_state_is_the_verdict_of_the_report(self):
        for what, state, keys in rows_with_claims():
            states = {self.state(CLAIMS[key]) for key in keys}
            self.assertEqual(state, states.pop() if len(states) == 1 else "partly", what)

    def test_every_claim_of_the_report_has_its_row(self):
        counted = collections.Counter(key for _, _, keys in rows_with_claims() for key in keys)
        self.assertEqual(counted, collections.Counter(list(CLAIMS)))

    def test_an_explanation_is_that_of_the_report(self):
        explained = {}
        for _, told, keys in rows_with_claims(last=True):
            plain = re.sub(r"\[([^\]]+)\](\([^)]*\)|\[[^\]]*\])", r"\1", told).replace("`", "")
            explained.update(dict.fromkeys(keys, plain))
        reasons = {key: claim.because or claim.undecided for key, claim in CLAIMS.items()}
        self.assertEqual(explained, {key: reason for key, reason in reasons.items() if reason})

    def test_what_does_not_hold_or_is_not_decided_is_explained_beside_its_verdict(self):
        for key, claim in CLAIMS.items():
            run, finding = page.first_finding(claim, self.gpu)
            on_host = run is None  # emulated links alone answer it
            if on_host:
                finding = page.first_finding(claim, self.cpu)[1]
            self.assertEqual(finding.verdict is not Verdict.HOLDS, bool(claim.explained(finding, on_host)), key)

    def test_what_does_not_hold_on_a_cpu_is_explained_beside_its_verdict(self):
        for key, claim in CLAIMS.items():
            run, finding = page.first_finding(claim, self.cpu)
            fails = finding.verdict in (Verdict.LESS, Verdict.FAILS)
            self.assertEqual(fails, bool(claim.explained(finding, True)), key)
            if run and finding.verdict is Verdict.OPEN:
                self.assertTrue(finding.text, key)

    def test_a_reason_of_a_cpu_names_no_gpu(self):
        for key, claim in CLAIMS.items():
            self.assertNotRegex(claim.because_on_host, r"[AHV]\d00", key)

    def test_a_claim_has_one_reason(self):
        self.assertEqual([key for key, claim in CLAIMS.items() if claim.because and claim.undecided], [])

    def test_no_two_claims_have_one_key(self):
        self.assertEqual(len(CLAIMS), sum(len(section.claims) for section in SECTIONS))


if __name__ == "__main__":
    support.main()
