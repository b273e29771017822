# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`new` and `delete` of numbers and plain structures, as requests that can say that all threads of the block ask alike.

What takes the place of malloc gives blocks for free. So `delete` becomes free, which must be right for whatever comes
to it: the block stays in one variable, from `new` to `delete`, and nobody else gets to know it.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, CursorKind, StorageClass

from haloheap_mallocs.cursors import children, descend, initial_values, place_of, plain
from haloheap_mallocs.declarations import ARRAYS
from haloheap_mallocs.edits import Edit
from haloheap_mallocs.forms import LARGEST_ALIGNMENT, Alike, in_one_line, require_no_flag, require_stand_in
from haloheap_mallocs.sites import Site
from haloheap_mallocs.sources import Left, Source, written_once
from haloheap_mallocs.templates import is_of_template
from haloheap_mallocs.written import Written

FREE = "::free"


def of_new(site: Site, call: Cursor, source: Source, value: str, written: Written,
           alike: Alike) -> tuple[set[Edit], str | None]:
    """@throws Left"""
    around = written.around(call)
    if any(map(is_of_template, around)):
        raise Left("new of a template's types may construct objects")
    name = require_stand_in(alike)
    require_no_flag(around[0])
    if site.escapes or site.is_shared or site.freed_by != {"delete"}:
        raise Left("its block is not for delete in the same function alone")
    variable = variable_of(call, around[0])
    require_for_free(variable)
    require_constant(variable, around[0])
    edits = {request(call, source, value, name)}
    deletes = [each for each in descend(around[0]) if each.kind is CursorKind.CXX_DELETE_EXPR and
               is_of(plain(children(each)[0]), variable)]
    if site.freed != {place_of(each) for each in deletes}:
        raise Left("its block is not for delete in the same function alone")
    for each in deletes:
        edits |= freed(each, source)
    return edits, alike.header


def variable_of(call: Cursor, scope: Cursor) -> Cursor:
    """That begins with the block. @throws Left where there is none"""
    for each in descend(scope):
        initial = initial_values(each) if each.kind is CursorKind.VAR_DECL else []
        if initial and plain(initial[-1]) == call and each.storage_class is not StorageClass.STATIC:
            return each
    raise Left("its block does not begin in a variable of its own")


def require_for_free(variable: Cursor) -> None:
    """@throws Left where free would not take it"""
    if variable.type.get_pointee().is_const_qualified() or variable.type.get_pointee().is_volatile_qualified():
        raise Left(f"free does not take {variable.spelling}, which is not to change what it leads to")


def is_of(cursor: Cursor, variable: Cursor) -> bool:
    return cursor.kind is CursorKind.DECL_REF_EXPR and cursor.referenced == variable


def with_parents(cursor: Cursor) -> Iterator[tuple[Cursor, Cursor]]:
    for child in cursor.get_children():
        yield cursor, child
        yield from with_parents(child)


def require_constant(variable: Cursor, scope: Cursor) -> None:
    """Clang has something around a name where its value is read; nothing, where it is written or gets another name.

    @throws Left
    """
    for parent, child in with_parents(scope):
        if is_of(child, variable) and parent.kind is not CursorKind.UNEXPOSED_EXPR:
            raise Left(f"{variable.spelling} may come to hold another block")


def request(call: Cursor, source: Source, value: str, name: str) -> Edit:
    """In place of the new expression. @throws Left"""
    tokens = written_once(call)
    at = tokens.index("[") if "[" in tokens else len(tokens)
    kind, count = tokens[1:at], tokens[at + 1:-1]
    is_plain = all(token.isidentifier() or token in ("::", "*") for token in kind)
    if tokens[0] != "new" or not kind or not is_plain or tokens[at:] and tokens[-1] != "]" or "]" in count:
        raise Left("it is written in an unusual way")
    named = [each.type.get_canonical() for each in call.get_children() if each.kind is CursorKind.TYPE_REF]
    if call.type.get_pointee().is_const_qualified() or any(each.kind in ARRAYS for each in named):
        raise Left("it is written in an unusual way")
    element = call.type.get_pointee().get_canonical()
    if not element.is_pod() or element.get_align() > LARGEST_ALIGNMENT:
        raise Left(f"{' '.join(kind)} is more than numbers")
    found = source.find(tokens, place_of(call).line)
    written = in_one_line(source, found[1:at])
    size = f"sizeof({written})"
    if count:
        size += f" * {count[0]}" if len(count) == 1 else f" * ({in_one_line(source, found[at + 1:-1])})"
    return Edit(found[0].begin, found[-1].end, f"static_cast<{written}*>({name}({size}, {value}))")


def freed(delete: Cursor, source: Source) -> set[Edit]:
    """@throws Left"""
    tokens = written_once(delete)
    if tokens[:-1] not in (["delete"], ["delete", "[", "]"]):
        raise Left("its delete is written in an unusual way")
    found = source.find(tokens, place_of(delete).line)
    return {Edit(found[0].begin, found[-1].begin, f"{FREE}("), Edit(found[-1].end, found[-1].end, ")")}
