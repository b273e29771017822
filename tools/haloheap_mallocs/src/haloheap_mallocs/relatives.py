# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`calloc`, `aligned_alloc` and `realloc` as requests that can say that all threads of the block ask alike.

What takes the place of malloc gives each thread a block of its own, aligned as those of malloc. So calloc clears it,
and an alignment that it has anyway need not be asked for. What only the heap of a block knows stays with that heap.
"""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

from haloheap_mallocs.constants import evaluated, is_null
from haloheap_mallocs.cursors import plain, written_arguments
from haloheap_mallocs.edits import Edit
from haloheap_mallocs.forms import LARGEST_ALIGNMENT, usual_call
from haloheap_mallocs.sources import Left, Source
from haloheap_mallocs.templates import parameter_names

CLEARED = ("[{captured}](size_t count, size_t each) {{ "
           "void* block = each == 0 || count <= ~size_t(0) / each ? {name}(count * each, {value}) : nullptr; "
           "return block == nullptr ? block : ::memset(block, 0, count * each); }}(")
"""A function, because the block may be null, and the arguments may be anything. It is null, too, where their product is
more than a size_t can be, as calloc has it."""
CLEARED_NAMES = {"size_t", "count", "each", "block", "memset"}


def of_calloc(call: Cursor, source: Source, value: str, name: str) -> set[Edit]:
    """@throws Left"""
    callee, found = usual_call(call, source, 2)
    captured = value if value.isidentifier() and value != "true" else ""
    text = CLEARED.format(captured=captured, name=name, value=value)
    return {Edit(callee[0].begin, found[len(callee)].end, text)}


def require_cleared_names(source: Source, scope: Cursor, name: str) -> None:
    """@throws Left where what clears a block would mean something else by its names, or may not have them"""
    if names := sorted(CLEARED_NAMES & (source.macros | parameter_names(scope) | {name})):
        raise Left(f"what clears its block has something called {names[0]}")


def of_aligned_alloc(call: Cursor, source: Source, value: str, name: str) -> set[Edit]:
    """@throws Left"""
    alignment = constant_of(written_arguments(call)[0])
    if alignment is None or alignment not in (1 << bit for bit in range(LARGEST_ALIGNMENT.bit_length())):
        raise Left(f"it asks for blocks that are not known to be aligned as those of malloc, to {LARGEST_ALIGNMENT} "
                   "bytes")
    return without_first(call, source, value, name)


def of_realloc(call: Cursor, source: Source, value: str, name: str) -> set[Edit]:
    """@throws Left"""
    if not is_null(written_arguments(call)[0]):
        raise Left("realloc takes a block of before, of which only its heap knows how much to keep")
    return without_first(call, source, value, name)


def without_first(call: Cursor, source: Source, value: str, name: str) -> set[Edit]:
    """As malloc of the second argument alone. The first one is a constant. @throws Left"""
    callee, found = usual_call(call, source, 2)
    comma = len(callee) + 1 + len(list(written_arguments(call)[0].get_tokens()))
    begin, end = callee[0].begin, found[comma + 1].begin
    if found[comma].text != "," or b"/" in source.data[begin:end]:  # a comment, which would be lost
        raise Left("it is written in an unusual way")
    return {Edit(begin, end, f"{name}("), Edit(found[-1].begin, found[-1].begin, f", {value}")}


def constant_of(argument: Cursor) -> int | None:
    """Of a literal, sizeof, alignof, or a variable that is a constant."""
    inner = plain(argument)
    is_name = inner.kind is CursorKind.DECL_REF_EXPR and inner.referenced is not None
    return evaluated(inner.referenced if is_name else inner)
