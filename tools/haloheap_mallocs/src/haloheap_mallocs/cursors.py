# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What Clang's Python bindings leave to their users: operators, plain expressions, attributes, qualified names."""

from __future__ import annotations

import ctypes
import dataclasses
import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from clang.cindex import Cursor, CursorKind, SourceLocation, TypeKind, _CXString, conf

CASTS = {
    CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR, CursorKind.CSTYLE_CAST_EXPR, CursorKind.CXX_STATIC_CAST_EXPR,
    CursorKind.CXX_REINTERPRET_CAST_EXPR, CursorKind.CXX_CONST_CAST_EXPR, CursorKind.CXX_FUNCTIONAL_CAST_EXPR,
    CursorKind.CXX_DYNAMIC_CAST_EXPR,
}
FUNCTIONS = {
    CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR,
    CursorKind.DESTRUCTOR, CursorKind.CONVERSION_FUNCTION,
}
REFERENCES = {CursorKind.TYPE_REF, CursorKind.TEMPLATE_REF, CursorKind.NAMESPACE_REF}


@dataclasses.dataclass(frozen=True, order=True)
class Place:
    """A line of a source. The column is of what the preprocessor made of it: it tells apart what is in one line."""

    file: str
    line: int
    column: int


def place_of(cursor: Cursor) -> Place:
    return kept(cursor, "place", lambda each: presumed(each.location))


def presumed(location: SourceLocation) -> Place:
    """As lines that the preprocessor leaves say it."""
    file, line, column = _CXString(), ctypes.c_uint(), ctypes.c_uint()
    conf.lib.clang_getPresumedLocation(location, ctypes.byref(file), ctypes.byref(line), ctypes.byref(column))
    return Place(str(conf.lib.clang_getCString(file) or ""), line.value, column.value)


T = TypeVar("T")


def kept(cursor: Cursor, name: str, make: Callable[[Cursor], T]) -> T:
    """What `make` says of it. A loop looks at its statements in each round; Clang is asked once."""
    attribute = f"_haloheap_{name}"
    if not hasattr(cursor, attribute):
        setattr(cursor, attribute, make(cursor))
    found: T = getattr(cursor, attribute)
    return found


def parts_of(cursor: Cursor) -> list[Cursor]:
    """All that Clang shows in it, the same objects each time."""
    return list(kept(cursor, "parts", lambda each: tuple(each.get_children())))


def children(cursor: Cursor) -> list[Cursor]:
    """Without the names of types in it."""
    return list(kept(cursor, "children", lambda each: tuple(
        child for child in parts_of(each) if child.kind not in REFERENCES)))


def plain(cursor: Cursor) -> Cursor:
    """Without parentheses and casts around it."""
    while cursor.kind in CASTS:
        inner = children(cursor)
        if len(inner) != 1:
            break
        cursor = inner[0]
    return cursor


def descend(cursor: Cursor) -> Iterator[Cursor]:
    yield cursor
    for child in parts_of(cursor):
        yield from descend(child)


def is_of_the_system(cursor: Cursor) -> bool:
    """In a header that is not the user's."""
    return bool(conf.lib.clang_Location_isInSystemHeader(cursor.location))


def has_attribute(cursor: Cursor, kind: CursorKind) -> bool:
    return any(child.kind is kind for child in parts_of(cursor))


def binary_operator(cursor: Cursor, left: Cursor, right: Cursor) -> str:
    """What stands between the operands; empty where that is not one mark."""
    return kept(cursor, "operator", lambda each: mark_between(each, left, right))


def mark_between(cursor: Cursor, left: Cursor, right: Cursor) -> str:
    begin, end = left.extent.end.offset, right.extent.start.offset
    between = [token.spelling for token in cursor.get_tokens() if begin <= token.extent.start.offset < end]
    marks: list[str] = [mark for mark in between if mark not in ("(", ")")]
    return marks[0] if len(marks) == 1 else ""


def is_arrow(member: Cursor, base: Cursor) -> bool:
    """Whether a member is named by a pointer; of what depends on a template, by how it is written."""
    if base.type.get_canonical().kind is TypeKind.POINTER:
        return True
    end = base.extent.end.offset
    return any(token.spelling == "->" and token.extent.start.offset >= end for token in member.get_tokens())


def unary_operator(cursor: Cursor, operand: Cursor) -> str:
    return kept(cursor, "operator", lambda each: mark_beside(each, operand))


def mark_beside(cursor: Cursor, operand: Cursor) -> str:
    tokens: list[str] = [token.spelling for token in cursor.get_tokens()]
    if not tokens:
        return ""
    return tokens[0] if operand.extent.start.offset > cursor.extent.start.offset else tokens[-1]


def text_of(cursor: Cursor) -> str:
    """As it is written, in one line."""
    return kept(cursor, "text", written_in_one_line)


