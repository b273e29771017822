# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which functions the files declare, what stands in which of them, and how their names are used."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from clang.cindex import Cursor, CursorKind

from haloheap_mallocs.cursors import FUNCTIONS, descend, ends_threads
from haloheap_mallocs.declarations import declared

TEMPLATES = {CursorKind.FUNCTION_TEMPLATE, CursorKind.CLASS_TEMPLATE,
             CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION}
NAMING = {CursorKind.DECL_REF_EXPR, CursorKind.OVERLOADED_DECL_REF, CursorKind.MEMBER_REF_EXPR}
NAMED = {CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD}


class Written:
    def __init__(self, units: list[Cursor]) -> None:
        self.units = units
        self.scopes: list[Cursor] = []
        """Functions, lambdas, and templates of classes."""
        self.declarations: dict[str, list[Cursor]] = defaultdict(list)
        """Of functions and members that are no templates, unit by unit."""
        self.named: dict[str, set[str]] = defaultdict(set)
        """Functions and templates of a name."""
        self.calls: Counter[str] = Counter()
        self.uses: Counter[str] = Counter()
        """How often a function's name is said, also in a call."""
        self.vague: set[str] = set()
        """Names that templates use without saying which function they mean."""
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
            self.named[cursor.spelling].add(cursor.get_usr())
        if cursor.kind in NAMED:
            self.declarations[cursor.get_usr()].append(cursor)
        if cursor.kind is CursorKind.OVERLOADED_DECL_REF:
            self.vague.add(cursor.spelling)
        function = cursor.referenced if cursor.kind is CursorKind.CALL_EXPR or cursor.kind in NAMING else None
        if function is not None and function.kind in NAMED:
            counter = self.calls if cursor.kind is CursorKind.CALL_EXPR else self.uses
            counter[function.get_usr()] += 1

    def may_take_address_of(self, member: str) -> bool:
        """As `&Class::member`, also of a class that a template does not know yet."""
        taken = re.compile(rf"&[\w\s:<>,]*::\s*(?:template\s+)?{member}\b".encode())
        return any(taken.search(unit.translation_unit.text) for unit in self.units)

    def around(self, cursor: Cursor) -> list[Cursor]:
        """Functions, lambdas and templates in which an expression stands, the innermost first."""
        offset, unit = cursor.extent.start.offset, cursor.translation_unit
        found = [scope for scope in self.scopes if scope.translation_unit == unit and
                 scope.extent.start.offset <= offset < scope.extent.end.offset]
        return sorted(found, key=lambda scope: -int(scope.extent.start.offset))
