# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Allocations and what gives their blocks back."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind, TypeKind

from haloheap_mallocs import builtins
from haloheap_mallocs.closures import Closures
from haloheap_mallocs.cursors import children, new_of, place_of, plain, qualified_name, text_of
from haloheap_mallocs.declarations import ARRAYS, is_plain_function, is_team, members_of, method_base
from haloheap_mallocs.frames import Frame, merged
from haloheap_mallocs.sites import Control, Site, Visit
from haloheap_mallocs.values import UNKNOWN, Level, Value, binary, constant, of_range


class Heaps(Closures):
    def allocate_by_handle(self, cursor: Cursor, arguments: list[Cursor], frame: Frame, control: Control) -> Value:
        """Bytes, or elements of what it returns a pointer to."""
        value, text = self.value_of(arguments[-1], frame, control), text_of(arguments[-1])
        size = cursor.type.get_canonical().get_pointee().get_size()
        if size > 1:
            value, text = binary("*", value, constant(size)), f"{text} * {size}"
        owner = method_base(cursor)
        is_variable = owner is not None and plain(owner).kind in (CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR)
        heap = self.value_of(plain(owner), frame, control).level if owner is not None and is_variable else Level.THREAD
        return self.allocate(cursor, (text, value), frame, control, heap=heap)

    def bytes_asked(self, cursor: Cursor, name: str, arguments: list[Cursor], frame: Frame,
                    control: Control) -> tuple[str, Value]:
        value, text = constant(1), ""
        for place in builtins.ALLOCATING[name] if arguments else ():
            value = binary("*", value, self.value_of(arguments[place], frame, control))
            text += (" * " if text else "") + text_of(arguments[place])
        return (text, value) if arguments else ("", UNKNOWN)

    def reallocate(self, pointer: Value, before: Value) -> None:
        """What the old block holds is in the new one. A local array cannot grow."""
        for site in self.sites.values():
            if site.block in before.points | pointer.points:
                site.is_kept = True
                site.freed_by.add("realloc")
        for thing in pointer.points:
            self.contents[thing].update(*(self.contents[other] for other in before.points))

    def allocate(self, cursor: Cursor, asked: tuple[str, Value], frame: Frame, control: Control,
                 written: str = "", heap: Level = Level.GRID) -> Value:
        text, size = asked
        key = place_of(cursor)
        site = self.sites.get(key)
        if site is None:
            site = Site(len(self.sites), key, written or text_of(cursor), frame.name, text)
            self.sites[key] = site
        self.requests[key] = cursor
        callers = tuple(place_of(call) for call in self.calls)
        relevant = tuple(condition for condition in merged(control, frame.gone()) if condition.level > Level.GRID)
        visit = Visit(self.entry, callers, relevant, size, tuple(self.rounds), heap)
        if visit not in site.visits:
            site.visits.append(visit)
        self.allocated.append(site)
        return Value(Level.THREAD, points=frozenset({site.block}))

    def value_of_new(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        written, is_array, is_placed = new_of(cursor)
        parts = children(cursor)
        if is_placed:
            values = [self.value_of(part, frame, control) for part in parts]
            return values[0] if values else UNKNOWN
        if "nothrow" in written or "decltype" in written:  # these come first
            parts = parts[1:]
        named = [child.type for child in cursor.get_children() if child.kind is CursorKind.TYPE_REF]
        element = named[0] if named and named[0].get_canonical().kind in ARRAYS else cursor.type.get_pointee()
        size = element.get_size()
        each = constant(size) if size > 0 else of_range(Level.GRID, 1, None)
        count, text = constant(1), f"sizeof({element.spelling})"
        if is_array and parts:
            count = self.value_of(parts[0], frame, control)
            text, parts = f"{text_of(parts[0])} * {text}", parts[1:]
        elif is_array:
            count = UNKNOWN
        pointer = self.allocate(cursor, (text, binary("*", count, each)), frame, control, written)
        for part in parts:
            self.construct(part, pointer, frame, control)
        if not parts:
            self.complete(element, pointer, frame, control)
        return pointer

    def value_of_delete(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        pointer = self.all_of(children(cursor), frame, control)
        for child in children(cursor)[:1]:
            self.end(plain(child).type.get_canonical().get_pointee(), pointer, frame, control)
        return self.free(cursor, pointer, "delete")


def is_of_everybody(function: Cursor | None) -> bool:
    """Not a function of somebody's own that has the name of one of the library."""
    if function is None:
        return True
    return is_plain_function(function) and qualified_name(function).removeprefix("std::").count("::") <= (
        1 if function.spelling.startswith("kokkos_") else 0)


def is_request(call: Cursor, arguments: list[Cursor]) -> bool:
    """allocate(bytes), or allocate(member, bytes) of a whole team, which give a pointer."""
    is_pointer = call.type.get_canonical().kind in (TypeKind.POINTER, TypeKind.DEPENDENT, TypeKind.UNEXPOSED)
    is_of_team = len(arguments) == 2 and is_team(arguments[0])
    return is_pointer and (len(arguments) == 1 or is_of_team)


def is_heap(owner: Cursor) -> bool:
    """It has an allocate that gives void*."""
    kind = owner.type.get_canonical()
    declaration = (kind.get_pointee() if kind.kind is TypeKind.POINTER else kind).get_declaration()
    return any(member.spelling == builtins.HANDLE_ALLOCATES and member.result_type.spelling == "void *"
               for member in members_of(declaration))
