# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`new` and `delete` of numbers and plain structures, as requests that can say that all threads of the block ask alike.

What takes the place of malloc gives blocks for free. So `delete` becomes free, which must be right for whatever comes
to it: the block stays in one variable, from `new` to `delete`, and nobody else gets to know it. A template may have
instances of which nobody knows: there the compiler chooses, by the type, between both ways, for `new` and for `delete`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clang.cindex import Cursor, CursorKind, StorageClass, TypeKind

from haloheap_mallocs.constants import is_null
from haloheap_mallocs.cursors import (
    binary_operator,
    bracketed,
    children,
    descend,
    initial_values,
    place_of,
    plain,
    text_of,
    unary_operator,
)
from haloheap_mallocs.declarations import ARRAYS, named_by
from haloheap_mallocs.edits import Edit, include
from haloheap_mallocs.forms import LARGEST_ALIGNMENT, Alike, in_one_line, require_no_flag, require_stand_in
from haloheap_mallocs.signatures import is_member
from haloheap_mallocs.sites import Site
from haloheap_mallocs.sources import Left, Source, written_once
from haloheap_mallocs.templates import is_number, is_of_template
from haloheap_mallocs.written import Written

FREE = "::free"
CONVERSIONS = {CursorKind.CSTYLE_CAST_EXPR, CursorKind.CXX_STATIC_CAST_EXPR, CursorKind.CXX_FUNCTIONAL_CAST_EXPR}
STATEMENTS = {CursorKind.COMPOUND_STMT, CursorKind.IF_STMT, CursorKind.FOR_STMT, CursorKind.WHILE_STMT,
              CursorKind.DO_STMT}
COUNT = "static_cast<decltype(sizeof 0)>({count})"
"""Of a count that is no number, but becomes one."""
PLAIN = "::std::is_trivial<{type}>::value && !::std::is_array<{type}>::value && alignof({type}) <= {alignment}"
"""What must hold of a type for which it depends on a template's parameters whether a block of malloc is enough."""
TRAITS = "<type_traits>"


def of_new(site: Site, call: Cursor, source: Source, value: str, written: Written,
           alike: Alike) -> tuple[set[Edit], str | None]:
    """@throws Left"""
    around = written.around(call)
    name = require_stand_in(alike, around[0], written)
    require_no_flag(around[0])
    if site.escapes or site.is_shared or site.freed_by != {"delete"}:
        raise Left("its block is not for delete in the same function alone")
    require_nobodys_own_new(written)
    variable = variable_of(call, around[0])
    require_for_free(variable)
    if any(map(is_of_template, around)):
        if variable.type.get_canonical() != call.type.get_canonical():
            raise Left(f"{variable.spelling} may be more than a pointer to what it asks for")
        require_unknown_to_others(variable, around[0])
    else:
        require_constant(variable, around[0])
    condition = condition_of(call, source)
    edits = {request(call, source, value, name, condition)}
    deletes = [each for each in descend(around[0]) if each.kind is CursorKind.CXX_DELETE_EXPR and
               is_of(plain(children(each)[0]), variable)]
    if site.freed != {place_of(each) for each in deletes}:
        raise Left("its block is not for delete in the same function alone")
    for each in deletes:
        edits |= freed(each, source, condition)
    return edits | (include(source, TRAITS) if condition else set()), alike.header


def require_nobodys_own_new(written: Written) -> None:
    """@throws Left where a class says where its objects are, or what becomes of them"""
    names = [f"operator {what}{array}" for what in ("new", "delete") for array in ("", "[]")]
    usrs = [usr for name in names for usr in written.named.get(name, set())]
    if any(is_member(each) for usr in usrs for each in written.declarations.get(usr, [])):
        raise Left("a class has an operator new or delete of its own")


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
        is_caught = child.kind is CursorKind.LAMBDA_EXPR and gets_other_name(text_of(child), variable.spelling)
        if is_caught or (is_of(child, variable) and parent.kind is not CursorKind.UNEXPOSED_EXPR):
            raise Left(f"{variable.spelling} may come to hold another block")


def gets_other_name(text: str, name: str) -> bool:
    """In what a lambda takes along, of which Clang does not show what new names mean."""
    taken = bracketed(text)
    return "&" in taken and re.search(rf"[={{(][^=]*\b{name}\b", taken[1:]) is not None


def require_unknown_to_others(variable: Cursor, scope: Cursor) -> None:
    """Of a template, which may have other instances in other files. @throws Left where others may learn of the block"""
    for child, around in with_all_around(scope, ()):
        is_lambda = child.kind is CursorKind.LAMBDA_EXPR  # of which Clang does not show all that it takes along
        if is_lambda or (is_of(child, variable) and not is_harmless(child, around)):
            raise Left(f"in other instances of a template others may get to know the block of {variable.spelling}")


def with_all_around(cursor: Cursor, around: tuple[Cursor, ...]) -> Iterator[tuple[Cursor, tuple[Cursor, ...]]]:
    """All that is in it, and what that is in, the innermost first; without what Clang adds to what is written."""
    inside = around if cursor.kind is CursorKind.UNEXPOSED_EXPR else (cursor, *around)
    for child in cursor.get_children():
        yield child, inside
        yield from with_all_around(child, inside)


