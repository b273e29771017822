# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-mallocs FILE... [-- compiler flags]"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import sys

from clang.cindex import LibclangError

from haloheap_mallocs import __doc__ as purpose
from haloheap_mallocs.analysis import Analysis
from haloheap_mallocs.constants import prepare
from haloheap_mallocs.fix import Fix
from haloheap_mallocs.forms import Alike
from haloheap_mallocs.output import as_json, as_sarif, as_text
from haloheap_mallocs.parse import ParseError, flags_of, macros_of, parse, read_database
from haloheap_mallocs.sites import Site

EPILOGUE = """Files that call each other's functions are given together. CUDA need not be installed: .cu and .cuh are
read with declarations that come along. Exit code 0: all files were analysed; 2: one could not be."""


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser("haloheap-mallocs", description=purpose, epilog=EPILOGUE)
    result.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE", help="sources: CUDA, or C++ with Kokkos")
    result.add_argument("-p", dest="database", type=pathlib.Path, metavar="FOLDER",
                        help="where a compile_commands.json is")
    result.add_argument("--format", choices=("text", "json", "sarif"), default="text")
    result.add_argument("-o", dest="output", type=pathlib.Path, metavar="OUT",
                        help="write to this file (default: print)")
    result.add_argument("--fix", action="store_true",
                        help="print a unified diff (patch -p0) by which allocations that all threads of a block make "
                             "alike say so, and on stderr why others stay as they are")
    result.add_argument("--alike", metavar="NAME",
                        help="with --fix: what takes the place of malloc, void* NAME(size_t bytes, bool all_alike); "
                             "its blocks are for free")
    result.add_argument("--alike-header", metavar="HEADER", help="what to include for it: file.h or <file.h>")
    return result


def analyse(files: list[pathlib.Path], database: pathlib.Path | None, flags: list[str]) -> list[Site]:
    """All allocations in device code of the files. @throws ParseError"""
    return analysis_of(compilations(files, database, flags), False).run()


Compilations = list[tuple[pathlib.Path, list[str]]]


def compilations(files: list[pathlib.Path], database: pathlib.Path | None, flags: list[str]) -> Compilations:
    """Files and the flags of each. @throws ParseError"""
    try:
        prepare()
    except LibclangError as error:
        raise ParseError(str(error).split(". To provide")[0],
                         "install libclang of the release that the bindings for Python have") from error
    commands = read_database(database)
    return [(file, [*flags_of(file, commands), *flags]) for file in files]


def analysis_of(compiled: Compilations, is_for_any_instance: bool) -> Analysis:
    """@throws ParseError"""
    units = [parse(file, flags) for file, flags in compiled]
    return Analysis([unit.cursor for unit in units], is_for_any_instance)


def fixed(files: list[pathlib.Path], database: pathlib.Path | None, flags: list[str],
          alike: Alike) -> tuple[str, list[str]]:
    """A unified diff, and why some allocations stay as they are. @throws ParseError"""
    compiled = compilations(files, database, flags)
    analysis = analysis_of(compiled, True)
    macros = set[str]().union(*(macros_of(file, own) for file, own in compiled))
    sites = analysis.run()
    fix = Fix(analysis, files, macros, alike)
    return fix.run(sites), fix.left


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    flags: list[str] = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, flags = arguments[:at], arguments[at + 1:]
    chosen = parser().parse_args(arguments)
    if not chosen.fix and (chosen.alike or chosen.alike_header):
        parser().error("--alike and --alike-header are for --fix")
    if chosen.alike and not re.fullmatch(r"(::)?[A-Za-z_]\w*(::[A-Za-z_]\w*)*", chosen.alike):
        parser().error(f"--alike {chosen.alike}: that is no name of a function")
    try:
        text = diff(chosen, flags) if chosen.fix else report(chosen, flags)
    except ParseError as error:
        print(f"haloheap-mallocs: {error}", file=sys.stderr)
        return 2
    if chosen.output:
        with chosen.output.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
    else:
        print(text, end="")
    return 0


def report(chosen: argparse.Namespace, flags: list[str]) -> str:
    """@throws ParseError"""
    sites = analyse(chosen.files, chosen.database, flags)
    if chosen.format == "text":
        return as_text(sites) + "\n"
    return json.dumps(as_json(sites) if chosen.format == "json" else as_sarif(sites), indent=2) + "\n"


def diff(chosen: argparse.Namespace, flags: list[str]) -> str:
    """@throws ParseError"""
    text, left = fixed(chosen.files, chosen.database, flags, Alike(chosen.alike, chosen.alike_header))
    for sentence in left:
        print(f"haloheap-mallocs: {sentence}", file=sys.stderr)
    return text
