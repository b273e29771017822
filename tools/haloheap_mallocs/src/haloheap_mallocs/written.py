# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which functions the files declare, what stands in which of them, and how their names are used."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from clang.cindex import Cursor, CursorKind, conf

from haloheap_mallocs.cursors import FUNCTIONS, Place, descend, ends_threads, place_of, presumed
from haloheap_mallocs.declarations import declared
from haloheap_mallocs.templates import TEMPLATES, callee_name, origin_of, usr_called

NAMING = {CursorKind.DECL_REF_EXPR, CursorKind.OVERLOADED_DECL_REF, CursorKind.MEMBER_REF_EXPR}
NAMED = {CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.FUNCTION_TEMPLATE}

THINGS = {*NAMED, CursorKind.VAR_DECL, CursorKind.PARM_DECL, CursorKind.FIELD_DECL, CursorKind.ENUM_CONSTANT_DECL,
          CursorKind.TYPEDEF_DECL, CursorKind.TYPE_ALIAS_DECL, CursorKind.USING_DECLARATION,
          CursorKind.TEMPLATE_TYPE_PARAMETER, CursorKind.TEMPLATE_NON_TYPE_PARAMETER}


class Written:
    def __init__(self, units: list[Cursor]) -> None:
        self.units = units
        self.scopes: list[Cursor] = []
        """Functions, lambdas, and templates of classes."""
        self.declarations: dict[str, list[Cursor]] = defaultdict(list)
        """Of functions, members and their templates, unit by unit."""
        self.named: dict[str, set[str]] = defaultdict(set)
        """Functions and templates of a name."""
        self.firsts: dict[tuple[str, str], Cursor] = {}
        """In each unit. Templates that differ by what they require alone have one USR."""
        self.calls: Counter[str] = Counter()
        self.uses: Counter[str] = Counter()
        """How often a function's name is said, also in a call."""
        self.vague: set[str] = set()
        """Names that templates use, and do not call, without saying which function they mean."""
        self.things: dict[str, list[Cursor]] = defaultdict(list)
        """Variables, parameters, types and functions of a name."""
        self.brought: set[str] = set()
        """Names in `using` declarations."""
        self.clear: set[Place] = set()
        """Where names stand of which no more is known, and need not be: they are called, or brought by `using`."""
        self.written_calls: dict[tuple[Place, Place], dict[str, Cursor]] = defaultdict(dict)
        """As they are written, also in templates, by their begin and end; what each unit makes of them."""
        self.news: dict[Place, Cursor] = {}
        """New expressions, by their begin: of an instance of a template Clang does not know where one ends."""
        self.ends_threads = False
        """Somewhere in assembly: the caller would go on without some of its threads."""
        for unit in units:
            for top in unit.get_children():
                if top.kind in TEMPLATES:
                    self.scopes.append(top)
            for top in declared(unit):
                for cursor in descend(top):
                    self.note(cursor)

    def note(self, cursor: Cursor) -> None:
        if cursor.kind in FUNCTIONS or cursor.kind in TEMPLATES or cursor.kind is CursorKind.LAMBDA_EXPR:
            self.scopes.append(cursor)
        if cursor.kind is CursorKind.ASM_STMT:
            self.ends_threads |= ends_threads(cursor)
        if cursor.kind in FUNCTIONS:
            first = self.firsts.setdefault((cursor.translation_unit.spelling, cursor.get_usr()), cursor.canonical)
            is_other = first != cursor.canonical
            self.named[cursor.spelling].add(f"another {cursor.get_usr()}" if is_other else cursor.get_usr())
        if cursor.kind in THINGS:
            self.things[cursor.spelling].append(cursor)
        if cursor.kind in NAMED:
            self.declarations[cursor.get_usr()].append(cursor)
        if cursor.kind is CursorKind.CXX_NEW_EXPR:
            self.news[place_of(cursor)] = cursor
        if cursor.kind is CursorKind.CALL_EXPR:
            self.written_calls[ends_of(cursor)][cursor.translation_unit.spelling] = cursor
            name = callee_name(cursor)
            self.clear |= {place_of(name)} if name is not None else set()
        if cursor.kind is CursorKind.USING_DECLARATION:
            self.brought.add(cursor.spelling)
            self.clear |= {place_of(name) for name in cursor.get_children() if brings_one(name)}
        if cursor.kind is CursorKind.OVERLOADED_DECL_REF and place_of(cursor) not in self.clear:
            self.vague.add(cursor.spelling)
        function = cursor.referenced if cursor.kind is CursorKind.CALL_EXPR or cursor.kind in NAMING else None
        if function is not None and function.kind in NAMED:
            counter = self.calls if cursor.kind is CursorKind.CALL_EXPR else self.uses
            counter[origin_of(function).get_usr()] += 1

    def as_written(self, call: Cursor) -> Cursor:
        """Of an instance of a template, what the template has in that place."""
        if call.kind is CursorKind.CXX_NEW_EXPR:
            return self.news.get(place_of(call), call)
        return [call, *self.written_calls.get(ends_of(call), {}).values()][-1]

    def usrs_called(self, call: Cursor) -> set[str]:
        """By a call as it is written, in all files: which functions of a name are declared depends on the file."""
        return {usr_called(each) for each in self.written_calls.get(ends_of(call), {"": call}).values()}

    def may_take_address_of(self, member: Cursor) -> bool:
        """As `&Class::member`, also of a class that a template does not know yet; of a static one, without the `&`."""
        name = rf"::\s*(?:template\s+)?{member.spelling}\b"
        is_value = rf"{name}(?!\s*[(<])" if member.is_static_method() else r"(?!)"
        return self.is_said(rf"&[\w\s:<>,]*{name}|{is_value}")

    def is_instantiated(self, name: str) -> bool:
        """As `template void name<int>();`, of which Clang shows nothing. It says what the parameters are."""
        return self.is_said(rf"(?m)(?:^|[;{{}}])[ \t]*(?:extern\s+)?template\s+(?![\s<])[^;{{}}]*\b{name}\s*[<(]")

    def is_said(self, pattern: str) -> bool:
        compiled = re.compile(pattern.encode())
        return any(compiled.search(unit.translation_unit.text) for unit in self.units)

    def around(self, cursor: Cursor) -> list[Cursor]:
        """Functions, lambdas and templates in which an expression stands, the innermost first."""
        offset, unit = cursor.extent.start.offset, cursor.translation_unit
        found = [scope for scope in self.scopes if scope.translation_unit == unit and
                 scope.extent.start.offset <= offset < scope.extent.end.offset]
        return sorted(found, key=lambda scope: -int(scope.extent.start.offset))


def ends_of(cursor: Cursor) -> tuple[Place, Place]:
    return place_of(cursor), presumed(cursor.extent.end)


def brings_one(name: Cursor) -> bool:
    """Of a name in a `using` declaration: one function."""
    return name.kind is CursorKind.OVERLOADED_DECL_REF and conf.lib.clang_getNumOverloadedDecls(name) == 1
