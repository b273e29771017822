# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads sources with Clang: CUDA without CUDA's headers, and C++ as a compilation database says.

Macros are gone before the analysis sees a file, so that it looks at operators as they are compiled. Lines stay those of
the file.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess

from clang.cindex import CompilationDatabase, CompilationDatabaseError, Diagnostic, Index, TranslationUnit
from clang.cindex import TranslationUnitLoadError

INCLUDE = pathlib.Path(__file__).parent / "data" / "include"
CUDA_SUFFIXES = {".cu", ".cuh"}
CUDA = ["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version",
        "-Xclang", "-fcuda-allow-variadic-functions", "-std=c++17"]
CXX = ["-x", "c++", "-std=c++20"]
CUDA_HEADERS = ["-D__CUDACC__", "-D__CUDA_ARCH__=900", "-isystem", str(INCLUDE),
                "-include", str(INCLUDE / "haloheap_cuda.h")]
# In the place of -fopenmp: Clang reads what it has preprocessed, and would declare some functions a second time. Its
# own header, where it has one, comes first.
OPENMP = ["-D_OPENMP=201511", "-idirafter", str(INCLUDE.parent / "openmp")]
# Of bits/stdc++.h.
COMMON = ["array", "bitset", "chrono", "complex", "deque", "fstream", "functional", "iomanip", "iostream", "iterator",
          "list", "map", "memory", "mutex", "numeric", "optional", "queue", "random", "set", "sstream", "stack",
          "stdexcept", "string", "thread", "unordered_map", "unordered_set", "vector"]
# What compilers of a database say and Clang does not know, with and without an argument of its own.
WITH_ARGUMENT = {"-o", "-MF", "-MT", "-MQ", "-arch", "-gencode", "-ccbin", "-Xcudafe", "-Xcompiler", "-Xptxas"}
ALONE = {"-c", "-MD", "-MMD", "-MP", "-dc", "-rdc=true", "--expt-extended-lambda", "--extended-lambda",
         "-extended-lambda", "--expt-relaxed-constexpr"}
DROPPED = ("-arch=", "-gencode=", "--generate-code", "-ccbin=", "--diag-", "-Xcudafe=", "-Xcompiler=", "--threads",
           "-W")
# A launch as some editors format it, which nvcc reads and Clang does not.
LAUNCH = re.compile(r"(?<!operator)(?<!operator )<<( ?)<([^;]*?)>>( ?)>(?=\s*\()")
COMPILERS = ("clang++", *(f"clang++-{release}" for release in range(30, 13, -1)))


class ParseError(Exception):
    """What keeps files from being analysed, which its text says, and what to do."""

    def __init__(self, what: str, remedy: str = "") -> None:
        lines = [what, "  consequence: nothing was analysed", *([f"  remedy: {remedy}"] if remedy else [])]
        super().__init__("\n".join(lines))


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
        raise ParseError(f"{folder / 'compile_commands.json'}: Clang cannot read it",
                         "let CMake write it anew, or give the compiler's flags after --") from error
    raise ParseError(f"{folder}: there is no compile_commands.json",
                     "configure with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or give the compiler's flags after --")


def compiler() -> str:
    """@throws ParseError where there is none"""
    for name in COMPILERS:
        if found := shutil.which(name):
            return found
    raise ParseError("there is no clang++", "install Clang, of LLVM 14 or later")


def refused(file: pathlib.Path, said: list[str]) -> ParseError:
    lines = [f"{file}: Clang cannot parse it", *(f"  {line}" for line in said[:5])]
    if len(said) > 5:
        lines.append(f"  and {len(said) - 5} more")
    return ParseError("\n".join(lines), "give the flags that it is compiled with after --, or -p with the folder of a "
                                        "compile_commands.json")


def standard_headers(file: pathlib.Path, folders: list[pathlib.Path], seen: set[pathlib.Path]) -> list[str]:
    """Which of them a file includes, itself or by headers of its own. Kernels may use what is in them."""
    if file in seen or not file.is_file():
        return []
    seen.add(file)
    found = []
    for left, name in re.findall(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]',
                                 file.read_text(encoding="utf-8", errors="replace"), re.MULTILINE):
        places = [*([file.parent] if left == '"' else []), *folders]
        own = next((place / name for place in places if (place / name).is_file()), None)
        if own is not None:
            found += standard_headers(own, folders, seen)
        elif left == "<" and re.fullmatch(r"[a-z_]+", name):
            found.append(name)
        elif name == "bits/stdc++.h":
            found += COMMON
    return found


