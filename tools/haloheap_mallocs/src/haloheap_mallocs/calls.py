# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls: allocations, functions that are known by name, and functions whose statements are here."""

from __future__ import annotations

import dataclasses

from clang.cindex import Cursor, CursorKind, Type, TypeKind

from haloheap_mallocs import builtins
from haloheap_mallocs.constants import template_of
from haloheap_mallocs.cursors import (
    CASTS,
    body_of,
    children,
    descend,
    has_attribute,
    is_of_the_system,
    new_of,
    parameters_of,
    place_of,
    plain,
    qualified_name,
    text_of,
)
from haloheap_mallocs.declarations import (
    ARRAYS,
    LVALUES,
    default_constructor,
    destructor_of,
    is_plain_function,
    is_team,
    method_base,
    narrowed,
)
from haloheap_mallocs.expressions import Expressions
from haloheap_mallocs.frames import Closure, Frame, merged
from haloheap_mallocs.sites import Condition, Control, Kind, Site, Visit
from haloheap_mallocs.values import UNKNOWN, WARP, Index, Level, Value, binary, constant, of_range, smaller_or_larger

DEEPEST = 24  # calls
MOST_CALLS = 10000  # of functions, from one kernel
METHODS = {
    CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR, CursorKind.CONVERSION_FUNCTION,
}
ASSIGNING = {"operator=", "operator+=", "operator-=", "operator*=", "operator/=", "operator|=", "operator&="}


class Calls(Expressions):
    limit = MOST_CALLS

    def value_of_call(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        function = cursor.referenced
        arguments = [argument for argument in cursor.get_arguments() if argument is not None and is_written(argument)]
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
            if name == "realloc" and arguments:
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
            return self.free(cursor, self.value_of(arguments[0], frame, control))
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
        is_ours = definition is not None and (owner is None or not is_of_the_system(definition))
        if definition is not None and is_ours and not (is_of_the_system(definition) and is_named(name)):
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

    def allocate_by_handle(self, cursor: Cursor, arguments: list[Cursor], frame: Frame, control: Control) -> Value:
        """Bytes, or elements of what it returns a pointer to."""
        value, text = self.value_of(arguments[-1], frame, control), text_of(arguments[-1])
        size = cursor.type.get_canonical().get_pointee().get_size()
        if size > 1:
            value, text = binary("*", value, constant(size)), f"{text} * {size}"
        return self.allocate(cursor, (text, value), frame, control)

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
        for thing in pointer.points:
            self.contents[thing].update(*(self.contents[other] for other in before.points))

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
        for member in declaration.get_children():
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

    def value_of_delete(self, cursor: Cursor, frame: Frame, control: Control) -> Value:
        pointer = self.all_of(children(cursor), frame, control)
        for child in children(cursor)[:1]:
            self.end(plain(child).type.get_canonical().get_pointee(), pointer, frame, control)
        return self.free(cursor, pointer)

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
        for known in frame.values:  # what it captured by reference
            if known not in closure.kept and inner.values.get(known, frame.values[known]) is not frame.values[known]:
                frame.values[known] = frame.values[known].join(inner.values[known], Level.THREAD)
        result = inner.result or Value()
        self.note_kept(began, result, frame)
        return inner, result

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
        for member in declaration.get_children():
            if member.spelling == "operator()" and body_of(member) is not None:
                return member
        return None

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
            decided = max((condition.level for condition in control), default=Level.GRID)
            level = max([decided, *(value.level for value in inside.values())])
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
        if function.kind is CursorKind.CONSTRUCTOR:
            self.initialise(function, inner, control)
        body = body_of(function)
        if body is not None:
            self.walk_body(body, inner, control)
        self.calls.pop()
        self.stack.pop()
        for known in local:
            frame.values[known] = inner.values[known]
        self.write_back(parameters_of(function), arguments, values, inner, frame, control)
        result = inner.result if inner.result is not None else Value()
        if made:
            result = frame.values.pop(made)
        self.note_kept(began, result, frame)
        return result if depth == 0 else Value(max(level, result.level), points=result.points)

    def note_reached(self, function: Cursor, cursor: Cursor) -> None:
        self.reached.add(function.get_usr())
        for called in (function, cursor.referenced):
            template = template_of(called) if called is not None else None
            if template is not None:
                self.reached.add(template.get_usr())

    def arguments_of(self, function: Cursor, arguments: list[Cursor], values: list[Value], frame: Frame,
                     control: Control) -> dict[str, Value]:
        """Values of the parameters."""
        inside: dict[str, Value] = {}
        for number, parameter in enumerate(parameters_of(function)):
            default = [child for child in children(parameter) if child.kind.is_expression()]
            self.references.discard(parameter.get_usr())
            is_name = parameter.type.kind is TypeKind.LVALUEREFERENCE and number < len(values) and \
                plain(arguments[number]).kind in LVALUES
            if is_name:
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
        if plain(owner).kind in LVALUES:
            return self.address_of(plain(owner), frame, control)
        made = f"object {place_of(owner)}"
        frame.values[made] = self.value_of(owner, frame, control)
        return Value(points=frozenset({f"local {made}"}))

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

    def initialise(self, constructor: Cursor, frame: Frame, control: Control) -> None:
        """Members, before the constructor's body."""
        named = set()
        for child in constructor.get_children():
            if child.kind is CursorKind.MEMBER_REF and child.referenced is not None:
                named.add(child.referenced.get_usr())
            elif child.kind.is_expression():
                self.construct(child, self.this(frame), frame, control)
        for member in constructor.semantic_parent.get_children():
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
        for member in declaration.get_children():
            is_part = member.kind in (CursorKind.FIELD_DECL, CursorKind.CXX_BASE_SPECIFIER)
            if is_part and member.type.get_canonical().kind is TypeKind.RECORD:
                self.end(member.type, pointer, frame, control, depth + 1)

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
               for member in declaration.get_children())


def is_team_object(owner: Cursor, name: str) -> bool:
    """Others have functions of these names, too."""
    return name != "thread_rank" or owner.type.spelling.removeprefix("const ").endswith("thread_block")


def is_written(argument: Cursor) -> bool:
    """Clang has something for arguments that their parameters say, too."""
    return argument.kind is not CursorKind.UNEXPOSED_EXPR or any(True for _ in argument.get_children())


def is_named(name: str) -> bool:
    """The analysis knows it by name."""
    return name in builtins.NAMES
