# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Objects of classes: how they begin and end, of which little stands in the source."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind, Type

from haloheap_mallocs.cursors import initial_values, is_of_the_system, plain, written_arguments
from haloheap_mallocs.declarations import default_constructor, destructor_of, is_record, members_of
from haloheap_mallocs.frames import Frame, merged
from haloheap_mallocs.heaps import Heaps
from haloheap_mallocs.sites import Control
from haloheap_mallocs.values import Value

PARTS = {CursorKind.FIELD_DECL, CursorKind.CXX_BASE_SPECIFIER}


class Objects(Heaps):
    def construct(self, cursor: Cursor, pointer: Value, frame: Frame, control: Control) -> None:
        """An object where a pointer leads."""
        inner = plain(cursor)
        function = inner.referenced
        definition = self.definition_of(function)
        if inner.kind is CursorKind.CALL_EXPR and definition is not None and \
                definition.kind is CursorKind.CONSTRUCTOR and not is_of_the_system(definition):
            arguments = written_arguments(inner)
            values = [self.value_of(argument, frame, control) for argument in arguments]
            self.inline(definition, inner, arguments, values, None, frame, control, pointer)
        else:
            self.complete(inner.type, pointer, frame, control)
            self.store(pointer, self.value_of(cursor, frame, control), frame, cursor)

    def complete(self, kind: Type, pointer: Value, frame: Frame, control: Control, depth: int = 0) -> None:
        """What an object does of itself when nobody says how it begins: members with initial values, or with
        constructors."""
        declaration = kind.get_canonical().get_declaration()
        if depth > 8 or is_of_the_system(declaration):
            return
        for member in members_of(declaration):
            if member.kind in PARTS:
                self.begin(member, pointer, frame, control, depth)

    def begin(self, member: Cursor, pointer: Value, frame: Frame, control: Control, depth: int = 0) -> None:
        """A member or a base, of which nobody says how it begins."""
        initial = initial_values(member) if member.kind is CursorKind.FIELD_DECL and not member.is_bitfield() else []
        if initial:
            self.construct(initial[-1], pointer, frame, control)
        elif is_record(member.type):
            constructor = default_constructor(member.type)
            if constructor is not None and not self.stack.count(constructor.get_usr()):
                self.inline(constructor, member, [], [], None, frame, control, pointer)
            else:
                self.complete(member.type, pointer, frame, control, depth + 1)

    def initialise(self, constructor: Cursor, frame: Frame, control: Control) -> None:
        """Members, before the constructor's body."""
        named = set()
        for child in constructor.get_children():
            if child.kind is CursorKind.MEMBER_REF and child.referenced is not None:
                named.add(child.referenced.get_usr())
            elif child.kind.is_expression():
                self.construct(child, self.this(frame), frame, control)
        for member in members_of(constructor.semantic_parent):
            if member.kind is CursorKind.FIELD_DECL and member.get_usr() not in named:
                self.begin(member, self.this(frame), frame, control)

    def destroy(self, frame: Frame, control: Control) -> None:
        """Variables of the function that have a destructor. Nothing in the source calls it."""
        for variable, declared in reversed(frame.objects):
            pointer = Value(points=frozenset({f"local {variable.get_usr()}"}))
            self.end(variable.type, pointer, frame, merged(control, declared))

    def end(self, kind: Type, pointer: Value, frame: Frame, control: Control, depth: int = 0) -> None:
        """The end of an object: its destructor, and those of its members and bases."""
        declaration = kind.get_canonical().get_declaration()
        if depth > 8 or is_of_the_system(declaration):
            return
        destructor = destructor_of(declaration)
        if destructor is not None and not self.stack.count(destructor.get_usr()):
            self.inline(destructor, destructor, [], [], None, frame, control, pointer)
        for member in members_of(declaration):
            if member.kind in PARTS and is_record(member.type):
                self.end(member.type, pointer, frame, control, depth + 1)
