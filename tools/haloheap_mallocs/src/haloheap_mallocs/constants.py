# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers that Clang knows when it compiles. Two functions of libclang that its Python bindings leave out."""

from __future__ import annotations

import contextlib
import ctypes

from clang.cindex import Cursor, CursorKind, TypeKind, conf

from haloheap_mallocs.cursors import plain

INTEGER = 1  # CXEval_Int
INTEGERS = {
    TypeKind.BOOL, TypeKind.CHAR_U, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT, TypeKind.ULONG, TypeKind.ULONGLONG,
    TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT, TypeKind.INT, TypeKind.LONG, TypeKind.LONGLONG, TypeKind.ENUM,
}

NULL_POINTERS = {CursorKind.CXX_NULL_PTR_LITERAL_EXPR, CursorKind.GNU_NULL_EXPR}
TEMPLATE_PARAMETERS = {
    CursorKind.TEMPLATE_TYPE_PARAMETER, CursorKind.TEMPLATE_NON_TYPE_PARAMETER, CursorKind.TEMPLATE_TEMPLATE_PARAMETER,
}


def prepare() -> None:
    library = conf.lib
    library.clang_Cursor_Evaluate.argtypes = [Cursor]
    library.clang_Cursor_Evaluate.restype = ctypes.c_void_p
    library.clang_EvalResult_getKind.argtypes = [ctypes.c_void_p]
    library.clang_EvalResult_getKind.restype = ctypes.c_int
    library.clang_EvalResult_getAsLongLong.argtypes = [ctypes.c_void_p]
    library.clang_EvalResult_getAsLongLong.restype = ctypes.c_longlong
    library.clang_EvalResult_dispose.argtypes = [ctypes.c_void_p]
    library.clang_EvalResult_dispose.restype = None


def evaluated(cursor: Cursor) -> int | None:
    """Of sizeof, a literal, or a variable that is a constant."""
    if cursor.type.get_canonical().kind not in INTEGERS or is_dependent(cursor):
        return None
    if cursor.kind is CursorKind.VAR_DECL and not cursor.type.is_const_qualified():
        return None
    if cursor.kind is CursorKind.VAR_DECL and not any(child.kind.is_expression() for child in cursor.get_children()):
        return None
    if cursor.kind not in (CursorKind.VAR_DECL, CursorKind.CXX_UNARY_EXPR, CursorKind.INTEGER_LITERAL,
                           CursorKind.CHARACTER_LITERAL):
        return None
    result = conf.lib.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        if conf.lib.clang_EvalResult_getKind(result) != INTEGER:
            return None
        number: int = conf.lib.clang_EvalResult_getAsLongLong(result)
        return number
    finally:
        conf.lib.clang_EvalResult_dispose(result)


def is_dependent(cursor: Cursor) -> bool:
    """On a parameter of a template; Clang cannot compute that, and some releases end when they try."""
    if cursor.type.kind is TypeKind.DEPENDENT:
        return True
    for child in cursor.walk_preorder():
        named = child.referenced
        if named is not None and named.kind in TEMPLATE_PARAMETERS:
            return True
        if child.kind.is_expression() and child.type.kind is TypeKind.DEPENDENT:
            return True
    return False


def literal(cursor: Cursor) -> int | None:
    tokens = [token.spelling for token in cursor.get_tokens()]
    if cursor.kind is CursorKind.CXX_BOOL_LITERAL_EXPR:
        return {"true": 1, "false": 0}.get(tokens[0]) if tokens else None
    if cursor.kind is CursorKind.CHARACTER_LITERAL:
        return evaluated(cursor)
    with contextlib.suppress(ValueError, IndexError):
        return int(tokens[0].replace("'", "").rstrip("uUlLzZ"), 0)
    return evaluated(cursor)


def is_null(pointer: Cursor) -> bool:
    inner = plain(pointer)
    return inner.kind in NULL_POINTERS or (inner.kind is CursorKind.INTEGER_LITERAL and evaluated(inner) == 0)


def template_of(function: Cursor) -> Cursor | None:
    """The template of which a function is an instance."""
    found = conf.lib.clang_getSpecializedCursorTemplate(function)
    return found if isinstance(found, Cursor) else None
