# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Statements. True: whoever comes to the end of it goes on behind it."""

from __future__ import annotations

import dataclasses

from clang.cindex import Cursor, CursorKind, TypeKind

from haloheap_mallocs.calls import Calls
from haloheap_mallocs.cursors import children, descend, has_attribute, parts_of_loop, place_of, plain, text_of
from haloheap_mallocs.declarations import narrowed
from haloheap_mallocs.frames import Frame, Loop, joined, merged
from haloheap_mallocs.sites import Condition, Control
from haloheap_mallocs.values import UNKNOWN, Level, Value

LVALUES = {
    CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR, CursorKind.ARRAY_SUBSCRIPT_EXPR, CursorKind.UNARY_OPERATOR,
}


class Statements(Calls):
    def walk(self, statement: Cursor, frame: Frame, control: Control) -> bool:
        control = merged(control, frame.gone())
        kind = statement.kind
        if kind is CursorKind.COMPOUND_STMT:
            return all(self.walk(child, frame, control) for child in statement.get_children())
        if kind is CursorKind.DECL_STMT:
            for child in statement.get_children():
                self.declare(child, frame, control)
        elif kind is CursorKind.IF_STMT:
            return self.walk_if(statement, frame, control)
        elif kind in (CursorKind.FOR_STMT, CursorKind.WHILE_STMT, CursorKind.DO_STMT, CursorKind.CXX_FOR_RANGE_STMT):
            self.walk_loop(statement, frame, control)
        elif kind is CursorKind.SWITCH_STMT:
            self.walk_switch(statement, frame, control)
        elif kind in (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT, CursorKind.LABEL_STMT):
            return self.walk(list(statement.get_children())[-1], frame, control)
        elif kind is CursorKind.RETURN_STMT:
            self.walk_return(statement, frame, control)
            return False
        elif kind in (CursorKind.BREAK_STMT, CursorKind.CONTINUE_STMT):
            if frame.loops:
                loop = frame.loops[-1]
                others = self.remaining(control[frame.base:])
                (loop.left if kind is CursorKind.BREAK_STMT else loop.skipped).extend(others)
            return False
        elif kind.is_expression() or kind is CursorKind.CXX_TRY_STMT:
            self.value_of(statement, frame, control)
        else:
            for child in statement.get_children():
                self.walk(child, frame, control)
        return True

    def declare(self, variable: Cursor, frame: Frame, control: Control) -> None:
        if variable.kind is not CursorKind.VAR_DECL:
            return
        usr = variable.get_usr()
        initial = [child for child in children(variable) if child.kind.is_expression()]
        if has_attribute(variable, CursorKind.CUDASHARED_ATTR):
            self.shared.setdefault(usr, Value(Level.BLOCK))
            return
        for cursor in descend(variable):
            if cursor.kind is CursorKind.LAMBDA_EXPR:
                self.lambdas[usr] = cursor
        if variable.type.kind is TypeKind.LVALUEREFERENCE and initial and plain(initial[-1]).kind in LVALUES:
            self.value_of(initial[-1], frame, control)
            self.aliases[usr] = initial[-1]
            return
        is_array = variable.type.get_canonical().kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY)
        value = Value()
        for child in initial if not is_array else initial[-1:]:
            value = self.value_of(child, frame, control)
        if is_array:
            value = dataclasses.replace(value, points=value.points | {f"local {usr}"})
        frame.values[usr] = narrowed(value, variable)
        if variable.type.get_canonical().kind is TypeKind.RECORD and variable not in frame.objects:
            frame.objects.append(variable)

    def walk_if(self, statement: Cursor, frame: Frame, control: Control) -> bool:
        parts = list(statement.get_children())
        while parts and parts[0].kind in (CursorKind.DECL_STMT, CursorKind.VAR_DECL):
            if parts[0].kind is CursorKind.DECL_STMT:
                self.walk(parts[0], frame, control)
            else:
                self.declare(parts[0], frame, control)
            parts = parts[1:]
        if not parts:
            return True
        value = self.value_of(parts[0], frame, control)
        if value.constant is not None:  # if constexpr, and macros
            taken = parts[1:2] if value.constant else parts[2:3]
            return all(self.walk(part, frame, control) for part in taken)
        before = dict(frame.values)
        then, otherwise = self.conditions(parts[0], value, frame)
        falls = self.walk(parts[1], frame, control + then) if len(parts) > 1 else True
        after, frame.values = frame.values, before
        falls_else = self.walk(parts[2], frame, control + otherwise) if len(parts) > 2 else True
        if falls and falls_else:
            frame.values = joined(after, frame.values, value.level)
        elif falls:
            frame.values = after
        return falls or falls_else

    def walk_loop(self, statement: Cursor, frame: Frame, control: Control) -> None:
        first, test, step, body, does_first = parts_of_loop(statement)
        for part in first:
            self.walk(part, frame, control)
        loop = Loop()
        frame.loops.append(loop)
        if does_first and body is not None:
            with self.repeated(statement):
                self.walk(body, frame, control)
            loop.skipped.clear()
        for _ in range(4):
            before = dict(frame.values)
            value = self.value_of(test, frame, control) if test is not None else Value()
            inside, _ = self.conditions(test, value, frame) if test is not None else ((), ())
            if statement.kind is CursorKind.CXX_FOR_RANGE_STMT:
                for part in first:
                    frame.values[part.get_usr()] = UNKNOWN
            with self.repeated(statement):
                if body is not None:
                    self.walk(body, frame, control + inside)
                loop.skipped.clear()
                if step is not None:
                    self.walk(step, frame, control + inside)
            level = max([value.level, *(condition.level for condition in loop.left)])
            frame.values = {usr: found.widened(before[usr]) if usr in before else found
                            for usr, found in joined(before, frame.values, level).items()}
            if frame.values == before:
                break
        frame.loops.pop()

    def walk_switch(self, statement: Cursor, frame: Frame, control: Control) -> None:
        parts = children(statement)
        value = self.value_of(parts[0], frame, control)
        inside = control
        if value.level > Level.GRID:
            inside = control + (Condition(text_of(parts[0]), place_of(parts[0]), value.level),)
        before = dict(frame.values)
        frame.loops.append(Loop())
        sections = list(parts[-1].get_children()) if parts[-1].kind is CursorKind.COMPOUND_STMT else parts[1:]
        for section in sections:
            if section.kind in (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT):
                frame.loops[-1] = Loop()
                frame.values = joined(before, frame.values, value.level)
            self.walk(section, frame, inside)
        frame.values = joined(before, frame.values, value.level)
        frame.loops.pop()

    def walk_return(self, statement: Cursor, frame: Frame, control: Control) -> None:
        local = control[frame.base:]
        level = max((condition.level for condition in local), default=Level.GRID)
        for child in children(statement):
            value = self.value_of(child, frame, control)
            frame.result = value if frame.result is None else frame.result.join(value, level)
        gone = frame.gone()
        frame.returned += self.remaining(tuple(condition for condition in local if condition not in gone))
