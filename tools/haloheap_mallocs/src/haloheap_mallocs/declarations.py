# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a declaration says of the values that its variable can have, and small questions about it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

from clang.cindex import Cursor, CursorKind, Type, TypeKind

from haloheap_mallocs import builtins
from haloheap_mallocs.constants import template_of
from haloheap_mallocs.cursors import binary_operator, body_of, children, is_of_the_system, plain, qualified_name
from haloheap_mallocs.cursors import unary_operator
from haloheap_mallocs.values import Value, constant

RANGES = {
    TypeKind.BOOL: (0, 1), TypeKind.UCHAR: (0, 255), TypeKind.USHORT: (0, 65535), TypeKind.SCHAR: (-128, 127),
    TypeKind.CHAR_S: (-128, 127), TypeKind.SHORT: (-32768, 32767),
}
FLOATING = {TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE, TypeKind.HALF}
UNSIGNED = {TypeKind.UINT, TypeKind.ULONG, TypeKind.ULONGLONG}
WRAPPED = {TypeKind.INT: (-(1 << 31), 1 << 32), TypeKind.UINT: (0, 1 << 32), TypeKind.ULONG: (0, 1 << 64),
           TypeKind.ULONGLONG: (0, 1 << 64)}
LVALUES = {
    CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR, CursorKind.ARRAY_SUBSCRIPT_EXPR, CursorKind.UNARY_OPERATOR,
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
    """Of a call: a kernel of Kokkos."""
    return cursor.spelling.startswith("parallel_") and qualified_name(cursor.referenced) in builtins.KOKKOS_LAUNCHES


def is_team(parameter: Cursor) -> bool:
    return "member" in parameter.type.spelling.lower() or "Team" in parameter.type.get_canonical().spelling


def is_record(kind: Type) -> bool:
    return bool(kind.get_canonical().kind is TypeKind.RECORD)


def destructor_of(declaration: Cursor) -> Cursor | None:
    """With its statements, if they are here."""
    return member_with_body(declaration, lambda member: member.kind is CursorKind.DESTRUCTOR)


def default_constructor(kind: Type) -> Cursor | None:
    """With its statements, if they are here."""
    declaration = kind.get_canonical().get_declaration()
    return member_with_body(declaration, lambda member: bool(member.is_default_constructor()))


def members_of(declaration: Cursor) -> list[Cursor]:
    """Of a class; Clang shows those of an instance of a template in the template alone."""
    found = list(declaration.get_children())
    template = template_of(declaration) if not found else None
    return list(template.get_children()) if template is not None else found


def member_with_body(declaration: Cursor, test: Callable[[Cursor], bool]) -> Cursor | None:
    for member in members_of(declaration):
        if member.kind in (CursorKind.DESTRUCTOR, CursorKind.CONSTRUCTOR) and test(member):
            for found in (member.get_definition(), template_of(member)):
                if found is not None and body_of(found) is not None:
                    return found
    return None


def is_for_devices(function: Cursor) -> bool:
    return any(child.kind in (CursorKind.CUDAGLOBAL_ATTR, CursorKind.CUDADEVICE_ATTR)
               for child in function.get_children())


def named_by(cursor: Cursor) -> list[Cursor]:
    """Operands of which an expression gives one, and not what is in it."""
    parts = children(cursor)
    if cursor.kind is CursorKind.CONDITIONAL_OPERATOR:
        return parts[1:]
    if cursor.kind is CursorKind.COMPOUND_ASSIGNMENT_OPERATOR:
        return parts[:1]
    if cursor.kind is CursorKind.BINARY_OPERATOR and len(parts) == 2:
        return {"=": parts[:1], ",": parts[1:]}.get(binary_operator(cursor, *parts), [])
    is_changed = cursor.kind is CursorKind.UNARY_OPERATOR and unary_operator(cursor, parts[0]) in ("++", "--")
    return parts if is_changed else []


def is_name(expression: Cursor) -> bool:
    """Of something that can be changed by it."""
    inner = plain(expression)
    named = named_by(inner)
    return all(map(is_name, named)) if named else inner.kind in LVALUES or gives_name(inner)


def gives_name(call: Cursor) -> bool:
    """It gives a reference by which something can be changed."""
    function = call.referenced if call.kind is CursorKind.CALL_EXPR else None
    result = function.type.get_result().get_canonical() if function is not None else None
    return result is not None and result.kind is TypeKind.LVALUEREFERENCE and \
        not result.get_pointee().is_const_qualified()


def has_device_mark(function: Cursor) -> bool:
    """Of a lambda, of which Clang does not show attributes."""
    body = body_of(function)
    end = body.extent.start.offset if body is not None else 0
    return any(token.spelling == "device" and token.extent.start.offset < end for token in function.get_tokens())


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


def fitting(value: Value, cursor: Cursor) -> Value:
    """What arithmetic gives: limits are those of integers, and what is unsigned does not fall below 0."""
    kind = cursor.type.get_canonical().kind
    is_below = kind in UNSIGNED and value.low is not None and value.low < 0
    if kind in FLOATING or is_below:
        return Value(value.level, index=value.index, aligned=value.aligned, dims=value.dims, points=value.points)
    return value


def converted(value: Value, cursor: Cursor) -> Value:
    """By a cast."""
    kind = cursor.type.get_canonical().kind
    if kind in RANGES:
        return value if kind is TypeKind.BOOL and value.low is None else within(value, *RANGES[kind])
    if kind in FLOATING and value.constant is None:
        return Value(value.level, points=value.points)
    if value.constant is not None and kind in WRAPPED:
        low, size = WRAPPED[kind]
        number = (value.constant - low) % size + low
        return value if number == value.constant else constant(number)
    return fitting(value, cursor)


def within(value: Value, low: int, high: int) -> Value:
    """As a type of these limits holds it."""
    if value.constant is not None:
        if high == 1:  # bool
            return constant(int(value.constant != 0))
        return constant((value.constant - low) % (high - low + 1) + low)
    fits = value.low is not None and value.high is not None and low <= value.low and value.high <= high
    return value if fits else Value(value.level, low, high, points=value.points)


def narrowed(value: Value, variable: Cursor) -> Value:
    """As the variable's type holds it."""
    kind = variable.type.get_canonical().kind
    return within(value, *RANGES[kind]) if kind in RANGES else value
