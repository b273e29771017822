# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Values of expressions, and what they store."""

from __future__ import annotations

import dataclasses

from clang.cindex import Cursor, CursorKind, TypeKind

from haloheap_mallocs import builtins
from haloheap_mallocs.conditions import Conditions
from haloheap_mallocs.constants import evaluated, literal
from haloheap_mallocs.cursors import FUNCTIONS, binary_operator, children, place_of, plain, text_of, unary_operator
from haloheap_mallocs.declarations import is_array_like, narrowed, outer, root_of, typed
from haloheap_mallocs.frames import Frame, joined
from haloheap_mallocs.memory import Memory
from haloheap_mallocs.sites import Condition, Control
from haloheap_mallocs.values import COMPARISONS, Level, Value, binary, compared, constant, of_range

HANDLERS = {
    CursorKind.INTEGER_LITERAL: "value_of_literal",
    CursorKind.CHARACTER_LITERAL: "value_of_literal",
    CursorKind.CXX_BOOL_LITERAL_EXPR: "value_of_literal",
    CursorKind.DECL_REF_EXPR: "value_of_reference",
    CursorKind.MEMBER_REF_EXPR: "value_of_member",
    CursorKind.CXX_THIS_EXPR: "value_of_this",
    CursorKind.ARRAY_SUBSCRIPT_EXPR: "value_of_element",
    CursorKind.UNARY_OPERATOR: "value_of_unary",
    CursorKind.BINARY_OPERATOR: "value_of_binary",
    CursorKind.COMPOUND_ASSIGNMENT_OPERATOR: "value_of_compound",
    CursorKind.CONDITIONAL_OPERATOR: "value_of_choice",
    CursorKind.CXX_UNARY_EXPR: "value_of_sizeof",
    CursorKind.LAMBDA_EXPR: "value_of_lambda",
    CursorKind.CALL_EXPR: "value_of_call",
    CursorKind.CXX_NEW_EXPR: "value_of_new",
    CursorKind.CXX_DELETE_EXPR: "value_of_delete",
}

FLOATING = {TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE, TypeKind.HALF}