def folders_of(flags: list[str]) -> list[pathlib.Path]:
    """Where the user's flags say that headers are."""
    return [pathlib.Path(flag[len(option):] or following) for flag, following in zip(flags, [*flags[1:], ""])
            for option in ("-I", "-isystem", "-iquote") if flag.startswith(option)]


def preprocessor_flags(file: pathlib.Path, own: list[str]) -> list[str]:
    """Later flags win, so that users' own standard and macros stand."""
    if file.suffix not in CUDA_SUFFIXES:
        return [*CXX, *own]
    used = [f"-DHALOHEAP_USES_{name}" for name in dict.fromkeys(standard_headers(file, folders_of(own), set()))]
    return [*used, *CUDA, *CUDA_HEADERS, *own]


def own_flags(file: pathlib.Path, flags: list[str]) -> list[str]:
    """The user's, but for the language of a file of CUDA and for OpenMP."""
    own: list[str] = []
    for flag in flags:
        if flag.startswith("-fopenmp"):
            own += OPENMP
        elif not (file.suffix in CUDA_SUFFIXES and flag in ("-x", "cu")):
            own.append(flag)
    return own


def macros_of(file: pathlib.Path, flags: list[str]) -> set[str]:
    """Names of all that the file or one of its headers defines. @throws ParseError with what Clang says"""
    text = preprocessed(file, ["-dD", *preprocessor_flags(file, own_flags(file, flags))])
    return set(re.findall(r"^#define (\w+)", text, re.MULTILINE))


def preprocessed(file: pathlib.Path, flags: list[str]) -> str:
    """@throws ParseError with what Clang says"""
    done = subprocess.run([compiler(), "-E", *flags, str(file.resolve())], capture_output=True, text=True, check=False,
                          errors="replace")
    if done.returncode != 0:
        raise refused(file, [line for line in done.stderr.splitlines() if re.search(r"\berror:", line)] or
                      done.stderr.splitlines())
    return without_skips(done.stdout)


def without_skips(text: str) -> str:
    """Lines that the preprocessor leaves out as empty ones, so that no line of its own stands within an expression."""
    lines: list[str] = []
    file, at = "", 0
    for line in text.split("\n"):
        marker = re.match(r'# (\d+) "([^"]*)"$', line)
        if marker and marker[2] == file and 0 <= int(marker[1]) - at <= 10000:
            lines += [""] * (int(marker[1]) - at)
            at = int(marker[1])
            continue
        lines.append(line)
        if other := re.match(r'# (\d+) "([^"]*)"', line):
            file, at = other[2], int(other[1])
        else:
            at += 1
    return "\n".join(lines)


def parse(file: pathlib.Path, flags: list[str]) -> TranslationUnit:
    """@throws ParseError with what Clang says"""
    if not file.is_file():
        raise ParseError(f"{file}: there is no such file")
    own = own_flags(file, flags)
    language = CUDA if file.suffix in CUDA_SUFFIXES else CXX
    text = preprocessed(file, preprocessor_flags(file, own))
    if file.suffix in CUDA_SUFFIXES:
        text = LAUNCH.sub(r"<<<\1\2>>>\3", text)  # of the same length
    name = f"{file.resolve()}.preprocessed"
    standards = [flag for flag in own if flag.startswith("-std=")]
    here = os.getcwd()
    try:
        unit = Index.create().parse(name, args=[*language, *standards], unsaved_files=[(name, text)])
    except TranslationUnitLoadError as error:
        raise refused(file, [str(error)]) from error
    finally:
        os.chdir(here)  # -working-directory is that of the process, too
    unit.text = text.encode()  # Clang counts bytes
    errors = [diagnostic.format() for diagnostic in unit.diagnostics if diagnostic.severity >= Diagnostic.Error]
    if errors:
        raise refused(file, errors)
    return unit
