#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""dead_links.py on small files, and on this repository."""

import contextlib
import io
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import dead_links

ROOT = pathlib.Path(__file__).resolve().parents[2]


class DeadLinksTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="haloheap_links_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def dead(self, text, **others):
        (self.folder / "page.md").write_text(text)
        for name, content in others.items():
            (self.folder / f"{name}.md").write_text(content)
        return list(dead_links.dead(self.folder / "page.md", self.folder))

    def test_files_that_are_not_there(self):
        self.assertEqual(self.dead("[a](other.md)\n\n![b](pictures/b.png)\n[c]: gone.md\n<img src=\"d.svg\">", other="x"),
                         [(3, "no file pictures/b.png"), (4, "no file gone.md"), (5, "no file d.svg")])

    def test_headings_that_are_not_there(self):
        other = "# A `b_c`: d, (e)\n## Twice\n## Twice\n```\n# no heading\n```\n<a id=\"by-hand\"></a>"
        good = "[](other.md#a-b_c-d-e) [](other.md#twice) [](other.md#twice-1) [](other.md#by-hand) [](#here)\n# Here"
        self.assertEqual(self.dead(good, other=other), [])
        self.assertEqual(self.dead("[](other.md#twice-2) [](#here)\n[](other.md#no-heading)", other=other),
                         [(1, "no heading #twice-2 in other.md"), (1, "no heading #here in page.md"),
                          (2, "no heading #no-heading in other.md")])

    def test_code_and_other_places_are_not_looked_at(self):
        self.assertEqual(self.dead("[a](https://example.org/x) [b](mailto:x@y) `[c](d)`\n```\n[e](f)\n```\n"), [])

    def test_a_title_and_brackets_in_a_name(self):
        (self.folder / "a(b).md").write_text("x")
        self.assertEqual(self.dead("[a](a(b).md \"a title\") [b](<a(b).md>) [c](gone.md 'a title')"), [(1, "no file gone.md")])

    def test_the_command_names_file_and_line(self):
        subprocess.run(["git", "init", "--quiet", self.folder], check=True)
        (self.folder / "page.md").write_text("x\n[a](gone.md)\n")
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            self.assertEqual(dead_links.main(self.folder), 1)
        self.assertEqual(said.getvalue(), "page.md:2: no file gone.md\n")

    def test_this_repository_has_none(self):
        if not (ROOT / ".git").exists():
            self.skipTest("no clone: which files belong to it is not known")
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            self.assertEqual(dead_links.main(ROOT), 0, said.getvalue())


if __name__ == "__main__":
    unittest.main()
