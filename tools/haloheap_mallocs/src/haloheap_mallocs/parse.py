# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads sources with Clang: CUDA without CUDA's headers, and C++ as a compilation database says."""

from __future__ import annotations

import os
import pathlib

from clang.cindex import CompilationDatabase, CompilationDatabaseError, Diagnostic, Index, TranslationUnit
from clang.cindex import TranslationUnitLoadError

INCLUDE = pathlib.Path(__file__).parent / "data" / "include"
CUDA_SUFFIXES = {".cu", ".cuh"}
CUDA = ["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version",
        "-Xclang", "-fcuda-allow-variadic-functions", "-std=c++17",
        "-isystem", str(INCLUDE), "-include", str(INCLUDE / "haloheap_cuda.h")]
# What compilers of a database say and Clang does not know, with and without an argument of its own.
WITH_ARGUMENT = {"-o", "-MF", "-MT", "-MQ", "-arch", "-gencode", "-ccbin", "-Xcudafe", "-Xcompiler", "-Xptxas"}
ALONE = {"-c", "-MD", "-MMD", "-MP", "-dc", "-rdc=true", "--expt-extended-lambda", "--extended-lambda",
         "-extended-lambda", "--expt-relaxed-constexpr", "-fopenmp"}
DROPPED = ("-arch=", "-gencode=", "--generate-code", "-ccbin=", "--diag-", "-Xcudafe=", "-Xcompiler=", "--threads",
           "-W")


class ParseError(Exception):
    """A file that Clang cannot read."""


def flags_of(file: pathlib.Path, database: CompilationDatabase | None) -> list[str]:
    commands = database.getCompileCommands(str(file.resolve())) if database else None
    if not commands:
        return []
    arguments = list(commands[0].arguments)[1:]
    flags: list[str] = []
    skip = False
    for argument in arguments:
        if skip:
            skip = False
        elif argument in WITH_ARGUMENT:
            skip = True
        elif argument == "--" or argument in ALONE or argument.startswith(DROPPED):
            continue
        elif pathlib.Path(commands[0].directory, argument).resolve() != file.resolve():
            flags.append(argument)
    return [*flags, "-working-directory", commands[0].directory]


def read_database(folder: pathlib.Path | None) -> CompilationDatabase | None:
    """@throws ParseError where the folder has none"""
    if folder is None:
        return None
    try:
        if (folder / "compile_commands.json").is_file():  # else Clang itself prints that it is not
            return CompilationDatabase.fromDirectory(str(folder))
    except CompilationDatabaseError as error:
        raise ParseError(f"{folder / 'compile_commands.json'}: Clang cannot read it") from error
    raise ParseError(f"{folder}: there is no compile_commands.json\n"
                     "  consequence: nothing was analysed\n"
                     "  remedy: configure with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or give the compiler's flags "
                     "after --")


def parse(file: pathlib.Path, flags: list[str]) -> TranslationUnit:
    """@throws ParseError with what Clang says"""
    if not file.is_file():
        raise ParseError(f"{file}: there is no such file\n  consequence: nothing was analysed")
    is_cuda = file.suffix in CUDA_SUFFIXES
    language = CUDA if is_cuda else ["-x", "c++", "-std=c++20"]
    # Later flags win, so that users' own standard and macros stand.
    arguments = [*language, *[flag for flag in flags if not (is_cuda and flag in ("-x", "cu"))]]
    here = os.getcwd()
    try:
        unit = Index.create().parse(str(file.resolve()), args=arguments)
    except TranslationUnitLoadError as error:
        raise ParseError(f"{file}: Clang cannot read it with these flags: {' '.join(arguments)}") from error
    finally:
        os.chdir(here)  # -working-directory is that of the process, too
    errors = [diagnostic for diagnostic in unit.diagnostics if diagnostic.severity >= Diagnostic.Error]
    if errors:
        raise ParseError(f"{file}: Clang cannot parse it\n" + "\n".join(f"  {error.format()}" for error in errors[:5]) +
                         (f"\n  and {len(errors) - 5} more" if len(errors) > 5 else "") +
                         "\n  remedy: give the flags that it is compiled with after --, or -p with the folder of a "
                         "compile_commands.json")
    return unit
