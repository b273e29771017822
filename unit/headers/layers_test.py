#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""No folder of sources includes one that includes it, and none a library that it must not know."""

import pathlib
import re
import shutil
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
KNOWS = {"core": {"core"}, "allocators": {"core", "allocators"}, "comm": {"core", "comm"},
         "miniapp": {"core", "allocators", "comm", "miniapp"}}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<haloheap/([^>]+)>|"([^"]+)")', re.M)


def folder_of(path):
    """The folder that a file counts for: each of core and of miniapp is one, each other library is one with all that is
    below it."""
    parts = pathlib.PurePath(path).parts
    if parts[0] == "backend":  # stands for the folder of the chosen backend
        return "core/backend"
    if parts[0] == "miniapp":
        return "/".join(parts[:-1])
    return "/".join(parts[:2]) if parts[0] == "core" and len(parts) > 2 else parts[0]


def includes_of(root):
    """{folder: {another that it includes: the first line that does}}"""
    result = {}
    for library in KNOWS:
        for file in sorted((root / library).rglob("*.[hc]pp")):
            name = file.relative_to(root).as_posix()
            mine = result.setdefault(folder_of(name), {})
            text = file.read_text(encoding="utf-8")
            for include in INCLUDE.finditer(text):
                other = folder_of(include[1]) if include[1] else f'"{include[2]}"'
                if other != folder_of(name):
                    mine.setdefault(other, f"{name}:{text.count(chr(10), 0, include.start()) + 1} includes {include[1] or include[2]}")
    return result


def problems(root):
    """A line for each include that points against the arrows, and for each circle of folders."""
    includes = includes_of(root)
    found = []
    for folder, others in includes.items():
        for other, line in others.items():
            if other.split("/")[0] not in KNOWS[folder.split("/")[0]]:
                found.append(f"{folder} must not know {other}: {line}")
    while includes:  # folders that include nothing that is left are in no circle
        free = [folder for folder, others in includes.items() if not set(others) & set(includes)]
        if not free:
            return found + [f"{folder} and {other} include each other: {line}" for folder, others in includes.items()
                            for other, line in others.items() if reaches(includes, other, folder)]
        for folder in free:
            del includes[folder]
    return found


def reaches(includes, start, end):
    seen, left = set(), [start]
    while left:
        folder = left.pop()
        if folder == end:
            return True
        if folder in includes and folder not in seen:
            seen.add(folder)
            left += includes[folder]
    return False


class Layers(unittest.TestCase):
    def test_of_the_sources(self):
        self.assertEqual(problems(ROOT), [])
        folders = includes_of(ROOT)
        self.assertLessEqual({"core/base", "core/backend", "core/memory", "core/lanes", "core/grid", "core/transfer",
                              "core/coherence", "allocators", "comm", "miniapp", "miniapp/app", "miniapp/advise",
                              "miniapp/problems", "miniapp/problems/grids"}, set(folders))
        self.assertIn("core/backend", folders["core/memory"])

    def test_a_planted_circle_and_planted_arrows_are_found(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="haloheap_layers_"))
        self.addCleanup(shutil.rmtree, folder)
        for name, include in {"core/base/a.hpp": "<vector>", "core/backend/cuda/b.cpp": "<haloheap/core/memory/c.hpp>",
                              "core/memory/c.hpp": "<haloheap/core/lanes/d.hpp>",
                              "core/lanes/d.hpp": "<haloheap/backend/lanes.hpp>",
                              "core/grid/e.hpp": "<haloheap/core/memory/c.hpp>",
                              "comm/halo/f.hpp": "<haloheap/allocators/g.hpp>",
                              "allocators/g.hpp": "<haloheap/core/grid/e.hpp>",
                              "miniapp/main.cpp": "<haloheap/comm/halo/f.hpp>",
                              "miniapp/h.hpp": "<haloheap/miniapp/advise/i.hpp>",
                              "miniapp/advise/i.hpp": "<haloheap/miniapp/problems/grids/j.hpp>",
                              "miniapp/problems/grids/j.hpp": "<haloheap/miniapp/h.hpp>"}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(f"#pragma once\n#include {include}\n")
        self.assertEqual(sorted(problems(folder)), [
            "comm must not know allocators: comm/halo/f.hpp:2 includes allocators/g.hpp",
            "core/backend and core/memory include each other: core/backend/cuda/b.cpp:2 includes core/memory/c.hpp",
            "core/lanes and core/backend include each other: core/lanes/d.hpp:2 includes backend/lanes.hpp",
            "core/memory and core/lanes include each other: core/memory/c.hpp:2 includes core/lanes/d.hpp",
            "miniapp and miniapp/advise include each other: miniapp/h.hpp:2 includes miniapp/advise/i.hpp",
            "miniapp/advise and miniapp/problems/grids include each other: miniapp/advise/i.hpp:2 includes "
            "miniapp/problems/grids/j.hpp",
            "miniapp/problems/grids and miniapp include each other: miniapp/problems/grids/j.hpp:2 includes miniapp/h.hpp"])
        (folder / "core/base/a.hpp").write_text('#include "b.hpp"\n')
        self.assertIn('core/base must not know "b.hpp": core/base/a.hpp:1 includes b.hpp', problems(folder))


if __name__ == "__main__":
    unittest.main()
