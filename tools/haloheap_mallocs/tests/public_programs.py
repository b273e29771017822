# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Public programs whose kernels allocate: where each is, and what somebody who reads it finds.

Nothing of them is kept in this repository. The answers have the words of the corpus' comments.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Program:
    repository: str
    commit: str
    licence: str
    files: dict[str, str]
    """Paths, with the SHA-256 of what is there. The first one is analysed."""
    answers: dict[str, dict[int, str]]
    """Of the lines of a file that allocate."""
    rewritten: int
    """How many allocations say that all ask alike afterwards."""
    folders: tuple[str, ...] = ()
    """Of headers."""


SEMANTICS = ("chathhorn/cuda-semantics", "83e55fe63a3bbf49cbbba2a5d5778591c25a433a", "MIT")
NEWDELETE = "Samples/3_CUDA_Features/newdelete"

PROGRAMS = [
    Program(*SEMANTICS,
            {"examples/b17-allocmem.cu": "5b508de6f686cb22e3aeaea76c246e3782ed4e71e1611b920833c910096e0a64"},
            {"examples/b17-allocmem.cu": {16: "who=one same=grid most=4096 escapes freed"}}, 0),
    Program(*SEMANTICS,
            {"examples/b17-malloc-block.cu": "6702e3d65a11cd1320cbe09cf80bc3fd76bf285c384208ba11bdbe66420465fc"},
            {"examples/b17-malloc-block.cu": {18: "who=one same=grid most=262144 shared freed"}}, 0),
    Program(*SEMANTICS,
            {"examples/b17-malloc-thread.cu": "afe57622fe38b20628dc42c23b74844c65cf4a3b276459d08c7dd2427b5c37d2"},
            {"examples/b17-malloc-thread.cu": {7: "who=grid same=grid bytes=123 freed"}}, 1),
    # Another kernel gives the blocks of newdelete back, which the analysis does not see.
    Program("NVIDIA/cuda-samples", "c94ff366aed18c797b8a85dfaac7817b0228b420", "BSD-3-Clause",
            {f"{NEWDELETE}/newdelete.cu": "9c3e64ad49833c3efb848a9e472578312c1ab74d2ffefc6ebe71ebe77b640413",
             f"{NEWDELETE}/container.hpp": "afbdf9d6dc8592e4312fbcd15b2da3c2012c0394771f4ce6f86eea3ddb9d57f3",
             "Common/helper_cuda.h": "997f9ac1f8e5f8e5f45f8b11eebab5b89305dee7430b90654bafe62283cffee1",
             "Common/helper_string.h": "616ac8b2588a6e73aed207f85faf0da5e617404390df1790f6637b1042dbcc94"},
            {f"{NEWDELETE}/newdelete.cu": {57: "who=grid same=grid bytes=32 escapes freed"},
             f"{NEWDELETE}/container.hpp": {63: "who=grid same=grid escapes freed"}}, 0, ("Common",)),
    Program("llvm/llvm-test-suite", "3c0a28f12509091808c051c80ca867d9085cd8fb", "Apache-2.0 WITH LLVM-exception",
            {"External/CUDA/new.cu": "3fe76b03037012cdab96924328fe4628da9d8b59219e088cc213cf86ba57121a"},
            {"External/CUDA/new.cu": {line: f"who=grid same=grid bytes={42 if line < 50 else 4} freed"
                                      for line in (18, 23, 28, 33, 41, 45, 52, 62)}}, 0),
]
