# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Lambdas: what they keep, and what they do when they are called."""

from __future__ import annotations

import dataclasses

from clang.cindex import Cursor, CursorKind, TypeKind

from haloheap_mallocs.cursors import CASTS, body_of, children, descend, parameters_of, place_of, plain, text_of
from haloheap_mallocs.declarations import members_of
from haloheap_mallocs.expressions import Expressions
from haloheap_mallocs.frames import Closure, Frame
from haloheap_mallocs.sites import Condition, Control, Kind
from haloheap_mallocs.values import UNKNOWN, Index, Level, Value

DEEPEST = 24  # calls


class Closures(Expressions):
    def nested(self, cursor: Cursor, arguments: list[Cursor], frame: Frame, control: Control, kind: Kind) -> Value:
        """Team loops and single: a lambda whose variables are those of the frame."""
        for argument in arguments:
            closure = self.closure_of(argument, frame)
            if closure is None:
                self.value_of(argument, frame, control)
                continue
            condition = Condition(text_of(cursor).split("[", 1)[0].rstrip(" ,"), place_of(cursor), Level.THREAD, kind)
            index = Value(Level.THREAD, 0, None, Index.GLOBAL)
            self.run_closure(closure, [index], frame, (*control, condition))
        return UNKNOWN

    def closure(self, cursor: Cursor, frame: Frame) -> Closure:
        """A lambda, with the values that its copies have from now on."""
        head = text_of(cursor).removeprefix("[").split("]", 1)[0]
        captures = [part.strip() for part in head.split(",")]
        named = {part.removeprefix("&").split("=")[0].strip() for part in captures}
        kept = {}
        for usr, value in frame.values.items():
            name = usr.rsplit("@", 1)[-1]
            copied = name in named and f"&{name}" not in captures
            if usr == "this" and "*this" not in captures:
                continue
            if copied or ("=" in captures and f"&{name}" not in captures):
                kept[usr] = value
        return Closure(cursor, kept)

    def closure_of(self, cursor: Cursor, frame: Frame) -> Closure | None:
        """What a lambda, or a variable of one, runs."""
        inner = plain(cursor)
        if inner.kind is CursorKind.DECL_REF_EXPR and inner.referenced is not None:
            return self.lambdas.get(inner.referenced.get_usr())
        while inner.kind is not CursorKind.LAMBDA_EXPR:
            parts = children(inner)
            if len(parts) != 1 or inner.kind not in (*CASTS, CursorKind.CALL_EXPR):
                return None
            inner = plain(parts[0])
        return self.closure(inner, frame)

    def run_lambda(self, closure: Closure, arguments: list[Cursor], frame: Frame, control: Control) -> Value:
        values = [self.value_of(argument, frame, control) for argument in arguments]
        inner, result = self.run_closure(closure, values, frame, control)
        if inner is not None:
            self.write_back(parameters_of(closure.body), arguments, values, inner, frame, control)
        return result

    def run_closure(self, closure: Closure, arguments: list[Value], frame: Frame,
                    control: Control) -> tuple[Frame | None, Value]:
        usr = f"lambda {place_of(closure.body)}"
        if self.stack.count(usr) or len(self.stack) >= DEEPEST:
            return None, dataclasses.replace(UNKNOWN, points=frame.everything())
        values = {**frame.values, **closure.kept}
        for number, parameter in enumerate(parameters_of(closure.body)):
            values[parameter.get_usr()] = arguments[number] if number < len(arguments) else UNKNOWN
        inner = Frame(frame.name, values, len(control))
        statements = body_of(closure.body)
        began = len(self.allocated)
        self.lambdas_run.add(place_of(closure.body))
        self.stack.append(usr)
        if statements is not None:
            self.walk_body(statements, inner, control)
        self.stack.pop()
        self.go_on_without(inner, frame)
        for known in frame.values:  # what it captured by reference
            if known not in closure.kept and inner.values.get(known, frame.values[known]) is not frame.values[known]:
                frame.values[known] = frame.values[known].join(inner.values[known], Level.THREAD)
        result = inner.result or Value()
        self.note_kept(began, result, frame)
        return inner, result

    def go_on_without(self, inner: Frame, frame: Frame) -> None:
        """Threads that a call has ended."""
        for control in inner.exits:
            local = control[frame.base:]
            frame.exits.append(control)
            frame.returned.add(frame.values, local, self.remaining(local, frame.gone()))

    def callable_of(self, argument: Cursor, frame: Frame) -> Cursor | None:
        """The body that a lambda, a variable of one, or a functor has."""
        closure = self.closure_of(argument, frame)
        if closure is not None:
            return closure.body
        inner = plain(argument)
        variable = inner.referenced if inner.referenced is not None else inner
        for cursor in descend(variable) if variable.kind is CursorKind.VAR_DECL else descend(inner):
            if cursor.kind is CursorKind.LAMBDA_EXPR:
                return cursor
        declaration = argument.type.get_canonical().get_declaration()
        for member in members_of(declaration):
            if member.spelling == "operator()" and body_of(member) is not None:
                return member
        return None

    def write_back(self, parameters: list[Cursor], arguments: list[Cursor], values: list[Value], inner: Frame,
                   frame: Frame, control: Control) -> None:
        """What a function has done to variables that it knows by reference."""
        for number, parameter in enumerate(parameters[:len(arguments)]):
            is_changeable = not parameter.type.get_pointee().is_const_qualified()
            is_copy = parameter.get_usr() not in self.references
            if parameter.type.kind is TypeKind.LVALUEREFERENCE and is_changeable and is_copy:
                changed = inner.values.get(parameter.get_usr(), values[number])
                if changed is not values[number]:
                    self.assign(arguments[number], changed, frame, control)

    def note_kept(self, began: int, result: Value, frame: Frame) -> None:
        """Blocks of this call that its caller has now."""
        if began == len(self.allocated):
            return
        held = result.points | frame.everything()
        held = held.union(*self.contents.values())
        for site in self.allocated[began:]:
            if site.block in held:
                site.is_kept = True
