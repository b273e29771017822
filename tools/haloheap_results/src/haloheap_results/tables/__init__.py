# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of results, as Markdown: one file a family, each with a function `tables`."""
