# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Objects of classes: how they begin and end, of which little stands in the source."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind, Type, TypeKind

from haloheap_mallocs.cursors import children, is_of_the_system, is_written, plain
from haloheap_mallocs.declarations import default_constructor, destructor_of, members_of
from haloheap_mallocs.frames import Frame, merged
from haloheap_mallocs.heaps import Heaps
from haloheap_mallocs.sites import Control
from haloheap_mallocs.values import Value


class Objects(Heaps):
    def construct(self, cursor: Cursor, pointer: Value, frame: Frame, control: Control) -> None:
        """An object where a pointer leads."""
        inner = plain(cursor)
        function = inner.referenced
        definition = self.definition_of(function)
        if inner.kind is CursorKind.CALL_EXPR and definition is not None and \
                definition.kind is CursorKind.CONSTRUCTOR and not is_of_the_system(definition):
            arguments = [argument for argument in inner.get_arguments()
                         if argument is not None and is_written(argument)]
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
            if member.kind not in (CursorKind.FIELD_DECL, CursorKind.CXX_BASE_SPECIFIER):
                continue
            initial = [child for child in children(member) if child.kind.is_expression()]
            is_width = bool(member.kind is CursorKind.FIELD_DECL and member.is_bitfield())
            if initial and not is_width and member.kind is CursorKind.FIELD_DECL:
                self.construct(initial[-1], pointer, frame, control)
            elif member.type.get_canonical().kind is TypeKind.RECORD:
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
            initial = [child for child in children(member) if child.kind.is_expression()]
            if member.kind is not CursorKind.FIELD_DECL or member.get_usr() in named:
                continue
            if initial and not member.is_bitfield():
                self.construct(initial[-1], self.this(frame), frame, control)
            elif member.type.get_canonical().kind is TypeKind.RECORD:
                made = default_constructor(member.type)
                if made is not None and not self.stack.count(made.get_usr()):
                    self.inline(made, member, [], [], None, frame, control, self.this(frame))
                else:
                    self.complete(member.type, self.this(frame), frame, control)

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
            is_part = member.kind in (CursorKind.FIELD_DECL, CursorKind.CXX_BASE_SPECIFIER)
            if is_part and member.type.get_canonical().kind is TypeKind.RECORD:
                self.end(member.type, pointer, frame, control, depth + 1)
