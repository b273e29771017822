# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How an allocation says that all threads of the block ask alike.

A handle in a kernel with teams says so by `ask_alike`. For malloc haloheap has nothing like it: who has a function
`void* NAME(std::size_t bytes, bool all_alike)`, whose blocks `free` takes, names it.
"""

from __future__ import annotations

import dataclasses
import re

from clang.cindex import Cursor, CursorKind, TypeKind

from haloheap_mallocs.analysis import Analysis
from haloheap_mallocs.builtins import HANDLE_ALLOCATES, HANDLE_FREES
from haloheap_mallocs.cursors import has_attribute, parameters_of, place_of, plain, written_arguments
from haloheap_mallocs.edits import Edit
from haloheap_mallocs.signatures import CLASSES, FLAG, is_member
from haloheap_mallocs.sites import Site, level_of
from haloheap_mallocs.sources import Left, Source, Token, written_once
from haloheap_mallocs.values import Level
from haloheap_mallocs.written import Written

ASK_ALIKE = "haloheap::allocators::ask_alike"
ASK_ALIKE_HEADER = "<haloheap/allocators/coalescing/ask_alike.hpp>"
TEAM = re.compile(r"\bKokkos::Impl::\w*TeamMember\b")
OF_THE_LIBRARY: tuple[list[str], ...] = ([], ["::"], ["std", "::"], ["::", "std", "::"])
LARGEST_ALIGNMENT = 16
"""Of the blocks of malloc and of what takes its place."""


@dataclasses.dataclass(frozen=True)
class Alike:
    """What stands in for malloc, if anything does, and what to include for it."""

    name: str | None = None
    header: str | None = None


def require_matching_free(site: Site, name: str) -> None:
    """All that is known to give the block back is the allocation's own counterpart. @throws Left"""
    if others := sorted(site.freed_by - {name}):
        raise Left(f"its block goes to {others[0]}, not to {name} alone")
    if not site.freed:
        raise Left("its block is not given back in these files")


def require_stand_in(alike: Alike, scope: Cursor, written: Written) -> str:
    """What takes the place of malloc. @throws Left where nothing does, or where its name may mean something else"""
    if alike.name is None:
        raise Left("haloheap's malloc cannot be told that all ask alike (name a function that can, with --alike)")
    for other in written.things[alike.name]:
        parent = other.semantic_parent
        if parent is None or parent.kind is CursorKind.TRANSLATION_UNIT or is_stand_in(other):
            continue
        if parent.kind not in CLASSES or is_member(scope):
            raise Left(f"something else is called {alike.name}")
    return alike.name


def is_stand_in(declaration: Cursor) -> bool:
    """Of a namespace, that is asked as what takes the place of malloc is."""
    kinds = [each.type.get_canonical().kind for each in parameters_of(declaration)]
    return declaration.kind is CursorKind.FUNCTION_DECL and len(kinds) == 2 and kinds[1] is TypeKind.BOOL


def of_malloc(call: Cursor, source: Source, value: str, name: str) -> set[Edit]:
    """@throws Left"""
    callee, found = usual_call(call, source, 1)
    edits = {Edit(found[-1].begin, found[-1].begin, f", {value}")}
    if [token.text for token in callee] != [name]:
        edits.add(Edit(callee[0].begin, callee[-1].end, name))
    return edits


def usual_call(call: Cursor, source: Source, count: int) -> tuple[list[Token], list[Token]]:
    """The name of a function of the library in the file, and the call with as many arguments. @throws Left"""
    tokens = written_once(call)
    length = tokens.index("(") if "(" in tokens else 0
    is_usual = tokens[:length][-1:] == [call.spelling] and tokens[:length - 1] in OF_THE_LIBRARY
    if not is_usual or len(written_arguments(call)) != count:
        raise Left("it is written in an unusual way")
    found = source.find(tokens, call_line(call))
    return found[:length], found


def of_handle(site: Site, call: Cursor, source: Source, value: str, scope: Cursor) -> tuple[set[Edit], str | None]:
    """@throws Left"""
    require_matching_free(site, HANDLE_FREES)
    tokens = written_once(call)
    is_usual = len(tokens) > 5 and tokens[0].isidentifier() and tokens[1:4] == [".", HANDLE_ALLOCATES, "("]
    method = call.referenced
    if not is_usual or len(written_arguments(call)) != 1 or call.type.spelling != "void *" or method is None or \
            not method.is_const_method():
        raise Left("it is no plain call of the constant allocate(bytes) of a variable")
    members = [each.spelling for each in parameters_of(scope) if TEAM.search(each.type.get_canonical().spelling)]
    if len(members) != 1 or not members[0]:
        raise Left("no team of Kokkos is a parameter of its function")
    require_no_flag(scope)
    found = source.find(tokens, call_line(call))
    asking = f"{ASK_ALIKE}({tokens[0]}, {members[0]}, "
    if value == "true":
        return {Edit(found[0].begin, found[3].end, asking)}, ASK_ALIKE_HEADER
    first = f"({value} ? {asking}{in_one_line(source, found[4:-1])}) : "
    return {Edit(found[0].begin, found[0].begin, first), Edit(found[-1].end, found[-1].end, ")")}, ASK_ALIKE_HEADER


def in_one_line(source: Source, tokens: list[Token]) -> str:
    """As they are written, unless comments or the ends of lines stand between them."""
    text = source.data[tokens[0].begin:tokens[-1].end].decode()
    return " ".join(token.text for token in tokens) if re.search(r"//|/\*|\n|\\", text) else text


def require_no_flag(scope: Cursor) -> None:
    """@throws Left where the name of the parameter would mean something else, or the allocation has it already"""
    if any(token.spelling == FLAG for token in scope.get_tokens()):
        raise Left(f"its function has something called {FLAG}")


def kernels_of(site: Site, scope: Cursor, analysis: Analysis, written: Written) -> list[Cursor]:
    """Those of which all threads of a block come to the allocation, which is in a function or a kernel."""
    ways = [visit.calls for visit in site.visits if level_of(visit.control) <= Level.BLOCK]
    return [(written.around(analysis.called[way[0]]) or [scope])[0] if way else scope for way in ways]


def require_cuda(kernels: list[Cursor], scope: Cursor) -> None:
    """Blocks of CUDA are what takes the place of malloc knows; and it may be for devices alone. @throws Left"""
    if has_attribute(scope, CursorKind.CUDAHOST_ATTR):
        raise Left("its function is for hosts, too")
    if not all(has_attribute(kernel, CursorKind.CUDAGLOBAL_ATTR) for kernel in kernels):
        raise Left("a kernel that comes to it is none of CUDA's own")


def require_one_lane(kernels: list[Cursor], analysis: Analysis) -> None:
    """Threads of teams with several vector lanes would share a block, which each lane gives back. @throws Left"""
    for kernel in kernels:
        launches = analysis.launched.get(place_of(kernel), [])
        if not launches or not all(any(map(has_one_lane, launch.get_arguments())) for launch in launches):
            raise Left("it is not launched with a TeamPolicy(teams, threads) in place, of one vector lane a thread")


def has_one_lane(policy: Cursor) -> bool:
    made = plain(policy)
    return made.kind is CursorKind.CALL_EXPR and made.spelling == "TeamPolicy" and len(written_arguments(made)) == 2


def call_line(call: Cursor) -> int:
    return place_of(call).line
