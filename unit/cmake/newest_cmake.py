# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The CMake that a test runs: the one that it was given, or the newest of PyPI."""

import pathlib
import subprocess
import sys
import zipfile

SKIPPED = 77  # the exit code of a test that could not run, known to ctest


def newest(folder):
    """The newest CMake, kept in the folder once it was there; None where PyPI cannot be reached."""
    program = folder / "cmake" / "data" / "bin" / "cmake"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        # A virtual environment need not have pip.
        if not any(subprocess.run([python, "-m", "pip", "--disable-pip-version-check", "download", "--no-deps",
                                   "--only-binary", ":all:", "--retries", "1", "--dest", folder, "cmake"],
                                  capture_output=True, check=False).returncode == 0
                   for python in (sys.executable, "python3", "/usr/bin/python3")):
            return None
        with zipfile.ZipFile(next(folder.glob("cmake-*.whl"))) as wheel:
            wheel.extractall(folder)
        for file in program.parent.iterdir():
            file.chmod(0o755)
    return program


def chosen(argument):
    """The CMake of a test's argument: a program, or newest:FOLDER. Ends the test where there is none."""
    if not argument.startswith("newest:"):
        return argument
    program = newest(pathlib.Path(argument.removeprefix("newest:")))
    if program is None:
        print("skipped: the newest CMake could not be downloaded from PyPI")
        sys.exit(SKIPPED)
    print(subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0])
    return program
