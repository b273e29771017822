# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-mallocs FILE... [-- compiler flags]"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys

from haloheap_mallocs import __doc__ as purpose
from haloheap_mallocs.analysis import Analysis
from haloheap_mallocs.constants import prepare
from haloheap_mallocs.output import as_json, as_sarif, as_text
from haloheap_mallocs.parse import ParseError, flags_of, parse, read_database
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
    return result


def analyse(files: list[pathlib.Path], database: pathlib.Path | None, flags: list[str]) -> list[Site]:
    """All allocations in device code of the files. @throws ParseError"""
    prepare()
    commands = read_database(database)
    units = [parse(file, [*flags_of(file, commands), *flags]) for file in files]
    return Analysis([unit.cursor for unit in units]).run()


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    flags: list[str] = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, flags = arguments[:at], arguments[at + 1:]
    chosen = parser().parse_args(arguments)
    try:
        sites = analyse(chosen.files, chosen.database, flags)
    except ParseError as error:
        print(f"haloheap-mallocs: {error}", file=sys.stderr)
        return 2
    if chosen.format == "text":
        text = as_text(sites)
    else:
        text = json.dumps(as_json(sites) if chosen.format == "json" else as_sarif(sites), indent=2)
    if chosen.output:
        chosen.output.write_text(text + "\n", encoding="utf-8")
    else:
        print(text)
    return 0
