# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls: allocations, functions that are known by name, and functions whose statements are here."""

from __future__ import annotations

import dataclasses

from clang.cindex import Cursor, CursorKind, TypeKind

from haloheap_mallocs import builtins
from haloheap_mallocs.constants import template_of
from haloheap_mallocs.cursors import body_of, children, descend, new_of, parameters_of, place_of, plain, qualified_name
from haloheap_mallocs.cursors import text_of
from haloheap_mallocs.declarations import destructor_of, is_plain_function, method_base, narrowed, root_of
from haloheap_mallocs.expressions import Expressions
from haloheap_mallocs.frames import Frame, merged
from haloheap_mallocs.sites import Condition, Control, Kind, Site, Visit
from haloheap_mallocs.values import UNKNOWN, Index, Level, Value, binary, constant, of_range, smaller_or_larger

DEEPEST = 24  # calls  # calls
ASSIGNING = {"operator=", "operator+=", "operator-=", "operator*=", "operator/=", "operator|=", "operator&="}


class Calls(Expressions):
    def value_of_call(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        function = cursor.referenced
        name = cursor.spelling or (function.spelling if function is not None else "")
        arguments = list(cursor.get_arguments())
        if name in builtins.ALLOCATING and is_plain_function(function):
            return self.allocate(cursor, self.bytes_asked(cursor, name, arguments, frame, control), frame, control)
        owner = method_base(cursor)
        if owner is not None and name == builtins.HANDLE_ALLOCATES and arguments:
            self.value_of(owner, frame, control)
            asked = text_of(arguments[-1]), self.value_of(arguments[-1], frame, control)
            return self.allocate(cursor, asked, frame, control)
        is_handle = owner is not None and name == builtins.HANDLE_FREES
        if arguments and (is_handle or (name in builtins.FREEING and is_plain_function(function))):
            return self.free(cursor, self.value_of(arguments[0], frame, control))
        if function is not None and qualified_name(function) == builtins.KOKKOS_SINGLE:
            return self.nested(cursor, arguments, frame, control, Kind.ONE)
        if function is not None and qualified_name(function) in builtins.KOKKOS_LAUNCHES:
            return self.nested(cursor, arguments, frame, control, Kind.PART)
        if owner is not None and name in builtins.TEAM_MEMBERS:
            return builtins.TEAM_MEMBERS[name]
        values = [self.value_of(argument, frame, control) for argument in arguments]
        if name in ASSIGNING and len(arguments) == 2 and (owner is None):
            self.assign(arguments[0], values[1], frame, control)
            return values[1]
        if name in ("operator()", "operator[]") and owner is None and values:
            found = self.call_of_variable(cursor, frame, control)
            if found is not None:
                return found
            return self.load(Value(max(value.level for value in values), points=values[0].points), frame, cursor)
        known = self.known(name, values, cursor, frame)
        if known is not None:
            return known
        definition = self.definition_of(function)
        if definition is not None:
            return self.inline(definition, cursor, arguments, values, owner, frame, control)
        return self.unknown(name, values, cursor, function, owner, frame, control)

    def bytes_asked(self, cursor: Cursor, name: str, arguments: list[Cursor], frame: Frame,
                    control: Control) -> tuple[str, Value]:
        if name == "realloc" and arguments:
            self.free(cursor, self.value_of(arguments[0], frame, control))
        value, text = constant(1), ""
        for place in builtins.ALLOCATING[name] if arguments else ():
            value = binary("*", value, self.value_of(arguments[place], frame, control))
            text += (" * " if text else "") + text_of(arguments[place])
        return (text, value) if arguments else ("", UNKNOWN)

    def allocate(self, cursor: Cursor, asked: tuple[str, Value], frame: Frame, control: Control,
                 written: str = "") -> Value:
        text, size = asked
        # A macro may allocate in several places: they are told apart by where the macro stands.
        key = place_of(cursor)
        site = self.sites.get(key)
        if site is None:
            site = Site(len(self.sites), key, written or text_of(cursor), frame.name, text)
            self.sites[key] = site
        callers = tuple(place_of(call) for call in self.calls)
        relevant = tuple(condition for condition in merged(control, frame.gone()) if condition.level > Level.GRID)
        visit = Visit(self.entry, callers, relevant, size, tuple(self.rounds))
        if visit not in site.visits:
            site.visits.append(visit)
        return Value(Level.THREAD, points=frozenset({site.block}))

    def value_of_new(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        written, is_array, is_placed = new_of(cursor)
        parts = children(cursor)
        values = [self.value_of(part, frame, control) for part in parts]
        if is_placed:
            return values[0] if values else UNKNOWN
        element = cursor.type.get_pointee()
        size = element.get_size()
        each = constant(size) if size > 0 else of_range(Level.GRID, 1, None)
        count, arguments, text = constant(1), values, f"sizeof({element.spelling})"
        if is_array and parts:
            count, arguments = values[0], values[1:]
            text = f"{text_of(parts[0])} * {text}"
        pointer = self.allocate(cursor, (text, binary("*", count, each)), frame, control, written)
        for thing in pointer.points:
            self.contents[thing].update(*(value.points for value in arguments))
        return pointer

    def value_of_delete(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        return self.free(cursor, self.all_of(children(cursor), frame, control))

    def nested(self, cursor: Cursor, arguments: list[Cursor], frame: Frame, control: Control, kind: Kind) -> Value:
        """Team loops and single: a lambda whose variables are those of the frame."""
        for argument in arguments:
            body = self.callable_of(argument)
            if body is None:
                self.value_of(argument, frame, control)
                continue
            condition = Condition(text_of(cursor).split("[", 1)[0].rstrip(" ,"), place_of(cursor), Level.THREAD, kind)
            self.run_lambda(body, [Value(Level.THREAD, 0, None, Index.GLOBAL)], frame, control + (condition,))
        return UNKNOWN

    def run_lambda(self, body: Cursor, arguments: list[Value], frame: Frame, control: Control) -> Value:
        usr = f"lambda {place_of(body)}"
        if self.stack.count(usr) or len(self.stack) >= DEEPEST:
            return UNKNOWN
        values = dict(frame.values)
        for number, parameter in enumerate(parameters_of(body)):
            values[parameter.get_usr()] = arguments[number] if number < len(arguments) else UNKNOWN
        inner = Frame(frame.name, values, len(control))
        statements = body_of(body)
        self.stack.append(usr)
        if statements is not None:
            self.walk(statements, inner, control)
        self.stack.pop()
        for known in frame.values:  # what it captured by reference
            if inner.values[known] != frame.values[known]:
                frame.values[known] = frame.values[known].join(inner.values[known], Level.GRID)
        return inner.result or Value()

    def call_of_variable(self, cursor: Cursor, frame: Frame, control: Control) -> Value | None:
        """Of a lambda that is a variable of the function."""
        for inner in children(cursor)[:1]:
            named = plain(inner)
            if named.referenced is not None and named.referenced.get_usr() in self.lambdas:
                arguments = [self.value_of(argument, frame, control) for argument in list(cursor.get_arguments())[1:]]
                return self.run_lambda(self.lambdas[named.referenced.get_usr()], arguments, frame, control)
        return None

    def callable_of(self, argument: Cursor) -> Cursor | None:
        """The body that a lambda, a variable of one, or a functor has."""
        inner = plain(argument)
        for cursor in descend(inner):
            if cursor.kind is CursorKind.LAMBDA_EXPR:
                return cursor
        if inner.referenced is not None and inner.referenced.get_usr() in self.lambdas:
            return self.lambdas[inner.referenced.get_usr()]
        if inner.referenced is not None and inner.referenced.kind is CursorKind.VAR_DECL:
            for cursor in descend(inner.referenced):
                if cursor.kind is CursorKind.LAMBDA_EXPR:
                    return cursor
        declaration = argument.type.get_canonical().get_declaration()
        for member in declaration.get_children():
            if member.spelling == "operator()" and body_of(member) is not None:
                return member
        return None

    def known(self, name: str, values: list[Value], cursor: Cursor, frame: Frame) -> Value | None:
        """Calls of functions of CUDA and of the C library."""
        level = max((value.level for value in values), default=Level.GRID)
        points = frozenset[str]().union(*(value.points for value in values))
        if name in ("min", "max") and len(values) == 2:
            return smaller_or_larger(name, values)
        if name in builtins.MATHEMATICS:
            return Value(level)
        if name in builtins.SYNCHRONISING:
            return Value()
        if name in builtins.OF_A_WARP:
            return Value(Level.WARP)
        if name in builtins.OF_A_BLOCK:
            return Value(Level.BLOCK)
        if name in builtins.SHUFFLES and len(values) >= 3:
            is_from_one = name == "__shfl_sync" and values[2].level <= Level.WARP
            return Value(Level.WARP if is_from_one else Level.THREAD, points=values[1].points)
        if name == "__ldg" and values:
            return self.load(values[0], frame, cursor)
        if name.startswith(builtins.ATOMIC) and values:
            for value in values[1:]:
                self.store(values[0].points, value, frame, cursor)
            return dataclasses.replace(self.load(values[0], frame, cursor), level=Level.THREAD)
        if name in builtins.COPYING and len(values) >= 2:
            inside = frozenset[str]().union(*(self.contents[thing] for thing in values[1].points))
            self.store(values[0].points, Value(points=inside), frame, cursor)
            return values[0]
        if name in builtins.READING:
            if name.startswith("clock"):
                return UNKNOWN
            return Value(level, points=points if name == "memset" else frozenset())
        return None

    def definition_of(self, function: Cursor | None) -> Cursor | None:
        if function is None:
            return None
        found = self.definitions.get(function.get_usr()) or function.get_definition()
        if found is not None and body_of(found) is not None:
            return found
        template = template_of(function)
        if template is not None and body_of(template) is not None:
            return template
        return None

    def inline(self, function: Cursor, cursor: Cursor, arguments: list[Cursor], values: list[Value],
               owner: Cursor | None, frame: Frame, control: Control) -> Value:
        usr = function.get_usr()
        self.reached.add(usr)
        for called in (function, cursor.referenced):
            template = template_of(called) if called is not None else None
            if template is not None:
                self.reached.add(template.get_usr())
        if self.stack.count(usr) or len(self.stack) >= DEEPEST:
            return dataclasses.replace(UNKNOWN, points=frozenset().union(*(value.points for value in values)))
        parameters = parameters_of(function)
        inside: dict[str, Value] = {}
        for number, parameter in enumerate(parameters):
            default = [child for child in children(parameter) if child.kind.is_expression()]
            if number < len(values):
                inside[parameter.get_usr()] = narrowed(values[number], parameter)
            else:
                inside[parameter.get_usr()] = self.value_of(default[-1], frame, control) if default else UNKNOWN
        if function.kind in (CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR):
            inside["this"] = self.value_of(owner, frame, control) if owner is not None else Value()
        inner = Frame(function.spelling, inside, len(control))
        # A pointer to a variable of the caller leads into its frame.
        local = {usr: value for usr, value in frame.values.items() if usr not in inside and usr != "this"}
        inner.values.update(local)
        body = body_of(function)
        self.stack.append(usr)
        self.calls.append(cursor)
        if function.kind is CursorKind.CONSTRUCTOR:
            self.initialise(function, inner, control)
        if body is not None:
            self.walk(body, inner, control)
        self.destroy(inner, control)
        self.calls.pop()
        self.stack.pop()
        for known in local:
            frame.values[known] = inner.values[known]
        for number, parameter in enumerate(parameters[:len(arguments)]):
            is_changeable = not parameter.type.get_pointee().is_const_qualified()
            if parameter.type.kind is TypeKind.LVALUEREFERENCE and is_changeable:
                changed = inner.values[parameter.get_usr()]
                if changed != inside[parameter.get_usr()] or changed != values[number]:
                    self.assign(arguments[number], changed, frame, control)
        root = root_of(owner) if owner is not None else None
        if root is not None and root in frame.values and "this" in inner.values:
            frame.values[root] = frame.values[root].join(inner.values["this"], Level.GRID)
        if function.kind is CursorKind.CONSTRUCTOR:
            return dataclasses.replace(inner.values["this"], points=inner.values["this"].points.union(
                *(value.points for value in values)))
        return inner.result if inner.result is not None else Value()

    def initialise(self, constructor: Cursor, frame: Frame, control: Control) -> None:
        """Members, before the constructor's body."""
        for child in constructor.get_children():
            if child.kind.is_expression():
                value = self.value_of(child, frame, control)
                before = frame.values["this"]
                frame.values["this"] = Value(max(before.level, value.level), points=before.points | value.points)

    def destroy(self, frame: Frame, control: Control) -> None:
        """Variables of the function that have a destructor. Nothing in the source calls it."""
        for variable in reversed(frame.objects):
            destructor = destructor_of(variable)
            if destructor is not None and not self.stack.count(destructor.get_usr()):
                self.reached.add(destructor.get_usr())
                this = frame.values.get(variable.get_usr(), Value())
                inner = Frame(destructor.spelling, {"this": this}, len(control))
                body = body_of(destructor)
                self.stack.append(destructor.get_usr())
                if body is not None:
                    self.walk(body, inner, control)
                self.stack.pop()

    def unknown(self, name: str, values: list[Value], cursor: Cursor, function: Cursor | None,
                owner: Cursor | None, frame: Frame, control: Control) -> Value:
        points = frozenset[str]().union(*(value.points for value in values))
        if owner is not None:
            inside = self.value_of(owner, frame, control)
            points |= inside.points
        if function is not None and function.kind is CursorKind.CONSTRUCTOR:
            return Value(max((value.level for value in values), default=Level.GRID), points=points)
        self.escape(frozenset().union(*(value.points for value in values)), cursor,
                    f"passed to {name or 'a function'}, which is not in these files")
        return dataclasses.replace(UNKNOWN, points=points)
