# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls: functions that are known by name, and functions whose statements are here."""

from __future__ import annotations

import dataclasses

from clang.cindex import Cursor, CursorKind, TypeKind

from haloheap_mallocs import builtins
from haloheap_mallocs.closures import DEEPEST
from haloheap_mallocs.constants import is_null, template_of
from haloheap_mallocs.cursors import (
    body_of,
    children,
    has_attribute,
    initial_values,
    is_of_the_system,
    parameters_of,
    place_of,
    plain,
    qualified_name,
    text_of,
    written_arguments,
)
from haloheap_mallocs.declarations import is_name, method_base, narrowed
from haloheap_mallocs.frames import Frame, merged
from haloheap_mallocs.heaps import is_heap, is_of_everybody, is_request
from haloheap_mallocs.objects import Objects
from haloheap_mallocs.sites import Condition, Control, Kind, level_of
from haloheap_mallocs.templates import called_by, origin_of
from haloheap_mallocs.values import UNKNOWN, WARP, Level, Value, binary, smaller_or_larger

MOST_CALLS = 10000  # of functions, from one kernel
METHODS = {
    CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR, CursorKind.CONVERSION_FUNCTION,
}
ASSIGNING = {"operator=", "operator+=", "operator-=", "operator*=", "operator/=", "operator|=", "operator&="}


