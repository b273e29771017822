# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""For tests of the scripts that print tables of results."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest


class TableScriptTest(unittest.TestCase):
    """Runs SCRIPT, which a test class sets, in a folder of its own."""

    SCRIPT = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="haloheap_tables_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def run_tables(self, content):
        """The process, finished. `content` is that of results.json: a text, or what becomes one."""
        path = self.folder / "results.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return subprocess.run([sys.executable, self.SCRIPT, path], capture_output=True, text=True, check=False)
