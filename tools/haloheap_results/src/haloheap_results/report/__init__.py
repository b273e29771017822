# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The report: one HTML file that answers five questions and puts figures and tables of five papers beside ours."""
