# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Values of expressions, and what they store."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from clang.cindex import Cursor, CursorKind, TypeKind

from haloheap_mallocs import builtins
from haloheap_mallocs.conditions import Conditions
from haloheap_mallocs.constants import evaluated, is_dependent, literal
from haloheap_mallocs.cursors import CASTS, FUNCTIONS, binary_operator, children, is_arrow, place_of, plain
from haloheap_mallocs.cursors import text_of, unary_operator
from haloheap_mallocs.declarations import converted, fitting, is_array_like, is_name, method_base, named_by
from haloheap_mallocs.declarations import narrowed, outer, typed
from haloheap_mallocs.frames import Frame, joined
from haloheap_mallocs.memory import Memory
from haloheap_mallocs.sites import Condition, Control
from haloheap_mallocs.values import COMPARISONS, UNKNOWN, Level, Value, binary, compared, constant, of_range

# On a parameter of a template, or that parameter itself.
DEPENDENT = {TypeKind.DEPENDENT, TypeKind.UNEXPOSED}
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


class Expressions(Memory, Conditions):
    def value_of(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        value = self.value_as_written(cursor, frame, control)
        is_vague = self.is_for_any_instance and cursor.type.get_canonical().kind in DEPENDENT
        return value.at_least(Level.THREAD) if is_vague else value

    def value_as_written(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        if cursor.kind in CASTS and plain(cursor) != cursor:
            inner = next(child for child in children(cursor))
            return converted(self.value_of(inner, frame, control), cursor)
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
        if usr in self.references and usr in frame.values:
            return self.load(frame.values[usr], frame, cursor)
        if usr in frame.values:
            return frame.values[usr]
        if cursor.spelling in builtins.BUILTIN_VARIABLES:
            if cursor.spelling == "threadIdx":
                self.dims_used[self.stack[0]] |= {"y", "z"}
            return Value(builtins.builtin(cursor.spelling, "x").level)
        if usr in self.statics:
            return dataclasses.replace(UNKNOWN, points=frozenset(self.contents[f"outer {usr}"]) | {f"outer {usr}"})
        if usr in self.aliases:
            return self.value_of(self.aliases[usr], frame, control)
        if usr in self.shared:
            own = {f"shared {usr}"} if is_array_like(declaration) else set()
            return Value(Level.BLOCK, points=frozenset(self.contents[f"shared {usr}"] | own))
        if declaration.kind is CursorKind.ENUM_CONSTANT_DECL:
            return Value() if is_dependent(declaration) else constant(declaration.enum_value)
        if declaration.spelling == "warpSize":
            return constant(32)
        if declaration.kind in FUNCTIONS:  # it may be called by whoever gets its address
            self.taken.add(usr)
            return Value()
        if declaration.kind is CursorKind.TEMPLATE_NON_TYPE_PARAMETER:
            return typed(Value(), declaration)
        if declaration.kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL) and self.is_outside(declaration):
            return self.value_of_outer(declaration)
        # Something of the function that got its value in a way that is not known.
        return Value(Level.THREAD, points=frame.everything())

    def value_of_outer(self, declaration: Cursor) -> Value:
        """Of a variable that others know; what a kernel writes may differ from thread to thread."""
        number = evaluated(declaration)
        if number is not None:
            return constant(number)
        value = outer(declaration)
        is_written = f"outer {declaration.get_usr()}" in self.stored_before
        return value.at_least(Level.THREAD) if is_written else value

    def is_of_outer_object(self, cursor: Cursor, frame: Frame) -> bool:
        """A member of the functor that is the kernel: each is a variable of its own."""
        inner = children(cursor)
        is_own = not inner or plain(inner[0]).kind is CursorKind.CXX_THIS_EXPR
        return is_own and cursor.referenced is not None and self.this(frame).points == {"outer this"}

    def is_outside(self, variable: Cursor) -> bool:
        """Of the kernel: a variable of a file or of a class, or one of the host's that a lambda has captured."""
        offset = variable.location.offset
        return not any(body.extent.start.offset <= offset < body.extent.end.offset and
                       body.translation_unit == variable.translation_unit for body in self.bodies)

    def value_of_member(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        inner = children(cursor)
        if self.is_of_outer_object(cursor, frame):
            return self.value_of_outer(cursor.referenced)
        if not inner:
            return self.load(self.this(frame), frame, cursor)
        base = plain(inner[0])
        if base.kind is CursorKind.DECL_REF_EXPR and base.spelling in builtins.BUILTIN_VARIABLES:
            if base.spelling == "threadIdx":
                self.dims_used[self.stack[0]].add(cursor.spelling)
            return builtins.builtin(base.spelling, cursor.spelling)
        value = self.value_of(inner[0], frame, control)
        if cursor.referenced is not None:
            number = evaluated(cursor.referenced)
            if number is not None:
                return constant(number)
        if is_arrow(cursor, inner[0]):
            return self.load(value, frame, cursor)
        return typed(Value(value.level, points=value.points), cursor)

    def this(self, frame: Frame) -> Value:
        """A pointer to the object whose function it is."""
        return frame.values.get("this", Value(points=frozenset({"outer this"})))

    def value_of_this(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        return self.this(frame)

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
            return changed if operand.extent.start.offset > cursor.extent.start.offset else value
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
            if usr in self.references and usr in frame.values:
                return frame.values[usr]
            if usr in self.aliases:
                return self.address_of(plain(self.aliases[usr]), frame, control)
            if usr in frame.values:
                return Value(points=frozenset({f"local {usr}"}))
            return Value(points=frozenset({f"outer {usr}"}))
        if cursor.kind is CursorKind.ARRAY_SUBSCRIPT_EXPR:
            base, index = (self.value_of(child, frame, control) for child in children(cursor)[:2])
            return Value(max(base.level, index.level), points=base.points)
        inner = children(cursor)
        if cursor.kind is CursorKind.MEMBER_REF_EXPR:
            if self.is_of_outer_object(cursor, frame):
                return Value(points=frozenset({f"outer {cursor.referenced.get_usr()}"}))
            if not inner:
                return self.this(frame)
            if is_arrow(cursor, inner[0]):
                return self.value_of(inner[0], frame, control)
            return self.address_of(plain(inner[0]), frame, control)
        if cursor.kind is CursorKind.UNARY_OPERATOR and unary_operator(cursor, inner[0]) == "*":
            return self.value_of(inner[0], frame, control)
        if cursor.kind is CursorKind.CALL_EXPR:
            return self.address_of_result(cursor, frame, control)
        if cursor.kind is CursorKind.CONDITIONAL_OPERATOR:
            return self.chosen(cursor, frame, control, lambda each, *at: self.address_of(plain(each), *at))
        value = self.value_of(cursor, frame, control)
        named = named_by(cursor)
        return self.address_of(plain(named[0]), frame, control) if named else value

    def address_of_result(self, call: Cursor, frame: Frame, control: Control) -> Value:
        """Of what a call gives: of a reference, anything that it can reach."""
        value = self.value_of(call, frame, control)
        owner = method_base(call)
        points = set(value.points)
        for part in [*([owner] if owner is not None else []), *call.get_arguments()]:
            if is_name(part):
                points |= self.address_of(plain(part), frame, control).points
        return Value(Level.THREAD, points=self.reach(frozenset(points), frame))

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
        if operator == ">>" and cursor.type.get_canonical().kind in DEPENDENT:  # of a stream, maybe
            self.assign(parts[1], UNKNOWN, frame, control)
        if operator == ",":
            return right
        if operator in COMPARISONS:
            return compared(operator, left, right)
        return typed(fitting(binary(operator, left, right), cursor), cursor)

    def value_of_compound(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        parts = children(cursor)
        operator = binary_operator(cursor, *parts).removesuffix("=")
        value = binary(operator, self.value_of(parts[0], frame, control), self.value_of(parts[1], frame, control))
        value = fitting(value, cursor)
        self.assign(parts[0], value, frame, control)
        return value

    def value_of_choice(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        return self.chosen(cursor, frame, control, self.value_of)

    def chosen(self, cursor: Cursor, frame: Frame, control: Control,
               look: Callable[[Cursor, Frame, Control], Value]) -> Value:
        """What is looked at of one of two operands."""
        parts = children(cursor)
        value = self.value_of(parts[0], frame, control)
        then, otherwise = self.conditions(parts[0], value, frame)
        before = dict(frame.values)
        a = look(parts[1], frame, control + then)
        after, frame.values = frame.values, before
        b = look(parts[2], frame, control + otherwise)
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
            self.assign_variable(target, value, frame, control)
        else:
            self.store(self.address_of(target, frame, control), value, frame, target)

    def assign_variable(self, target: Cursor, value: Value, frame: Frame, control: Control) -> None:
        usr = target.referenced.get_usr()
        if usr in self.references and usr in frame.values:
            self.store(frame.values[usr], value, frame, target)
        elif usr in frame.values:
            before = frame.values[usr]
            is_array = f"local {usr}" in before.points
            frame.values[usr] = before.join(value, Level.GRID) if is_array else narrowed(value, target.referenced)
            if frame.jumps:
                frame.values[usr] = Value(Level.THREAD, points=before.points | value.points)
        elif usr in self.aliases:
            self.assign(self.aliases[usr], value, frame, control)
        else:
            where = "shared" if usr in self.shared else "outer"
            self.store(Value(points=frozenset({f"{where} {usr}"})), value, frame, target)
