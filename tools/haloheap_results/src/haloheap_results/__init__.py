# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads results.json of haloheap, and makes figures, tables and verdicts of it.

    from haloheap_results.load import load
    results = load(["results/results.json"])
    results.frame()  # a pandas.DataFrame, one row a point

The command `haloheap-results` (command.py) does the rest.
"""
