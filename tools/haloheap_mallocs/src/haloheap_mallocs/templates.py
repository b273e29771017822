# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Templates and their instances: which function a call in one of them means, and what an instance was made from."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind, Type, TypeKind, conf

from haloheap_mallocs.constants import TEMPLATE_PARAMETERS, template_of
from haloheap_mallocs.cursors import FUNCTIONS, children, descend, kept, written_arguments

CLASS_TEMPLATES = {CursorKind.CLASS_TEMPLATE, CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION}
TEMPLATES = {CursorKind.FUNCTION_TEMPLATE, *CLASS_TEMPLATES}


def origin_of(function: Cursor) -> Cursor:
    """As it is written: an instance is so as a template, or as a member of one."""
    while (template := template_of(function)) is not None:
        function = template
    return function


def is_of_template(scope: Cursor) -> bool:
    """Itself, or a member of one wherever it is defined."""
    parent: Cursor | None = scope
    while parent is not None and parent.kind not in TEMPLATES:
        parent = parent.semantic_parent
    return parent is not None


def parameter_names(scope: Cursor) -> set[str]:
    """Of a template and of those around it, which nothing in it may be called."""
    names: set[str] = set()
    parent: Cursor | None = scope
    while parent is not None:
        names |= {child.spelling for child in parent.get_children() if child.kind in TEMPLATE_PARAMETERS}
        parent = parent.semantic_parent if is_of_template(parent) else None
    return names


def called_by(call: Cursor) -> Cursor | None:
    """The function that a call means; in a template only if that is the same one for each instance, in any file.

    A name without `::` may mean a function beside the type of an argument, which no file here need have.
    """
    return kept(call, "called", found_by_name)


def found_by_name(call: Cursor) -> Cursor | None:
    if call.referenced is not None:
        return call.referenced
    name = callee_name(call)
    if name is None or conf.lib.clang_getNumOverloadedDecls(name) != 1:
        return None
    callee = children(call)[0]
    is_told = callee.kind is CursorKind.MEMBER_REF_EXPR or callee.extent.start.offset < name.location.offset
    if not is_told and not all(is_of_numbers(argument.type) for argument in written_arguments(call)):
        return None
    function = conf.lib.clang_getOverloadedDecl(name, 0)
    return function if isinstance(function, Cursor) and function.kind in FUNCTIONS else None


def callee_name(call: Cursor) -> Cursor | None:
    """Of a call in a template, of which Clang does not say yet what it means."""
    callee = children(call)[:1] if call.referenced is None else []
    names = [each for part in callee for each in descend(part) if each.kind is CursorKind.OVERLOADED_DECL_REF]
    if len(names) != 1:
        return None
    before = call.translation_unit.text[callee[0].extent.start.offset:names[0].extent.start.offset]
    return names[0] if b"<" not in before else None  # else it may be an argument of a template


def usr_called(call: Cursor) -> str:
    """Of the function as it is written."""
    function = called_by(call) if call.kind is CursorKind.CALL_EXPR else None
    return str(origin_of(function).get_usr()) if function is not None else ""


def is_of_numbers(kind: Type) -> bool:
    """A number, or a pointer to some."""
    kind = kind.get_canonical()
    while kind.kind in (TypeKind.POINTER, TypeKind.LVALUEREFERENCE):
        kind = kind.get_pointee().get_canonical()
    return is_number(kind)


def is_number(kind: Type) -> bool:
    return bool(TypeKind.VOID.value <= kind.get_canonical().kind.value <= TypeKind.LONGDOUBLE.value)
