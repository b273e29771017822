#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Exit code 0 if this Python can import what haloheap-results and the tests need, else 1 and what to install.

--names prints the modules instead, which are called the same on PyPI.
"""

import importlib.util
import sys

PACKAGES = {"matplotlib": "python3-matplotlib", "pandas": "python3-pandas", "jsonschema": "python3-jsonschema"}
OLDEST = (3, 11)  # the first with tomllib


def main():
    if sys.argv[1:] == ["--names"]:
        print(" ".join(PACKAGES))
        return 0
    if sys.version_info[:2] < OLDEST:
        print(f"{sys.executable} is Python {sys.version_info[0]}.{sys.version_info[1]}, and the tests need "
              f"{OLDEST[0]}.{OLDEST[1]} or later, which reads TOML: configure with -DHALOHEAP_PYTHON=<a newer Python>",
              file=sys.stderr)
        return 1
    missing = [package for module, package in PACKAGES.items() if importlib.util.find_spec(module) is None]
    if missing:
        print(f"{sys.executable} cannot import what the tests need: apt-get install {' '.join(missing)}\n"
              "(or run scripts/bootstrap --python and configure with -DHALOHEAP_PYTHON=.venv/bin/python3)", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