def written_in_one_line(cursor: Cursor) -> str:
    text = ""
    end = None
    for token in cursor.get_tokens():
        if end is not None and token.extent.start.offset > end:
            text += " "
        text += token.spelling
        end = token.extent.end.offset
    return text


def ends_threads(statement: Cursor) -> bool:
    """Of assembly. It may stand in several strings, which Clang puts together."""
    return re.search(r"\bexit\b", re.sub(r'"\s*"', "", text_of(statement))) is not None


def new_of(cursor: Cursor) -> tuple[str, bool, bool]:
    """How a new expression is written, whether it is of an array, and whether it is told a place.

    From the text: of an instance of a template Clang does not know where the expression ends.
    """
    start = cursor.extent.start.offset
    text: str = cursor.translation_unit.text[start:start + 2000].decode("utf-8", "replace")
    head = re.match(r"(?:::)?\s*new\b\s*", text)
    if head is None:
        return "new", True, False
    at = head.end()
    if text[at:at + 1] == "(":
        told = bracketed(text[at:])
        is_type = re.match(r"\s*[\w:]", text[at + len(told):]) is None  # nothing follows that could be one
        if "nothrow" not in told:
            return text_of(cursor), is_type and "[" in told, not is_type
        at += len(told)
    if text.startswith("decltype", at):
        at += len("decltype")
        at += len(bracketed(text[at:]))
    depth = 0
    while at < len(text) - 1:
        if text[at] in "<>":
            depth += 1 if text[at] == "<" else -1
        elif depth == 0 and text[at] in "([{;,)":
            break
        at += 1
    whole = text[:at] + bracketed(text[at:]) if text[at] in "([{" else text[:at]
    return " ".join(whole.split()), text[at] == "[", False


def bracketed(text: str) -> str:
    """From an opening bracket to the one that closes it."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            return text[:at + 1]
    return text


def qualified_name(cursor: Cursor | None) -> str:
    names: list[str] = []
    while cursor is not None and cursor.kind is not CursorKind.TRANSLATION_UNIT:
        if cursor.spelling and cursor.kind is not CursorKind.LINKAGE_SPEC:
            names.append(cursor.spelling)
        cursor = cursor.semantic_parent
    return "::".join(reversed(names))


def body_of(function: Cursor) -> Cursor | None:
    """Its statements, if its definition is here."""
    for child in parts_of(function):
        if child.kind in (CursorKind.COMPOUND_STMT, CursorKind.CXX_TRY_STMT):
            return child
    return None


def parameters_of(function: Cursor) -> list[Cursor]:
    return [child for child in parts_of(function) if child.kind is CursorKind.PARM_DECL]


def parts_of_loop(statement: Cursor) -> tuple[list[Cursor], Cursor | None, Cursor | None, Cursor | None, bool]:
    """What comes first, the test, the step, the body, and whether the body comes before the test."""
    parts = parts_of(statement)
    if statement.kind is CursorKind.WHILE_STMT:
        return [], parts[0], None, parts[-1], False
    if statement.kind is CursorKind.DO_STMT:
        return [], parts[-1], None, parts[0], True
    if statement.kind is CursorKind.CXX_FOR_RANGE_STMT:
        variable = [part for part in parts if part.kind is CursorKind.VAR_DECL]
        return variable, None, None, parts[-1], False
    # Clang leaves out what is not written: the semicolons say which parts are there.
    body, head = parts[-1], parts[:-1]
    semicolons = head_semicolons(statement, body)
    slots: list[Cursor | None] = [None, None, None]
    for part in head:
        offset = part.extent.start.offset
        slots[sum(1 for semicolon in semicolons if semicolon < offset)] = part
    first = [slots[0]] if slots[0] is not None else []
    return first, slots[1], slots[2], body, False


def head_semicolons(statement: Cursor, body: Cursor) -> list[int]:
    end = body.extent.start.offset
    depth, found = 0, []
    for token in statement.get_tokens():
        offset = token.extent.start.offset
        if offset >= end:
            break
        if token.spelling in "([{":
            depth += 1
        elif token.spelling in ")]}":
            depth -= 1
        elif token.spelling == ";" and depth == 1:
            found.append(offset)
    return found[:2]


def initial_values(declaration: Cursor) -> list[Cursor]:
    """Expressions of it: the last one is what a variable, a member or a parameter begins with."""
    return [child for child in children(declaration) if child.kind.is_expression()]


def written_arguments(call: Cursor) -> list[Cursor]:
    """Without those that its parameters say, for which Clang has something, too."""
    return [argument for argument in call.get_arguments() if argument is not None and
            (argument.kind is not CursorKind.UNEXPOSED_EXPR or any(True for _ in argument.get_children()))]
