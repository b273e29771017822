# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Where in a file that what the analysis has seen is written.

The analysis sees what the preprocessor makes of a file, in which lines are those of the file and columns are not. So a
place is looked for by its tokens, in its line, and only if no macro has a hand in it.
"""

from __future__ import annotations

import dataclasses
import pathlib

from clang.cindex import Cursor, Index, SourceLocation, SourceRange, TokenKind

from haloheap_mallocs.cursors import presumed


CONDITIONS = {"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"}


class Left(Exception):
    """Something is not rewritten; the message says why, and ends a sentence."""


@dataclasses.dataclass(frozen=True)
class Token:
    text: str
    begin: int
    end: int
    """Bytes of the file."""
    line: int


class Source:
    """A file as its author has written it."""

    def __init__(self, path: pathlib.Path, macros: set[str]) -> None:
        self.path, self.macros = path, macros
        self.data = path.read_bytes()
        self.tokens = tokens_of(self.data) if is_utf8(self.data) else []

        self.directives = [(token.line, other.text) for token, other in zip(self.tokens, self.tokens[1:])
                           if token.text == "#" and other.line == token.line]

    def require_one_meaning(self, scope: Cursor) -> None:
        """With other flags a function must not have other statements. @throws Left"""
        begin, end = presumed(scope.extent.start).line, presumed(scope.extent.end).line
        if any(begin <= line <= end and word in CONDITIONS for line, word in self.directives):
            raise Left("the preprocessor decides what its function does")

    def find(self, written: list[str], line: int) -> list[Token]:
        """These tokens, which begin in the line. @throws Left"""
        if not is_utf8(self.data):
            raise Left("its file is not in UTF-8")
        if any(word == "line" or word.isdigit() for _, word in self.directives):
            raise Left("its file says that its lines are those of another one")
        length = len(written)
        starts = [at for at, token in enumerate(self.tokens) if token.line == line and token.text == written[0] and
                  [other.text for other in self.tokens[at:at + length]] == written]
        if not starts:
            raise Left("a macro has a part in how it is written")
        if len(starts) > 1:
            raise Left("the same is written twice in its line")
        found = self.tokens[starts[0]:starts[0] + length]
        if any(token.text in self.macros for token in found) or self.is_argument_of_macro(starts[0]):
            raise Left("a macro has a part in how it is written")
        return found

    def is_argument_of_macro(self, at: int) -> bool:
        depth = 0
        for number in range(at - 1, 0, -1):
            text = self.tokens[number].text
            depth += (text == ")") - (text == "(")
            if depth < 0:
                depth = 0
                if self.tokens[number - 1].text in self.macros:
                    return True
        return False


def is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def tokens_of(data: bytes) -> list[Token]:
    """Without comments. Nothing is preprocessed: directives are tokens, too, and headers are not looked for."""
    name = "written.cpp"
    unit = Index.create().parse(name, args=["-x", "c++", "-std=c++20", "-nostdinc", "-nostdinc++"],
                                unsaved_files=[(name, data.decode("utf-8"))])
    return [Token(token.spelling, token.extent.start.offset, token.extent.end.offset, token.extent.start.line)
            for token in unit.get_tokens(extent=unit.cursor.extent) if token.kind is not TokenKind.COMMENT]


def written_once(cursor: Cursor) -> list[str]:
    """The tokens of an expression, of which its line has no second one. @throws Left"""
    written = [token.spelling for token in cursor.get_tokens()]
    unit, extent = cursor.translation_unit, cursor.extent
    begin = unit.text.rfind(b"\n", 0, extent.start.offset) + 1
    end = unit.text.find(b"\n", extent.end.offset)
    lines = SourceRange.from_locations(
        SourceLocation.from_offset(unit, extent.start.file, begin),
        SourceLocation.from_offset(unit, extent.start.file, end if end >= 0 else len(unit.text)))
    around = [token.spelling for token in unit.get_tokens(extent=lines)]
    count = sum(around[at:at + len(written)] == written for at in range(len(around)))
    if count != 1:
        raise Left("the same is written twice in its line")
    return written
