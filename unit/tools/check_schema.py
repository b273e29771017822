#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks results.json against docs/reference/results.schema.json: check_schema.py RESULTS [SCHEMA].

Exit code 0: valid; 1: not valid, each error with its place; 2: a file cannot be read; 3: jsonschema is missing.
"""

import json
import pathlib
import sys

DEFAULT_SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs/reference/results.schema.json"


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file, parse_constant=refuse_constant)
    except (OSError, ValueError) as error:
        print(f"check_schema.py: cannot read '{path}': {error}", file=sys.stderr)
        sys.exit(2)


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        import jsonschema
    except ImportError:
        print("check_schema.py: needs jsonschema (Debian: apt-get install python3-jsonschema)", file=sys.stderr)
        return 3
    results = load(arguments[0])
    schema = load(arguments[1] if len(arguments) == 2 else DEFAULT_SCHEMA)
    jsonschema.Draft202012Validator.check_schema(schema)
    errors = sorted(jsonschema.Draft202012Validator(schema).iter_errors(results), key=lambda e: list(map(str, e.path)))
    for error in errors:
        place = "/".join(str(step) for step in error.absolute_path) or "(top)"
        print(f"{place}: {error.message[:200]}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
