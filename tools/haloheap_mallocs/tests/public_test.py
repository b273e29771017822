#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-mallocs against public programs, which are fetched now, or are in the folder HALOHEAP_PUBLIC_PROGRAMS.

There a program's files are in OWNER/NAME. Left out where neither the folder nor the network has them.
"""

import hashlib
import os
import pathlib
import sys
import unittest
import urllib.error
import urllib.request

from public_programs import PROGRAMS
from support import SKIPPED, FolderTest, answers, differences, run, words

from haloheap_mallocs.command import analyse

SECONDS = 20
RIGHT = 0.9  # of all that is said


class Unreachable(Exception):
    """Neither the network nor a folder has a file."""


def content(program, path):
    """@throws Unreachable"""
    local = os.environ.get("HALOHEAP_PUBLIC_PROGRAMS")
    if local:
        file = pathlib.Path(local, program.repository, path)
        if not file.is_file():
            raise Unreachable(f"there is no {file}")
        return file.read_bytes()
    address = f"https://raw.githubusercontent.com/{program.repository}/{program.commit}/{path}"
    try:
        with urllib.request.urlopen(address, timeout=SECONDS) as answer:
            return answer.read()
    except urllib.error.HTTPError:  # the network is there, and the file is not
        raise
    except OSError as error:
        raise Unreachable(f"{address}: {error}") from error


def fetched():
    """{program: {path: its bytes}}"""
    return [(program, {path: content(program, path) for path in program.files}) for program in PROGRAMS]


class PublicTest(FolderTest):
    def place(self, program, contents):
        """Writes its files, and returns the first one and the flags."""
        for path, data in contents.items():
            self.assertEqual(hashlib.sha256(data).hexdigest(), program.files[path], path)
            file = self.folder / program.repository / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        root = self.folder / program.repository
        return root / next(iter(program.files)), [f"-I{root / folder}" for folder in program.folders]

    def sites(self, root, file, flags):
        """{(path, line, which one of the line): site}"""
        found = {}
        for site in sorted(analyse([file], None, flags), key=lambda each: each.place.column):
            place = os.path.relpath(os.path.realpath(site.place.file), os.path.realpath(root)), site.place.line
            found[*place, sum(other[:2] == place for other in found)] = site
        return found

    def test_nearly_all_that_is_said_is_right(self):
        said, wrong = 0, []
        for program, contents in CONTENTS:
            file, flags = self.place(program, contents)
            expected = {(path, line, nth): words(text) for path, lines in program.answers.items()
                        for line, texts in lines.items() for nth, text in enumerate(texts.split(";"))}
            found = self.sites(self.folder / program.repository, file, flags)
            self.assertEqual(sorted(found), sorted(expected), program.repository)
            for place, site in found.items():
                answer = answers(site, expected[place])
                said += len(expected[place].keys() | answer.keys())
                wrong += [(place, key, pair) for key, pair in differences(expected[place], answer).items()]
        print(f"{said - len(wrong)} of {said} right; wrong: {wrong}", file=sys.stderr)
        self.assertGreaterEqual(said - len(wrong), RIGHT * said, wrong)

    def test_what_is_rewritten_parses_and_is_what_a_reader_would_rewrite(self):
        self.write("coalesced.cuh", "#pragma once\n__device__ void* coalesced_malloc(size_t bytes, bool all_alike);\n")
        for program, contents in CONTENTS:
            file, flags = self.place(program, contents)
            with self.subTest(file.name):
                fix = ("--fix", file, "--alike", "coalesced_malloc", "--alike-header", "coalesced.cuh", "--", *flags,
                       f"-I{self.folder}")
                code, diff, said = run(*fix)
                self.assertEqual(code, 0, said)
                self.assertEqual(diff.count("coalesced_malloc("), program.rewritten, said)
                if diff:
                    self.patch(diff)
                self.assertEqual(run(*fix)[:2], (0, ""))


if __name__ == "__main__":
    try:
        CONTENTS = fetched()
    except Unreachable as why:
        print(f"skipped: public programs cannot be had: {why}")
        sys.exit(SKIPPED)
    unittest.main()
