#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The libraries of two spaces share no function and no variable: symbols_test.py NM LIBRARIES HOST_LIBRARIES, each a list
with colons. A linker takes what both define from one of them, for both."""

import re
import subprocess
import sys
import unittest

NM = None
OF_DEFAULT = None
OF_HOST = None
FMT = re.compile(r"\bfmt\b")  # compiled once for both


def defined(lines):
    """{symbol: whether a linker refuses two of it} of the lines of nm."""
    symbols = {}
    for line in lines:
        kind, name = re.fullmatch(r"[0-9a-f]+ (\w) (.+)", line).groups()
        if kind.isupper() or kind in "uvw":
            symbols[name] = kind in "TDBRG"
    return symbols


def symbols_of(libraries):
    listed = subprocess.run([NM, "--defined-only", "--extern-only", "--demangle", *libraries], capture_output=True, text=True,
                            check=True).stdout.splitlines()
    return defined(line for line in listed if line and not line.endswith(":"))


def shared(default, host):
    """What both define, but for templates of other libraries, which are the same in both."""
    return sorted(name for name in default.keys() & host.keys()
                  if not FMT.search(name) and (default[name] or host[name] or "haloheap" in name))


class SymbolsTest(unittest.TestCase):
    def test_nothing_is_defined_by_both(self):
        default, host = symbols_of(OF_DEFAULT), symbols_of(OF_HOST)
        self.assertGreater(len(default), 1000)
        self.assertGreater(len(host), 1000)
        self.assertEqual(shared(default, host), [])

    def test_each_has_a_namespace(self):
        self.assertEqual([name for name in symbols_of(OF_DEFAULT) if "haloheap_host::" in name], [])
        self.assertEqual([name for name in symbols_of(OF_HOST) if re.search(r"\bhaloheap::", name)], [])

    def test_what_both_define_is_seen(self):
        lines = ["0000 T on_crash", "0001 W void haloheap::f<int>()", "0002 W std::vector<int>::size()", "0003 t local",
                 "0004 T fmt::v9::g()"]
        self.assertEqual(shared(defined(lines), defined(lines)), ["on_crash", "void haloheap::f<int>()"])


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    NM, OF_DEFAULT, OF_HOST = sys.argv.pop(1), sys.argv.pop(1).split(":"), sys.argv.pop(1).split(":")
    unittest.main()
