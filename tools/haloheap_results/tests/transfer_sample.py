# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Made-up points of problems transfer and vector_add, for the tests of what reads them."""

from support import problem_point

EMULATED = "the link is emulated: the time is what it would take by section link of the deck"


def transfer_point(mode, schedule, streams, size, bound, total_us, problem="transfer", notes=(), extra=(), **figures):
    """`figures` stand for those that follow from the total; None leaves one out. `extra` are further keys that vary."""
    swept = {"transfer.mode": mode, "transfer.schedule": schedule, "transfer.streams": streams, "transfer.bytes": size,
             "transfer.bound": bound, **dict(extra)}
    total = total_us or 0
    all_figures = {"total_median_us": total_us, "total_ns_per_byte": 1e3 * total / size}
    for name, share in (("h2d", 0.3), ("kernel", 0.5), ("d2h", 0.2)):
        all_figures |= {f"{name}_us": share * total, f"{name}_ns_per_byte": share * 1e3 * total / size}
    all_figures |= figures
    left_out = {name for name, value in figures.items() if value is None}
    figures = {name: value for name, value in all_figures.items() if name not in left_out}
    return problem_point(problem, {"transfer.iterations": 0, **swept}, swept, figures, 1e-6 * total,
                         {"size": [max(1, size // 4)], "scalar": "float"}, notes=list(notes))