class Calls(Objects):
    limit = MOST_CALLS

    def value_of_call(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        function = called_by(cursor)
        arguments = written_arguments(cursor)
        called = children(cursor)[:1]
        closure = self.closure_of(called[0], frame) if called else None
        if closure is not None:
            is_operator = bool(arguments) and plain(arguments[0]) == plain(called[0])
            return self.run_lambda(closure, arguments[1:] if is_operator else arguments, frame, control)
        name = cursor.spelling or (function.spelling if function is not None else "") or name_of(called)
        owner = method_base(cursor)
        is_known = owner is None and (function is None or function.get_usr() not in self.definitions)
        if is_known and name in builtins.ALLOCATING and is_of_everybody(function):
            asked = self.bytes_asked(cursor, name, arguments, frame, control)
            pointer = self.allocate(cursor, asked, frame, control)
            if name == "realloc" and arguments and not is_null(arguments[0]):
                self.reallocate(pointer, self.value_of(arguments[0], frame, control))
            return pointer
        # What gives void* is a heap, whatever it does; anything else is one if nobody sees what it does.
        is_seen = function is not None and self.definition_of(function) is not None
        is_handle = owner is not None and (not is_seen or cursor.type.spelling == "void *")
        if is_handle and name == builtins.HANDLE_ALLOCATES and is_request(cursor, arguments):
            return self.allocate_by_handle(cursor, arguments, frame, control)
        is_handle = owner is not None and (not is_seen or is_heap(owner))
        is_freeing = is_known and name in builtins.FREEING and is_of_everybody(function)
        if arguments and (is_freeing or (is_handle and name == builtins.HANDLE_FREES)):
            return self.free(cursor, self.value_of(arguments[0], frame, control), name)
        if function is not None and qualified_name(function) == builtins.KOKKOS_SINGLE:
            return self.nested(cursor, arguments, frame, control, Kind.ONE)
        if function is not None and qualified_name(function) in builtins.KOKKOS_LAUNCHES:
            return self.nested(cursor, arguments, frame, control, Kind.PART)
        if owner is not None and name in builtins.TEAM_MEMBERS and is_team_object(owner, name):
            return builtins.TEAM_MEMBERS[name]
        if owner is None and function is not None and function.kind is CursorKind.CXX_METHOD and arguments and \
                name.startswith("operator"):
            owner, arguments = arguments[0], arguments[1:]
        return self.call(cursor, name, function, owner, arguments, frame, control)

    def call(self, cursor: Cursor, name: str, function: Cursor | None, owner: Cursor | None, arguments: list[Cursor],
             frame: Frame, control: Control) -> Value:
        """Of a function that neither allocates nor frees."""
        values = [self.value_of(argument, frame, control) for argument in arguments]
        definition = self.definition_of(function)
        if function is not None and has_attribute(function, CursorKind.CUDAGLOBAL_ATTR):  # a kernel that is launched
            return self.unknown(name, values, cursor, function, owner, arguments, frame, control)
        is_ours = definition is not None and not is_of_the_system(definition)
        if definition is not None and (is_ours or (owner is None and name not in builtins.NAMES)):
            result = self.inline(definition, cursor, arguments, values, owner, frame, control)
            if function is not None and function.kind is CursorKind.CXX_METHOD and function.is_virtual_method():
                self.taken |= self.overriders(name)
                self.unknown(name, values, cursor, function, owner, arguments, frame, control)
                return dataclasses.replace(UNKNOWN, points=result.points)
            return result
        if function is not None and function.kind is CursorKind.CXX_METHOD and function.is_virtual_method():
            self.taken |= self.overriders(name)
        if name in ASSIGNING and owner is not None and len(arguments) == 1:
            before = self.value_of(owner, frame, control)
            value = values[0] if name == "operator=" else binary("?", before, values[0])
            self.assign(owner, value, frame, control)
            return value
        if name in ("operator()", "operator[]") and owner is not None:
            inside = self.value_of(owner, frame, control)
            level = max([inside.level, *(value.level for value in values)])
            return self.load(Value(level, points=inside.points), frame, cursor)
        is_library = function is None or is_of_the_system(function)
        if owner is None and is_library and (found := self.known(name, values, cursor, frame)) is not None:
            return found
        return self.unknown(name, values, cursor, function, owner, arguments, frame, control)

    def overriders(self, name: str) -> set[str]:
        """Functions that a virtual call of this name may reach."""
        return {usr for usr, other in self.definitions.items()
                if other.spelling == name and other.kind is CursorKind.CXX_METHOD and other.is_virtual_method()}

    def known(self, name: str, values: list[Value], cursor: Cursor, frame: Frame) -> Value | None:
        """Calls of functions of CUDA and of the C library."""
        read = [self.load(value, frame, cursor) for value in values if value.points]
        level = max((value.level for value in [*values, *read]), default=Level.GRID)
        if name in ("min", "max") and len(values) == 2:
            return smaller_or_larger(name, values)
        if name in builtins.MATHEMATICS:
            return Value(level)
        if name in builtins.SYNCHRONISING:
            return Value()
        if name in builtins.OF_A_WARP:
            is_whole = not values or values[0].level <= Level.WARP
            return Value(Level.WARP if is_whole else Level.THREAD)
        if name in builtins.OF_A_BLOCK:
            return Value(Level.BLOCK)
        if name in builtins.SHUFFLES and len(values) >= 3:
            return self.shuffled(name, values, frame)
        if name == "__ldg" and values:
            return self.load(values[0], frame, cursor)
        if name in builtins.ATOMIC and values:
            for value in values[1:]:
                self.store(values[0], value, frame, cursor)
            return dataclasses.replace(self.load(values[0], frame, cursor), level=Level.THREAD)
        if name in builtins.COPYING and len(values) >= 2:
            self.store(values[0], self.load(values[1], frame, cursor), frame, cursor)
            return values[0]
        if name == "memset" and values:
            self.store(values[0], Value(level), frame, cursor)
            return values[0]
        if name in builtins.READING:
            return UNKNOWN if name.startswith("clock") else Value(level)
        return None

    def shuffled(self, name: str, values: list[Value], frame: Frame) -> Value:
        """What another lane has. Its blocks are known to others then."""
        known = self.reach(values[1].points, frame)
        for site in self.sites.values():
            if site.block in known:
                site.is_shared = True
        is_whole = len(values) < 4 or values[3].constant == WARP
        is_from_one = name == "__shfl_sync" and values[2].level <= Level.WARP and is_whole
        return Value(Level.WARP if is_from_one else Level.THREAD, points=values[1].points)

    def definition_of(self, function: Cursor | None) -> Cursor | None:
        if function is None:
            return None
        found = self.definitions.get(function.get_usr()) or function.get_definition()
        if found is not None and body_of(found) is not None:
            parent = found.semantic_parent
            is_written = parent is None or found.location != parent.location
            return found if is_written else None
        template = template_of(function)
        if template is not None and body_of(template) is not None:
            return template
        return None

    def inline(self, function: Cursor, cursor: Cursor, arguments: list[Cursor], values: list[Value],
               owner: Cursor | None, frame: Frame, control: Control, this: Value | None = None) -> Value:
        usr = function.get_usr()
        points = frozenset[str]().union(*(value.points for value in values))
        depth = self.stack.count(usr)
        self.calls_made += 1
        if depth > 1:
            return dataclasses.replace(UNKNOWN, points=points | frame.everything())
        if len(self.stack) >= DEEPEST or self.calls_made > self.limit:
            self.given_up.add(usr)
            return self.unknown(function.spelling, values, cursor, None, owner, arguments, frame, control)
        self.note_reached(function, cursor)
        inside = self.arguments_of(function, arguments, values, frame, control)
        if depth == 1:  # it calls itself: with anything, and where threads decide differently, for some
            level = max([level_of(control), *(value.level for value in inside.values())])
            inside = {name: Value(level, points=points) for name in inside}
            control = (*control, Condition(text_of(cursor), place_of(cursor), level))
        made = f"object {place_of(cursor)}" if function.kind is CursorKind.CONSTRUCTOR and this is None else ""
        if function.kind in METHODS:
            inside["this"] = self.object_of(owner, frame, control) if this is None else this
        if made:
            frame.values[made] = Value()
            inside["this"] = Value(points=frozenset({f"local {made}"}))
        inner = Frame(function.spelling, inside, len(control))
        # A pointer to a variable of the caller leads into its frame.
        local = {name: value for name, value in frame.values.items() if name not in inside and name != "this"}
        inner.values.update(local)
        began = len(self.allocated)
        self.stack.append(usr)
        self.calls.append(cursor)
        self.arrive(merged(control, frame.gone()))
        if function.kind is CursorKind.CONSTRUCTOR:
            self.initialise(function, inner, control)
        body = body_of(function)
        if body is not None:
            self.walk_body(body, inner, control)
        self.calls.pop()
        self.stack.pop()
        self.go_on_without(inner, frame)
        for known in local:
            frame.values[known] = inner.values[known]
        self.write_back(parameters_of(function), arguments, values, inner, frame, control)
        result = inner.result if inner.result is not None else Value()
        if made:
            result = frame.values.pop(made)
        self.note_kept(began, result, frame)
        return result if depth == 0 else Value(max(level, result.level), points=result.points)

    def note_reached(self, function: Cursor, cursor: Cursor) -> None:
        for called in (function, cursor.referenced):
            if called is not None:
                self.reached |= {called.get_usr(), origin_of(called).get_usr()}

    def arguments_of(self, function: Cursor, arguments: list[Cursor], values: list[Value], frame: Frame,
                     control: Control) -> dict[str, Value]:
        """Values of the parameters."""
        inside: dict[str, Value] = {}
        for number, parameter in enumerate(parameters_of(function)):
            default = initial_values(parameter)
            self.references.discard(parameter.get_usr())
            if parameter.type.kind is TypeKind.LVALUEREFERENCE and number < len(values) and is_name(arguments[number]):
                self.references.add(parameter.get_usr())
                inside[parameter.get_usr()] = self.address_of(plain(arguments[number]), frame, control)
            elif number < len(values):
                inside[parameter.get_usr()] = narrowed(values[number], parameter)
                closure = self.closure_of(arguments[number], frame)
                if closure is not None:
                    self.lambdas[parameter.get_usr()] = closure
            else:
                inside[parameter.get_usr()] = self.value_of(default[-1], frame, control) if default else UNKNOWN
        return inside

    def object_of(self, owner: Cursor | None, frame: Frame, control: Control) -> Value:
        """A pointer to it."""
        if owner is None:
            return self.this(frame)
        if plain(owner).type.get_canonical().kind is TypeKind.POINTER:
            return self.value_of(owner, frame, control)
        if is_name(owner):
            return self.address_of(plain(owner), frame, control)
        made = f"object {place_of(owner)}"
        frame.values[made] = self.value_of(owner, frame, control)
        return Value(points=frozenset({f"local {made}"}))

    def unknown(self, name: str, values: list[Value], cursor: Cursor, function: Cursor | None,
                owner: Cursor | None, arguments: list[Cursor], frame: Frame, control: Control) -> Value:
        """It may keep what it gets, and change whatever it can reach."""
        points = frozenset[str]().union(*(value.points for value in values))
        if owner is not None:
            points |= self.value_of(owner, frame, control).points
        if function is not None and function.kind is CursorKind.CONSTRUCTOR:
            return Value(max((value.level for value in values), default=Level.GRID), points=points)
        reached = self.reach(points, frame)
        self.escape(reached, cursor, f"passed to {name or 'a function'}, which is not in these files")
        anything = Value(Level.THREAD, points=reached)
        for thing in reached:
            kind, _, usr = thing.partition(" ")
            if kind == "local" and usr in frame.values:
                frame.values[usr] = Value(Level.THREAD, points=frame.values[usr].points | reached)
        is_declared = function is not None and function.type.kind is TypeKind.FUNCTIONPROTO
        types = list(function.type.argument_types()) if is_declared and function is not None else []
        for number, argument in enumerate(arguments):
            is_reference = number >= len(types) or (types[number].kind is TypeKind.LVALUEREFERENCE and
                                                    not types[number].get_pointee().is_const_qualified())
            if is_reference and plain(argument).kind is CursorKind.DECL_REF_EXPR:
                self.assign(argument, anything, frame, control)
        return dataclasses.replace(UNKNOWN, points=reached)


def name_of(called: list[Cursor]) -> str:
    """Of what a template calls, which is not decided yet."""
    tokens = [token.spelling for cursor in called for token in cursor.get_tokens()]
    return tokens[-1] if tokens else ""


def is_team_object(owner: Cursor, name: str) -> bool:
    """Others have functions of these names, too."""
    return name != "thread_rank" or owner.type.spelling.removeprefix("const ").endswith("thread_block")