def is_harmless(name: Cursor, around: tuple[Cursor, ...]) -> bool:
    """It is deleted, one asks whether there is a block, or an element of it is read or written."""
    use = around[0]
    if use.kind in (CursorKind.CXX_DELETE_EXPR, CursorKind.IF_STMT):
        return True
    parts = children(use)
    mark = unary_operator(use, parts[0]) if use.kind is CursorKind.UNARY_OPERATOR else ""
    if use.kind is CursorKind.BINARY_OPERATOR and len(parts) == 2:
        return binary_operator(use, *parts) in ("==", "!=") and any(map(is_null, parts))
    is_element = mark == "*" or (use.kind is CursorKind.ARRAY_SUBSCRIPT_EXPR and plain(parts[0]) == name)
    return mark == "!" or (is_element and is_value(use, around[1:]))


def is_value(element: Cursor, around: tuple[Cursor, ...]) -> bool:
    """Nobody learns where the element is: it is an operand, or copied."""
    use = around[0]
    if element in map(plain, named_by(use)):  # what this gives is the element again
        return around[1].kind in STATEMENTS or is_value(use, around[1:])
    if use.kind is CursorKind.UNARY_OPERATOR:
        return unary_operator(use, children(use)[0]) != "&"
    if use.kind is CursorKind.ARRAY_SUBSCRIPT_EXPR:
        return bool(plain(children(use)[1]) == element)
    if use.kind is CursorKind.VAR_DECL or use.kind in CONVERSIONS:
        copied = use.type.get_canonical().spelling.removeprefix("const ")
        is_copy = use.kind is CursorKind.VAR_DECL or not may_be_reference(use, element)
        return is_copy and (copied in (element.type.get_canonical().spelling, "auto") or is_number(use.type))
    return use.kind in (CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR)


def may_be_reference(conversion: Cursor, operand: Cursor) -> bool:
    """To what is not copied. Clang says of the type what it refers to."""
    kind = [token.spelling for token in conversion.get_tokens()
            if token.extent.start.offset < operand.extent.start.offset]
    kinds = [each.type.get_canonical().kind for each in conversion.get_children() if each.kind is CursorKind.TYPE_REF]
    return "&" in kind or "&&" in kind or "decltype" in kind or TypeKind.LVALUEREFERENCE in kinds or \
        TypeKind.RVALUEREFERENCE in kinds or any(each.kind is CursorKind.TEMPLATE_REF
                                                 for each in conversion.get_children())


def condition_of(call: Cursor, source: Source) -> str:
    """Under which free does for a template's type what delete does; empty where that is known. @throws Left"""
    element = call.type.get_pointee().get_canonical()
    if element.kind is TypeKind.POINTER or element.get_size() >= 0:
        return ""
    tokens, at = tokens_of_new(call)
    kind = in_one_line(source, source.find(tokens, place_of(call).line)[1:at])
    return PLAIN.format(type=kind, alignment=LARGEST_ALIGNMENT)


def tokens_of_new(call: Cursor) -> tuple[list[str], int]:
    """What is written, and where the type ends. @throws Left"""
    tokens = written_once(call)
    at = tokens.index("[") if "[" in tokens else len(tokens)
    kind, count = tokens[1:at], tokens[at + 1:-1]
    is_plain = all(token.isidentifier() or token in ("::", "*") for token in kind)
    if tokens[0] != "new" or not kind or not is_plain or tokens[at:] and tokens[-1] != "]" or "]" in count:
        raise Left("it is written in an unusual way")
    return tokens, at


def request(call: Cursor, source: Source, value: str, name: str, condition: str) -> Edit:
    """In place of the new expression. @throws Left"""
    tokens, at = tokens_of_new(call)
    count = tokens[at + 1:-1]
    named = [each.type.get_canonical() for each in call.get_children() if each.kind is CursorKind.TYPE_REF]
    if call.type.get_pointee().is_const_qualified() or any(each.kind in ARRAYS for each in named):
        raise Left("it is written in an unusual way")
    element = call.type.get_pointee().get_canonical()
    is_known = condition or element.kind is TypeKind.POINTER or element.is_pod()
    if not is_known or element.get_align() > LARGEST_ALIGNMENT:
        raise Left(f"{' '.join(tokens[1:at])} is more than numbers")
    found = source.find(tokens, place_of(call).line)
    written = in_one_line(source, found[1:at])
    size = f"sizeof({written})"
    if count:
        text = in_one_line(source, found[at + 1:-1])
        if not all(is_written_number(plain(each)) for each in children(call) if each.kind.is_expression()):
            size += f" * {COUNT.format(count=text)}"
        else:
            size += f" * {text}" if len(count) == 1 else f" * ({text})"
    asking = f"static_cast<{written}*>({name}({size}, {value}))"
    if condition:
        asking = f"({condition} ? {asking} : {in_one_line(source, found)})"
    return Edit(found[0].begin, found[-1].end, asking)


def is_written_number(count: Cursor) -> bool:
    """And nothing of somebody's own that becomes one, which a product could be of another kind for."""
    function = count.referenced if count.kind is CursorKind.CALL_EXPR else None
    return is_number(count.type) and (function is None or function.kind is not CursorKind.CONVERSION_FUNCTION)


def freed(delete: Cursor, source: Source, condition: str) -> set[Edit]:
    """@throws Left"""
    tokens = written_once(delete)
    if tokens[:-1] not in (["delete"], ["delete", "[", "]"]):
        raise Left("its delete is written in an unusual way")
    found = source.find(tokens, place_of(delete).line)
    if condition:  # the block may be volatile
        text = f"({condition} ? {FREE}((void*){tokens[-1]}) : {in_one_line(source, found)})"
        return {Edit(found[0].begin, found[-1].end, text)}
    return {Edit(found[0].begin, found[-1].begin, f"{FREE}("), Edit(found[-1].end, found[-1].end, ")")}
