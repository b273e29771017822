# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Changes of a file's bytes, and the unified diff that they make."""

from __future__ import annotations

import dataclasses
import difflib
import os
import re

from haloheap_mallocs.sources import Left, Source


@dataclasses.dataclass(frozen=True, order=True)
class Edit:
    begin: int
    end: int
    """As begin where nothing is taken away."""
    text: str


def applied(data: bytes, edits: set[Edit]) -> bytes:
    """@throws ValueError where two of them change the same bytes"""
    result, at = b"", 0
    for edit in sorted(edits):
        if edit.begin < at:
            raise ValueError(f"two changes of byte {edit.begin}")
        result += data[at:edit.begin] + edit.text.encode()
        at = edit.end
    return result + data[at:]


def unified_diff(source: Source, edits: set[Edit]) -> str:
    """For `patch -p0` in the working directory."""
    name = os.path.relpath(source.path)
    before, after = lines_of(source.data), lines_of(applied(source.data, edits))
    label = f"{name}\t" if " " in name else name  # or patch takes the first word for the name
    text = ""
    for line in difflib.unified_diff(before, after, label, label):
        text += line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
    return text


def lines_of(data: bytes) -> list[str]:
    """Only a line feed ends a line, as it does for patch."""
    return re.findall(r"[^\n]*\n|[^\n]+", data.decode("utf-8"))


def include(source: Source, header: str) -> set[Edit]:
    """A line that includes it in front of all code, unless there is one. @throws Left where a condition hides it"""
    named = header if header.startswith("<") else f'"{header}"'
    lines = lines_of(source.data)
    if any(re.fullmatch(rf"\s*#\s*include\s*{re.escape(named)}\s*(//.*)?", line.strip()) for line in lines):
        return set()
    number = line_for_include(source)
    ending = "\r\n" if lines[0].endswith("\r\n") else "\n"
    offset = sum(len(line.encode()) for line in lines[:number])
    return {Edit(offset, offset, f"#include {named}{ending}")}


def line_for_include(source: Source) -> int:
    """How many lines stand before it: behind the last of the includes that come first, else in front of the code."""
    directives, code = leading_directives(source)
    open_at = 0
    allowed = 1 if len(directives) > 1 and is_guard(directives[0][1], directives[1][1]) else 0
    behind = None
    for line, text in directives:
        word = "".join(re.findall(r"^#(\w+)", text))
        open_at += word.startswith("if")
        open_at -= word == "endif"
        if word == "include" and open_at == allowed:
            behind = line
    if behind is None and open_at != allowed:
        raise Left("there is no place for an include that holds for the whole file")
    return behind if behind is not None else code - 1


def leading_directives(source: Source) -> tuple[list[tuple[int, str]], int]:
    """Those in front of the first line of code, with their lines, and that line."""
    lines = source.data.decode("utf-8").split("\n")
    found: list[tuple[int, str]] = []
    for token in source.tokens:
        if found and token.line <= found[-1][0]:
            continue
        if token.text != "#":
            return found, token.line
        at = token.line
        text = lines[at - 1]
        while text.rstrip("\r").endswith("\\") and at < len(lines):
            text = text.rstrip("\r")[:-1] + lines[at]
            at += 1
        found.append((at, "#" + text.split("#", 1)[1].strip()))
    return found, len(lines)


def is_guard(first: str, second: str) -> bool:
    guard = re.fullmatch(r"#\s*ifndef\s+(\w+)", first)
    return guard is not None and re.fullmatch(rf"#\s*define\s+{guard[1]}", second) is not None
