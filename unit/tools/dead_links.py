#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Links of Markdown files to files and headings that are not there: dead_links.py FOLDER. Exit code 1 if there are any.

Only what git knows of the folder is looked at. Links to other places (https:, mailto:) are not followed.
"""

import pathlib
import re
import subprocess
import sys
import urllib.parse

LINK = re.compile(r"\]\(\s*<?([^()\s<>]+(?:\([^()\s]*\)[^()\s<>]*)?)>?(?:\s+[\"'][^)]*)?\)")
DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?\s*$")
ATTRIBUTE = re.compile(r"<[^>]*\b(?:src|href)=\"([^\"]+)\"")
NAME = re.compile(r"<[^>]*\b(?:id|name)=\"([^\"]+)\"")
FENCE = re.compile(r"^\s*(```+|~~~+)")


def prose(text):
    """Numbered lines outside of code."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.match(line)
        if fence is None and mark:
            fence = mark[1]
        elif fence is not None:
            if mark and mark[1].startswith(fence):
                fence = None
        else:
            yield number, line


def without_code(line):
    return re.sub(r"(`+).+?\1", "", line)


def anchor(heading):
    """What GitHub makes of a heading."""
    words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip().rstrip("#").strip()).lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def anchors(text):
    """All that a link into this file may name."""
    known = {}
    names = set()
    for _, line in prose(text):
        names.update(NAME.findall(line))
        heading = re.match(r"#{1,6}\s+(.*)", line)
        if heading:
            name = anchor(heading[1])
            names.add(f"{name}-{known[name]}" if name in known else name)
            known[name] = known.get(name, 0) + 1
    return names


def links(text):
    for number, line in prose(text):
        line = without_code(line)
        for pattern in (LINK, DEFINITION, ATTRIBUTE):
            for target in pattern.findall(line):
                yield number, target


def dead(file, root):
    """Lines of `file` that name what is not there, with the reason."""
    text = file.read_text()
    for number, target in links(text):
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        path, _, fragment = target.partition("#")
        there = file
        if path:
            path = urllib.parse.unquote(path)
            there = root / path[1:] if path.startswith("/") else file.parent / path
        if not there.exists():
            yield number, f"no file {target}"
        elif fragment and there.suffix == ".md" and fragment not in anchors(there.read_text()):
            yield number, f"no heading #{fragment} in {there.name}"


def main(folder):
    root = pathlib.Path(folder).resolve()
    listed = subprocess.run(["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
                            capture_output=True, text=True, check=True).stdout.splitlines()
    files = [root / name for name in listed if (root / name).exists()]
    if not files:
        sys.exit(f"no Markdown files in {root}")
    found = [f"{file.relative_to(root)}:{number}: {reason}" for file in files for number, reason in dead(file, root)]
    print("\n".join(found) if found else f"the links of {len(files)} files lead somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
