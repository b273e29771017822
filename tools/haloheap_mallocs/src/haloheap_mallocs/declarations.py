# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a declaration says of the values that its variable can have, and small questions about it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from clang.cindex import Cursor, CursorKind, TypeKind

from haloheap_mallocs import builtins
from haloheap_mallocs.cursors import body_of, children, is_of_the_system, plain, qualified_name
from haloheap_mallocs.values import Value

RANGES = {
    TypeKind.BOOL: (0, 1), TypeKind.UCHAR: (0, 255), TypeKind.USHORT: (0, 65535), TypeKind.SCHAR: (-128, 127),
    TypeKind.CHAR_S: (-128, 127), TypeKind.SHORT: (-32768, 32767),
}
ARRAYS = {TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY, TypeKind.DEPENDENTSIZEDARRAY}
# Integers of 64 bits may be addresses.
NO_ADDRESSES = {*RANGES, TypeKind.INT, TypeKind.UINT, TypeKind.FLOAT, TypeKind.DOUBLE}


def declared(unit: Cursor) -> Iterator[Cursor]:
    """Everything at the top of a file and of its namespaces and classes, but for what is in system headers."""
    for cursor in unit.get_children():
        if is_of_the_system(cursor):
            continue
        if cursor.kind in (CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC, CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL,
                           CursorKind.CLASS_TEMPLATE, CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
                           CursorKind.UNION_DECL, CursorKind.UNEXPOSED_DECL):
            yield from declared(cursor)
        else:
            yield cursor


def is_launch(cursor: Cursor) -> bool:
    return (cursor.kind is CursorKind.CALL_EXPR and cursor.referenced is not None and
            cursor.spelling.startswith("parallel_") and qualified_name(cursor.referenced) in builtins.KOKKOS_LAUNCHES)


def is_team(parameter: Cursor) -> bool:
    return "member" in parameter.type.spelling.lower() or "Team" in parameter.type.get_canonical().spelling


def destructor_of(variable: Cursor) -> Cursor | None:
    """With its statements, if they are here."""
    for member in variable.type.get_canonical().get_declaration().get_children():
        if member.kind is CursorKind.DESTRUCTOR:
            found = member.get_definition()
            return found if found is not None and body_of(found) is not None else None
    return None


def is_plain_function(function: Cursor | None) -> bool:
    return function is None or function.kind in (CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE)


def is_array_like(declaration: Cursor) -> bool:
    return declaration.type.get_canonical().kind in ARRAYS


def method_base(call: Cursor) -> Cursor | None:
    """The object of a call of a member function."""
    inner = children(call)
    if not inner or inner[0].kind is not CursorKind.MEMBER_REF_EXPR:
        return None
    base = children(inner[0])
    return base[0] if base else None


def root_of(cursor: Cursor) -> str | None:
    """The variable of which an expression is a part."""
    cursor = plain(cursor)
    if cursor.kind is CursorKind.DECL_REF_EXPR and cursor.referenced is not None:
        usr: str = cursor.referenced.get_usr()
        return usr
    if cursor.kind is CursorKind.CXX_THIS_EXPR:
        return "this"
    inner = children(cursor)
    is_part = cursor.kind in (CursorKind.MEMBER_REF_EXPR, CursorKind.ARRAY_SUBSCRIPT_EXPR)
    return root_of(inner[0]) if inner and is_part else None


def outer(declaration: Cursor) -> Value:
    """What a kernel gets from outside, the same for all threads; a pointer leads to memory that others know."""
    kind = declaration.type.get_canonical().kind
    scalar = typed(Value(), declaration)
    if kind in (TypeKind.POINTER, TypeKind.RECORD, TypeKind.LVALUEREFERENCE, TypeKind.CONSTANTARRAY, TypeKind.UNEXPOSED,
                TypeKind.ELABORATED, TypeKind.INCOMPLETEARRAY):
        return Value(points=frozenset({f"outer {declaration.get_usr()}"}))
    return scalar


def typed(value: Value, cursor: Cursor) -> Value:
    """With the limits of its type, where these say something, and without addresses where there is no room for one."""
    kind = cursor.type.get_canonical().kind
    if kind in NO_ADDRESSES and value.points:
        value = dataclasses.replace(value, points=frozenset())
    low, high = RANGES.get(kind, (None, None))
    if low is None or value.low is not None or value.high is not None:
        return value
    return dataclasses.replace(value, low=low, high=high)


def narrowed(value: Value, variable: Cursor) -> Value:
    """As the variable's type holds it."""
    low, high = RANGES.get(variable.type.get_canonical().kind, (None, None))
    if low is None or high is None:
        return value
    fits = value.low is not None and value.high is not None and low <= value.low and value.high <= high
    if fits:
        return value
    return Value(value.level, low, high, points=value.points)
