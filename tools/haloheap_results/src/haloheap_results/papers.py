# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What [Blach2022] and [Valen2023] measured and [Ghia1982] computed, from data/: to stand beside what a run found."""

from __future__ import annotations

import pathlib

import pandas

DATA = pathlib.Path(__file__).resolve().parent / "data"


def deep_halo_thesis() -> pandas.DataFrame:
    """[Valen2023], appendix C: means over 35 runs of THESIS_STEPS steps, float, 4 ranks; seconds."""
    return pandas.read_csv(DATA / "deep_halo_thesis_tables.csv", comment="#")


def coalescing_allocators() -> pandas.DataFrame:
    """[Blach2022], Figures 3 and 4: mean and standard deviation."""
    return pandas.read_csv(DATA / "coalescing_allocator_tables.csv", comment="#")


def gpu_mpi() -> pandas.DataFrame:
    """[Blach2022], Figure 5: numbers as they are printed."""
    return pandas.read_csv(DATA / "gpu_mpi_tables.csv", comment="#", dtype=str)


def cavity() -> pandas.DataFrame:
    """[Ghia1982], Tables I and II: velocities on the two lines through the middle of a cavity with a moving lid."""
    return pandas.read_csv(DATA / "cavity_profiles.csv", comment="#")
