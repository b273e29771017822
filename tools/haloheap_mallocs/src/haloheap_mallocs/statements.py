# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Statements. True: whoever comes to the end of it goes on behind it."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind, StorageClass, TypeKind

from haloheap_mallocs.calls import Calls
from haloheap_mallocs.cursors import children, descend, ends_threads, has_attribute, initial_values, kept
from haloheap_mallocs.cursors import parts_of, parts_of_loop, place_of, plain, text_of
from haloheap_mallocs.declarations import is_name, is_record, narrowed
from haloheap_mallocs.frames import Frame, Leaving, Loop, joined, merged
from haloheap_mallocs.sites import Condition, Control, level_of
from haloheap_mallocs.values import Level, Value

LOOPS = {CursorKind.FOR_STMT, CursorKind.WHILE_STMT, CursorKind.DO_STMT, CursorKind.CXX_FOR_RANGE_STMT}
SCALARS = {
    TypeKind.BOOL, TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.UCHAR, TypeKind.SHORT, TypeKind.USHORT, TypeKind.INT,
    TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG, TypeKind.ULONGLONG, TypeKind.FLOAT,
    TypeKind.DOUBLE, TypeKind.POINTER, TypeKind.ENUM,
}
ROUNDS = 6


class Statements(Calls):
    def walk(self, statement: Cursor, frame: Frame, control: Control) -> bool:
        control = merged(control, frame.gone())
        kind = statement.kind
        if kind is CursorKind.COMPOUND_STMT:
            return self.walk_all(parts_of(statement), frame, control)
        if kind is CursorKind.DECL_STMT:
            for child in parts_of(statement):
                self.declare(child, frame, control)
        elif kind is CursorKind.IF_STMT:
            return self.walk_if(statement, frame, control)
        elif kind in LOOPS:
            self.walk_loop(statement, frame, control)
        elif kind is CursorKind.SWITCH_STMT:
            self.walk_switch(statement, frame, control)
        elif kind in (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT, CursorKind.LABEL_STMT):
            return self.walk(parts_of(statement)[-1], frame, control)
        elif kind is CursorKind.RETURN_STMT:
            self.walk_return(statement, frame, control)
            return False
        elif kind in (CursorKind.BREAK_STMT, CursorKind.CONTINUE_STMT):
            self.walk_leave(kind is CursorKind.BREAK_STMT, frame, control)
            return False
        elif kind in (CursorKind.GOTO_STMT, CursorKind.INDIRECT_GOTO_STMT):
            return False
        elif kind is CursorKind.ASM_STMT:
            self.forget(statement, frame)
            if ends_threads(statement):
                frame.exits.append(control)
                self.walk_return(statement, frame, control)
                return False
        elif kind.is_expression() or kind is CursorKind.CXX_TRY_STMT:
            self.value_of(statement, frame, control)
        else:
            for child in parts_of(statement):
                self.walk(child, frame, control)
        return True

    def walk_all(self, statements: list[Cursor], frame: Frame, control: Control) -> bool:
        """One after the other. Nobody comes to what stands behind a return, but by a goto."""
        falls = True
        for statement in statements:
            if falls or frame.jumps:
                falls = self.walk(statement, frame, control)
        return falls or frame.jumps

    def walk_body(self, body: Cursor, frame: Frame, control: Control) -> None:
        """Of a function. Where a goto may lead is not followed: any statement may be left out, or come again."""
        self.bodies.append(body)
        frame.jumps = kept(body, "jumps", has_goto)
        if frame.jumps:
            jump = Condition("a goto", place_of(body), Level.THREAD)
            began = len(self.allocated)
            for _ in range(2):
                with self.repeated(body):
                    self.walk(body, frame, (*control, jump))
                frame.values = {usr: unknown(value) for usr, value in frame.values.items()}
            for site in self.allocated[began:]:
                site.is_kept = True
        falls = self.walk(body, frame, (*control, jump) if frame.jumps else control)
        frame.values = frame.returned.join(frame.values, falls)
        self.destroy(frame, control)
        self.bodies.pop()

    def forget(self, statement: Cursor, frame: Frame) -> None:
        """Variables to which something is done that is not known."""
        for cursor in descend(statement):
            if cursor.kind in (CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR) and cursor.referenced is not None:
                self.assign(cursor, Value(Level.THREAD, points=frame.everything()), frame, ())

    def declare(self, variable: Cursor, frame: Frame, control: Control) -> None:
        if variable.kind is not CursorKind.VAR_DECL:
            for child in initial_values(variable):
                self.value_of(child, frame, control)
                if "&" in text_of(variable).split("[", 1)[0]:  # other names of its members
                    self.forget(child, frame)
            return
        usr = variable.get_usr()
        initial = initial_values(variable)
        if has_attribute(variable, CursorKind.CUDASHARED_ATTR):
            self.shared.add(usr)
            return
        for cursor in descend(variable):
            if cursor.kind is CursorKind.LAMBDA_EXPR:
                self.lambdas[usr] = self.closure(cursor, frame)
        if variable.type.kind is TypeKind.LVALUEREFERENCE and initial and is_name(initial[-1]):
            self.value_of(initial[-1], frame, control)
            if plain(initial[-1]).kind is CursorKind.DECL_REF_EXPR:
                self.aliases[usr] = initial[-1]
            else:
                self.references.add(usr)
                frame.values[usr] = self.address_of(plain(initial[-1]), frame, control)
            return
        if variable.storage_class is StorageClass.STATIC and not variable.type.is_const_qualified():
            self.statics.add(usr)
            return
        is_array = variable.type.get_canonical().kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY)
        value = Value()
        for child in initial if not is_array else initial[-1:]:
            value = self.value_of(child, frame, control)
        if is_array:
            value = Value(value.level, value.low, value.high, points=value.points | {f"local {usr}"})
        frame.values[usr] = narrowed(value, variable)
        if variable.type.get_canonical().kind in SCALARS:
            self.scalars.add(usr)
        if is_record(variable.type):
            pointer = Value(points=frozenset({f"local {usr}"}))
            self.complete(variable.type, pointer, frame, control)
            frame.objects.append((variable, control))
        if frame.jumps:
            frame.values[usr] = unknown(frame.values[usr])

    def walk_if(self, statement: Cursor, frame: Frame, control: Control) -> bool:
        parts = parts_of(statement)
        test, parts = self.test_of(parts, frame, control)
        if test is None:
            return True
        value = self.value_of(test, frame, control)
        if value.constant is not None and not frame.jumps:  # if constexpr, and macros
            taken = parts[:1] if value.constant else parts[1:2]
            return self.walk_all(taken, frame, control)
        before = dict(frame.values)
        then, otherwise = self.conditions(test, value, frame)
        falls = self.walk(parts[0], frame, control + then) if parts else True
        after, frame.values = frame.values, before
        falls_else = self.walk(parts[1], frame, control + otherwise) if len(parts) > 1 else True
        if falls and falls_else:
            frame.values = joined(after, frame.values, value.level)
        elif falls:
            frame.values = after
        return falls or falls_else

    def test_of(self, parts: list[Cursor], frame: Frame, control: Control) -> tuple[Cursor | None, list[Cursor]]:
        """What is tested, after what is declared there, and the statements behind it."""
        while parts and parts[0].kind in (CursorKind.DECL_STMT, CursorKind.VAR_DECL):
            if parts[0].kind is CursorKind.DECL_STMT:
                self.walk(parts[0], frame, control)
            else:
                self.declare(parts[0], frame, control)
                if len(parts) > 1 and not parts[1].kind.is_expression():  # it is itself the test
                    return parts[0], parts[1:]
            parts = parts[1:]
        return (parts[0], parts[1:]) if parts else (None, [])

    def walk_loop(self, statement: Cursor, frame: Frame, control: Control) -> None:
        first, test, step, body, does_first = parts_of_loop(statement)
        for part in first:
            self.walk(part, frame, control)
        if statement.kind is CursorKind.CXX_FOR_RANGE_STMT:
            self.begin_range(statement, frame, control)
        outside = dict(frame.values)
        loop = Loop()
        frame.loops.append(loop)
        if does_first and body is not None:
            with self.repeated(statement):
                falls = self.walk(body, frame, control)
            frame.values = loop.skipped.join(frame.values, falls)
        level, changed = Level.GRID, differing(outside, [frame.values])
        for number in range(ROUNDS):
            before = dict(frame.values)
            decided = len(frame.gone())
            with self.repeated(statement):
                if test is not None and test.kind is CursorKind.VAR_DECL:
                    self.declare(test, frame, control)
                value = self.value_of(test, frame, control) if test is not None else Value()
            inside = self.conditions(test, value, frame)[0] if test is not None else ()
            loop.skipped = Leaving()
            with self.repeated(statement):
                falls = self.walk(body, frame, merged(control, frame.gone()) + inside) if body is not None else True
                frame.values = loop.skipped.join(frame.values, falls)
                loop.skipped.decided.clear()
                if step is not None:
                    self.walk(step, frame, control + inside)
            self.note_survivors(set(outside), statement, frame)
            level = max(level, value.level, loop.left.level)
            changed |= differing(before, [frame.values, *(values for values, _ in loop.left.values)])
            # Those who are in a round together have been in as many before.
            frame.values = {usr: found.widened(before[usr]) if usr in before and usr in changed else found
                            for usr, found in joined(before, frame.values, Level.GRID).items()}
            if frame.values == before and len(frame.gone()) == decided and number > 0:
                break
            if number == ROUNDS - 2:  # what goes on changing may be anything
                frame.values = {usr: found if found == before.get(usr) else unknown(found)
                                for usr, found in frame.values.items()}
        frame.loops.pop()
        frame.values = loop.left.join(frame.values)
        # Who has left it after another number of rounds has another value of what a round changes.
        for usr in changed & set(frame.values):
            frame.values[usr] = frame.values[usr].at_least(level)

    def begin_range(self, statement: Cursor, frame: Frame, control: Control) -> None:
        """The variable of a loop over a range: an element of it, or its name."""
        parts = parts_of(statement)
        variables = [part for part in parts if part.kind is CursorKind.VAR_DECL]
        ranges = [part for part in parts[:-1] if part.kind.is_expression()]
        points = frozenset().union(*(self.value_of(part, frame, control).points for part in ranges))
        for variable in variables:
            if variable.type.kind is TypeKind.LVALUEREFERENCE and ranges:
                self.aliases[variable.get_usr()] = ranges[0]
                frame.values.pop(variable.get_usr(), None)
            else:
                frame.values[variable.get_usr()] = Value(Level.THREAD, points=points | frame.everything())

    def note_survivors(self, outside: set[str], loop: Cursor, frame: Frame) -> None:
        """Blocks that are there when their round is over: the next round's is another one."""
        known = frozenset().union(*(value.points for usr, value in frame.values.items() if usr in outside))
        held, place = known.union(*self.contents.values()), place_of(loop)
        for site in self.sites.values():
            is_of_loop = any(place in visit.loops for visit in site.visits)
            if is_of_loop and site.block in held:
                site.is_kept = True

    def walk_leave(self, is_break: bool, frame: Frame, control: Control) -> None:
        loops = frame.loops if is_break else [loop for loop in frame.loops if not loop.is_switch]
        if loops:
            local = control[frame.base:]
            leaving = loops[-1].left if is_break else loops[-1].skipped
            leaving.add(frame.values, local, self.remaining(local, frame.gone()))

    def walk_switch(self, statement: Cursor, frame: Frame, control: Control) -> None:
        test, parts = self.test_of(parts_of(statement), frame, control)
        if test is None:
            return
        value = self.value_of(test, frame, control)
        inside = (*control, Condition(text_of(test), place_of(test), value.level))
        before = dict(frame.values)
        loop = Loop(is_switch=True)
        frame.loops.append(loop)
        sections = [section for part in parts for section in
                    (parts_of(part) if part.kind is CursorKind.COMPOUND_STMT else [part])]
        falls = False
        for section in sections:
            if section.kind in (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT):
                if not falls:  # those who were in other sections are not missing from this one
                    loop.left.decided.clear()
                    frame.values = dict(before)
                level = max(value.level, loop.left.level)
                frame.values = joined(before, frame.values, level)
                falls = True
            if falls or frame.jumps:
                falls = self.walk(section, frame, inside)
        frame.loops.pop()
        level = max(value.level, loop.left.level)
        frame.values = joined(before, frame.values, level) if falls else before
        for found, _ in loop.left.values:
            frame.values = joined(found, frame.values, level)

    def walk_return(self, statement: Cursor, frame: Frame, control: Control) -> None:
        local = control[frame.base:]
        for child in children(statement):
            value = self.value_of(child, frame, control)
            frame.result = value if frame.result is None else frame.result.join(value, level_of(local))
        frame.returned.add(frame.values, local, self.remaining(local, frame.gone()))


def has_goto(body: Cursor) -> bool:
    return any(cursor.kind in (CursorKind.GOTO_STMT, CursorKind.INDIRECT_GOTO_STMT) for cursor in descend(body))


def differing(before: dict[str, Value], after: list[dict[str, Value]]) -> set[str]:
    """Variables that are not what they were."""
    return {usr for values in after for usr, value in values.items() if before.get(usr) is not value}


def unknown(value: Value) -> Value:
    return Value(Level.THREAD, points=value.points)
