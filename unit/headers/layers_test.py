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


def part_of(path):
    """The part that a file counts for: each folder of core and of miniapp is one, each other library is one with all that
    is below it."""
    parts = pathlib.PurePath(path).parts
    if parts[0] == "miniapp":
        return folder_of(path)
    return "/".join(parts[:2]) if parts[0] == "core" and len(parts) > 2 else parts[0].replace("backend", "core/backend")


def folder_of(path):
    """The folder of a file, but for backends, whose folders stand for each other."""
    folder = pathlib.PurePath(path).parts[:-1]
    return "core/backend" if folder[0] == "backend" or folder[:2] == ("core", "backend") else "/".join(folder)


def includes_of(root, home=part_of):
    """{folder: {another that it includes: the first line that does}}. A library's list includes what lies below it, which
    includes what the library has for all: these two do not count for folders of one part."""
    result = {}
    for library in KNOWS:
        for file in sorted((root / library).rglob("*.[hc]pp")):
            name = file.relative_to(root).as_posix()
            folder = home(name)
            mine = result.setdefault(folder, {})
            text = file.read_text(encoding="utf-8")
            for include in INCLUDE.finditer(text):
                other = home(include[1]) if include[1] else f'"{include[2]}"'
                below = library != "miniapp" and (f"{other}/".startswith(f"{folder}/") or f"{folder}/".startswith(f"{other}/"))
                if other != folder and not below:
                    mine.setdefault(other, f"{name}:{text.count(chr(10), 0, include.start()) + 1} includes {include[1] or include[2]}")
    return result


def problems(root):
    """A line for each include that points against the arrows, and for each circle of parts or of folders."""
    arrows = [f"{part} must not know {other}: {line}" for part, others in includes_of(root).items()
              for other, line in others.items() if other.split("/")[0] not in KNOWS[part.split("/")[0]]]
    return sorted({*arrows, *circles(includes_of(root)), *circles(includes_of(root, folder_of))})


def circles(includes):
    while includes:  # folders that include nothing that is left are in no circle
        free = [folder for folder, others in includes.items() if not set(others) & set(includes)]
        if not free:
            break
        for folder in free:
            del includes[folder]
    return [f"{folder} and {other} include each other: {line}" for folder, others in includes.items()
            for other, line in others.items() if reaches(includes, other, folder)]


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
    maxDiff = None

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
        self.assertEqual(problems(folder), [
            "comm must not know allocators: comm/halo/f.hpp:2 includes allocators/g.hpp",
            "core/backend and core/memory include each other: core/backend/cuda/b.cpp:2 includes core/memory/c.hpp",
            "core/lanes and core/backend include each other: core/lanes/d.hpp:2 includes backend/lanes.hpp",
            "core/memory and core/lanes include each other: core/memory/c.hpp:2 includes core/lanes/d.hpp",
            "miniapp and miniapp/advise include each other: miniapp/h.hpp:2 includes miniapp/advise/i.hpp",
            "miniapp/advise and miniapp/problems/grids include each other: miniapp/advise/i.hpp:2 includes "
            "miniapp/problems/grids/j.hpp",
            "miniapp/problems/grids and miniapp include each other: miniapp/problems/grids/j.hpp:2 includes miniapp/h.hpp"])
        (folder / "core/base/a.hpp").write_text('#include "b.hpp"\n')
        for name, other in {"k": "l", "l": "k"}.items():
            (folder / f"allocators/{name}").mkdir()
            (folder / f"allocators/{name}/m.hpp").write_text(f"#include <haloheap/allocators/{other}/m.hpp>\n")
        self.assertIn("allocators/k and allocators/l include each other: allocators/k/m.hpp:1 includes allocators/l/m.hpp",
                      problems(folder))
        self.assertIn('core/base must not know "b.hpp": core/base/a.hpp:1 includes b.hpp', problems(folder))


if __name__ == "__main__":
    unittest.main()
