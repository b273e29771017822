# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Functions that get one more parameter: whether all threads of the block come, and ask, together.

It has a default, as in [Blach2022], so that calls that nobody has looked at go on to mean what they meant.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from clang.cindex import Cursor, CursorKind, TranslationUnit

from haloheap_mallocs.constants import template_of
from haloheap_mallocs.cursors import FUNCTIONS, Place, has_attribute, initial_values, parameters_of, place_of
from haloheap_mallocs.declarations import is_record
from haloheap_mallocs.edits import Edit
from haloheap_mallocs.sources import Left, Source
from haloheap_mallocs.templates import CLASS_TEMPLATES, is_of_template, parameter_names
from haloheap_mallocs.written import NAMED, Written

FLAG = "all_alike"
CLASSES = {CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.UNION_DECL, *CLASS_TEMPLATES}

SourceOf = Callable[[Cursor], Source]
Edits = list[tuple[Source, Edit]]


def require_plain(function: Cursor, written: Written) -> None:
    """@throws Left for what cannot have one more parameter without a change of its meaning"""
    name, usr = function.spelling, function.get_usr()
    if function.kind not in NAMED or name.startswith("operator") or name == "main" or is_constructor(function):
        raise Left(f"{name + '()' if name else 'a lambda'} is no plain function")
    if is_member(function):
        require_own_member(function, written)
    if is_of_template(function) and written.is_instantiated(name):
        raise Left(f"an instance of {name}() is asked for by its parameters")
    require_told_apart(function, written)
    is_cleanup = written.is_said(rf"cleanup(?:__)?\s*\(\s*(?:\w*\s*::\s*)*{name}\s*\)")
    if is_cleanup or name in written.vague or written.uses[usr] != written.calls[usr]:
        raise Left(f"the address of {name}() is taken")
    for declaration in written.declarations[usr]:
        if has_attribute(declaration, CursorKind.CUDAGLOBAL_ATTR):
            raise Left(f"{name}() is a kernel")
        if any(initial_values(each) for each in parameters_of(declaration)) or "..." in head_of(declaration):
            raise Left(f"{name}() can be called with other numbers of arguments")
        parent = declaration.lexical_parent.kind if declaration.lexical_parent is not None else None
        if parent in FUNCTIONS or (parent in CLASSES and not is_member(function)):
            raise Left(f"{name}() is declared within a class or a function")
        if FLAG in parameter_names(declaration) or any(token.spelling == FLAG for token in declaration.get_tokens()):
            raise Left(f"{name}() has something called {FLAG}")


def require_told_apart(function: Cursor, written: Written) -> None:
    """Calls of functions of one name must go on to mean the same ones.

    Those that say nothing do, since the arguments that are written decide among them as before. With one more argument
    no other function of the name may be meant, whatever class or namespace it belongs to.

    @throws Left
    """
    name, usr = function.spelling, function.get_usr()
    others = written.named[name] - {usr}
    if not others:
        return
    why = f"there is more than one {name}()"
    own = written.declarations[usr]
    declared = [written.declarations.get(other, []) for other in others]
    if not all(declared) or any(map(is_special, [*own, *chain(*declared)])):
        raise Left(f"{why}, of which one is a template, a special instance of one, or no plain function")
    if {place_of(each) for each in own} & {place_of(each) for each in chain(*declared)}:
        raise Left(f"{why}, which several files make of one declaration")
    if name in written.brought:
        raise Left(f"{why}, and a declaration with `using` may bring one beside another")
    count = len(parameters_of(function)) + 1
    if any(takes(each, count) for each in chain(*declared)):
        raise Left(f"{why}, and another one may be called with one more argument")


def is_special(declaration: Cursor) -> bool:
    """It is a template, or a special instance of one, which must have the same parameters."""
    return declaration.kind is CursorKind.FUNCTION_TEMPLATE or template_of(declaration) is not None


def takes(declaration: Cursor, count: int) -> bool:
    """Whether it can be called with as many arguments. @throws Left"""
    parameters = parameters_of(declaration)
    needed = sum(1 for each in parameters if not initial_values(each))
    return needed <= count <= len(parameters) or "..." in head_of(declaration)


def require_own_member(function: Cursor, written: Written) -> None:
    """@throws Left for a member that others override, or that a template may ask for by its name"""
    name = function.spelling
    if function.is_virtual_method():
        raise Left(f"{name}() is virtual")
    if function.kind is CursorKind.CXX_METHOD and has_unknown_base(function.semantic_parent):
        raise Left(f"{name}() may be virtual in a base that depends on a parameter of a template")
    if written.may_take_address_of(function):
        raise Left(f"the address of {name}() is taken")


def is_member(function: Cursor) -> bool:
    return function.semantic_parent is not None and function.semantic_parent.kind in CLASSES


def is_constructor(function: Cursor) -> bool:
    """That is a template, of which Clang does not say that it is one."""
    return is_member(function) and function.spelling.split("<")[0] == function.semantic_parent.spelling


def has_unknown_base(parent: Cursor) -> bool:
    return any(child.kind is CursorKind.CXX_BASE_SPECIFIER and not is_record(child.type)
               for child in parent.get_children())


def extended(function: Cursor, written: Written, source_of: SourceOf) -> Edits:
    """All its declarations, with the parameter. @throws Left"""
    require_plain(function, written)
    firsts: set[Place] = set()
    others: set[Place] = set()
    units: list[TranslationUnit] = []
    declarations = written.declarations[function.get_usr()]
    for declaration in declarations:
        is_first = not any(unit == declaration.translation_unit for unit in units)
        units.append(declaration.translation_unit)
        (firsts if is_first else others).add(place_of(declaration))
    if firsts & others:
        raise Left(f"which declaration of {function.spelling}() comes first differs from file to file")
    edits = []
    for declaration in declarations:
        source = source_of(declaration)
        if FLAG in source.macros:
            raise Left(f"{FLAG} is a macro")
        edits.append((source, with_parameter(declaration, source, place_of(declaration) in firsts)))
    return edits


def with_parameter(declaration: Cursor, source: Source, has_default: bool) -> Edit:
    head = head_of(declaration)
    found = source.find(head, place_of(declaration).line)
    parameter = f"bool {FLAG}" + (" = false" if has_default else "")
    if len(head) > 3 and head[2:-1] != ["void"] and not parameters_of(declaration):  # another name of void
        raise Left(f"the declaration of {declaration.spelling}() is written in an unusual way")
    if head[2:-1] == ["void"]:
        return Edit(found[2].begin, found[2].end, parameter)
    return Edit(found[-1].begin, found[-1].begin, f", {parameter}" if len(head) > 3 else parameter)


def head_of(declaration: Cursor) -> list[str]:
    """The name and the parameters, with their brackets. @throws Left"""
    tokens = [token.spelling for token in declaration.get_tokens()
              if token.extent.start.offset >= declaration.location.offset]
    depth = 0
    for at, text in enumerate(tokens):
        depth += (text == "(") - (text == ")")
        if at == 1 and text != "(":
            break
        if at > 0 and depth == 0:
            return tokens[:at + 1]
    raise Left(f"the declaration of {declaration.spelling}() is written in an unusual way")


def passing(name: str, tokens: list[str], source: Source, line: int, value: str) -> Edit:
    """One more argument."""
    found = source.find(tokens, line)
    if tokens[-1] != ")":
        raise Left(f"the call of {name}() is written in an unusual way")
    text = f", {value}" if tokens[-2] != "(" else value
    return Edit(found[-1].begin, found[-1].begin, text)