class Expressions(Memory, Conditions):
    def value_of(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        cursor = plain(cursor)
        name = HANDLERS.get(cursor.kind)
        if name is not None:
            value: Value = getattr(self, name)(cursor, frame, control)
            return value
        return self.all_of(children(cursor), frame, control)

    def all_of(self, cursors: list[Cursor], frame: Frame, control: Control) -> Value:
        """Of an expression that combines them in a way that is not known."""
        values = [self.value_of(cursor, frame, control) for cursor in cursors
                  if cursor.kind is not CursorKind.LAMBDA_EXPR]
        return Value(max((value.level for value in values), default=Level.GRID),
                     points=frozenset().union(*(value.points for value in values)))

    def value_of_literal(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        number = literal(cursor)
        return Value() if number is None else constant(number)

    def value_of_reference(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        declaration = cursor.referenced
        if declaration is None:
            return Value()
        usr = declaration.get_usr()
        if usr in frame.values:
            return frame.values[usr]
        if usr in self.aliases:
            return self.value_of(self.aliases[usr], frame, control)
        if usr in self.shared:
            value = self.shared[usr]
            return dataclasses.replace(value, points=value.points | frozenset(self.contents[f"shared {usr}"]) |
                                       ({f"shared {usr}"} if is_array_like(declaration) else set()))
        if declaration.kind is CursorKind.ENUM_CONSTANT_DECL:
            return constant(declaration.enum_value)
        if declaration.spelling == "warpSize":
            return constant(32)
        if declaration.kind in FUNCTIONS:
            return Value()
        if declaration.kind is CursorKind.TEMPLATE_NON_TYPE_PARAMETER:
            return typed(Value(), declaration)
        if declaration.kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL) and self.is_outside(declaration):
            number = evaluated(declaration)
            if number is not None:
                return constant(number)
            value = outer(declaration)
            is_written = f"outer {usr}" in self.stored_before
            return value.at_least(Level.THREAD) if is_written else value
        # Something of the function that got its value in a way that is not known.
        return Value(Level.THREAD, points=frame.everything())

    def is_outside(self, variable: Cursor) -> bool:
        """Of the kernel: a variable of a file or of a class, or one of the host's that a lambda has captured."""
        offset = variable.location.offset
        return not any(body.extent.start.offset <= offset < body.extent.end.offset and
                       body.translation_unit == variable.translation_unit for body in self.bodies)

    def value_of_member(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        inner = children(cursor)
        if not inner:  # of *this
            return typed(frame.values.get("this", outer(cursor.referenced or cursor)), cursor)
        base = plain(inner[0])
        if base.kind is CursorKind.DECL_REF_EXPR and base.spelling in builtins.BUILTIN_VARIABLES:
            if base.spelling == "threadIdx":
                self.dims_used[self.stack[0]].add(cursor.spelling)
            return builtins.builtin(base.spelling, cursor.spelling)
        value = self.value_of(base, frame, control)
        if cursor.referenced is not None:
            number = evaluated(cursor.referenced)
            if number is not None:
                return constant(number)
        if base.type.get_canonical().kind is TypeKind.POINTER and base.kind is not CursorKind.CXX_THIS_EXPR:
            return self.load(value, frame, cursor)
        return typed(Value(value.level, points=value.points), cursor)

    def value_of_this(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        return frame.values.get("this", Value(points=frozenset({"outer this"})))

    def value_of_element(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        base, index = (self.value_of(child, frame, control) for child in children(cursor)[:2])
        return self.load(Value(max(base.level, index.level), points=base.points), frame, cursor)

    def value_of_unary(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        operand = children(cursor)[0]
        operator = unary_operator(cursor, operand)
        if operator == "*":
            return self.load(self.value_of(operand, frame, control), frame, cursor)
        if operator == "&":
            return self.address_of(plain(operand), frame, control)
        value = self.value_of(operand, frame, control)
        if operator in ("++", "--"):
            changed = binary(operator[0], value, constant(1))
            self.assign(operand, changed, frame, control)
            return changed
        if operator == "!":
            if value.constant is not None:
                return constant(int(value.constant == 0))
            return of_range(value.level, 0, 1)
        if operator == "-":
            return binary("-", constant(0), value)
        return value if operator == "+" else Value(value.level)

    def address_of(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        if cursor.kind is CursorKind.DECL_REF_EXPR and cursor.referenced is not None:
            usr = cursor.referenced.get_usr()
            if usr in self.shared:
                return Value(points=frozenset({f"shared {usr}"}))
            if usr in frame.values:
                return Value(points=frozenset({f"local {usr}"}))
            return Value(points=frozenset({f"outer {usr}"}))
        if cursor.kind is CursorKind.ARRAY_SUBSCRIPT_EXPR:
            base, index = (self.value_of(child, frame, control) for child in children(cursor)[:2])
            return Value(max(base.level, index.level), points=base.points)
        inner = children(cursor)
        if cursor.kind is CursorKind.MEMBER_REF_EXPR and inner:
            is_pointer = plain(inner[0]).type.get_canonical().kind is TypeKind.POINTER
            if is_pointer:
                return self.value_of(inner[0], frame, control)
            return self.address_of(plain(inner[0]), frame, control)
        return self.value_of(cursor, frame, control)

    def value_of_binary(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        parts = children(cursor)
        if len(parts) != 2:
            return self.all_of(parts, frame, control)
        operator = binary_operator(cursor, *parts)
        if operator == "=":
            value = self.value_of(parts[1], frame, control)
            self.assign(parts[0], value, frame, control)
            return value
        left = self.value_of(parts[0], frame, control)
        if operator in ("&&", "||"):
            condition = Condition(text_of(parts[0]), place_of(parts[0]), left.level)
            before = dict(frame.values)
            right = self.value_of(parts[1], frame, (*control, condition))
            frame.values = joined(before, frame.values, left.level)
            return of_range(max(left.level, right.level), 0, 1)
        if not operator:
            self.value_of(parts[1], frame, control)
            return Value(Level.THREAD, points=frame.everything())
        right = self.value_of(parts[1], frame, control)
        if operator == ",":
            return right
        if operator in COMPARISONS:
            return compared(operator, left, right)
        result = binary(operator, left, right)
        if cursor.type.get_canonical().kind in FLOATING:  # limits are those of integers
            result = Value(result.level)
        return typed(result, cursor)

    def value_of_compound(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        parts = children(cursor)
        operator = binary_operator(cursor, *parts).removesuffix("=")
        value = binary(operator, self.value_of(parts[0], frame, control), self.value_of(parts[1], frame, control))
        self.assign(parts[0], value, frame, control)
        return value

    def value_of_choice(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        parts = children(cursor)
        value = self.value_of(parts[0], frame, control)
        then, otherwise = self.conditions(parts[0], value, frame)
        before = dict(frame.values)
        a = self.value_of(parts[1], frame, control + then)
        after, frame.values = frame.values, before
        b = self.value_of(parts[2], frame, control + otherwise)
        frame.values = joined(after, frame.values, value.level)
        return a.join(b, value.level)

    def value_of_sizeof(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        number = evaluated(cursor)
        return constant(number) if number is not None else of_range(Level.GRID, 1, None)

    def value_of_lambda(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        return Value()

    def assign(self, target: Cursor, value: Value, frame: Frame, control: Control) -> None:
        target = plain(target)
        if target.kind is CursorKind.DECL_REF_EXPR and target.referenced is not None:
            usr = target.referenced.get_usr()
            if usr in frame.values:
                before = frame.values[usr]
                is_array = f"local {usr}" in before.points
                frame.values[usr] = before.join(value, Level.GRID) if is_array else narrowed(value, target.referenced)
            elif usr in self.aliases:
                self.assign(self.aliases[usr], value, frame, control)
            elif usr in self.shared:
                self.store(Value(points=frozenset({f"shared {usr}"})), value, frame, target)
            else:
                self.store(Value(points=frozenset({f"outer {usr}"})), value, frame, target)
            return
        if target.kind is CursorKind.MEMBER_REF_EXPR:
            inner = children(target)
            base = plain(inner[0]) if inner else None
            if base is not None and base.type.get_canonical().kind is not TypeKind.POINTER:
                root = root_of(base)
                if root is not None and root in frame.values:
                    before = frame.values[root]
                    frame.values[root] = Value(max(before.level, value.level), points=before.points | value.points)
                    return
            if base is None or base.kind is CursorKind.CXX_THIS_EXPR:
                self.assign_member(value, frame, target)
                return
            self.store(self.address_of(target, frame, control), value, frame, target)
        else:
            self.store(self.address_of_target(target, frame, control), value, frame, target)

    def assign_member(self, value: Value, frame: Frame, target: Cursor) -> None:
        """Of the object whose function it is."""
        before = frame.values.get("this", Value(points=frozenset({"outer this"})))
        others = frozenset(thing for thing in before.points if thing.startswith(("outer", "shared")))
        if others:
            self.store(Value(before.level, points=others), value, frame, target)
        frame.values["this"] = Value(max(before.level, value.level), points=before.points | value.points)

    def address_of_target(self, target: Cursor, frame: Frame, control: Control) -> Value:
        inner = children(target)
        if target.kind is CursorKind.UNARY_OPERATOR:
            return self.value_of(inner[0], frame, control)
        if target.kind is CursorKind.ARRAY_SUBSCRIPT_EXPR:
            return self.address_of(target, frame, control)
        return self.all_of(inner, frame, control)
