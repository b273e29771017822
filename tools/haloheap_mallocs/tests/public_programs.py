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
    """As its licence file says."""
    files: dict[str, str]
    """Paths, with the SHA-256 of what is there. The first one is analysed."""
    answers: dict[str, dict[int, str]]
    """Of the lines of a file that allocate; one after the other, where a line does more than once."""
    rewritten: int
    """How many allocations say that all ask alike afterwards."""
    folders: tuple[str, ...] = ()
    """Of headers."""


SEMANTICS = ("chathhorn/cuda-semantics", "83e55fe63a3bbf49cbbba2a5d5778591c25a433a", "MIT")
NEWDELETE = "Samples/3_CUDA_Features/newdelete"
STRUCTURES = ("arjun-krishna/Concurrent-Data-Structures", "4a3c13bdcfa27cba9bf8093a3064669030fc4478", "MIT")
VECTOR = ("mfkiwl/cuda-vector", "c238c5b5f2ae1f57bacff42ca8bb0803b86bc5d1", "MIT")
POLYMORPHISM = "07_polymorphism/02_passing_arguments/src"
GPUMALLOC = "testing/gpumalloc"

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
    Program(*STRUCTURES,
            {"testbed/bst-gpu-custom.cu": "600adfb72c4f53d4877c7eff9c0da575799a0689b196fff28f0e7a4726459a3a",
             "testbed/timer.h": "694d3641c2db3534d6428641f264732ed89aed2c52ce2c8de1f4f177d867ef2a",
             "gpu/bst.cu": "aa7b6f0d5b5078a769c3bf34d23966b9d02a982b92f44f4b6d6bd838960e662a"},
            {"gpu/bst.cu": {22: "who=part same=grid bytes=40 escapes freed"}}, 0),
    Program(*STRUCTURES,
            {"testbed/fine-avl-custom.cu": "2978f2162d77f99486f1fd8622ea75f83c2e5f2be0991b90b6851cd99cc877cd",
             "testbed/timer.h": "694d3641c2db3534d6428641f264732ed89aed2c52ce2c8de1f4f177d867ef2a",
             "gpu/avl-fine.cu": "4c0fc9949edd6173fe54e42267969ec6ea00b78217fb871a2403a39ab6a076e6"},
            {"gpu/avl-fine.cu": {28: "who=part same=grid bytes=40 escapes"}}, 0),
    Program("hcho3/skiplist_cuda", "3a1f64c4ca8de0bf02995a206c139f4084eb47f0", "CRAPL, or BSD-2-Clause",
            {"skip_parallel.cu": "5ec88f9b019070127a621cb97f72e6b0436608ad3d943f96203d54a8eb3230c4",
             "skip_parallel.h": "656fdff332eaca2d9536ca233206ff61fee28084c2eaef82e36f716baad27a10"},
            {"skip_parallel.cu": {238: "who=part same=grid bytes=16 escapes freed",
                                  242: "who=part same=thread most=256 escapes freed"}}, 0),
    Program(*VECTOR,
            {"lfvector/lfvector.cu": "0eecbe79b2b7288bcbc1b9db801f5bbaf305fd0b7b00feb2a938b1b85f8f6766",
             "lfvector/utility.cuh": "00b49ea1d28aeaeef5b1e019471c6b9c18349ba19f16b87fc003646d0467cc12"},
            {"lfvector/lfvector.cu": {47: "who=grid same=grid escapes loop",
                                      54: "who=part same=thread escapes freed",
                                      85: "who=grid same=grid bytes=400 escapes",
                                      86: "who=grid same=grid bytes=256 escapes",
                                      113: "who=grid same=grid bytes=400 escapes",
                                      114: "who=grid same=grid bytes=256 escapes"},
             "lfvector/utility.cuh": {52: "who=grid same=grid escapes"}}, 0),
    Program(*VECTOR,
            {"lfvector/evil_cast.cu": "dcb7e29cd1293c4d0c39f371bc68b271109b930872c771de8fc0dd1613faf643",
             "lfvector/utility.cuh": "00b49ea1d28aeaeef5b1e019471c6b9c18349ba19f16b87fc003646d0467cc12"},
            {"lfvector/evil_cast.cu": {9: "who=grid same=grid bytes=8",
                                       10: "who=grid same=grid bytes=12",
                                       11: "who=grid same=grid bytes=8"},
             "lfvector/utility.cuh": {52: "who=grid same=grid escapes"}}, 0),
    Program("rapastranac/Cuda-queue-partially-thread-safe", "5c718f0ea766ee66a1db37a72faa304a7794caf6", "MIT",
            {"kernel.cu": "0b865d0eaf62be0525c8dd3de4b4e527a73ff0c4ef9625f28ba360f73ace090d",
             "Lock.cuh": "6d33c8e3d2c02c0ac987e8e63e0d97935151024543abcc4fd5c1fa6abc7e38f7",
             "cu_queue.cuh": "f13f06fed6871b747e14ea8128f71c8977ef35a94c3c156182c979b443f4f3de",
             "myQueue.cuh": "c83f883987e1facaab78b4fa09622baebba86f15e524bd937657dfc8850a0e6e"},
            {"Lock.cuh": {16: "who=part same=grid bytes=4 escapes freed"},
             "cu_queue.cuh": {line: "who=part same=grid bytes=24 escapes" for line in (65, 72)}}, 0),
    Program("GiovanniRaseraF/DominatorTreeCUDA", "b4832f6f62d6e106c3fa32dd24a66c5384c0d60d", "GPL-3.0",
            {f"{GPUMALLOC}/gpumallocperblock.cu": "b79250ca0433e8ed116697ef9a5cd12fe984a72abe8177dfcda5f3e7c8989e05"},
            {f"{GPUMALLOC}/gpumallocperblock.cu": {15: "who=one same=grid most=4096 shared freed"}}, 0),
    Program("GiovanniRaseraF/DominatorTreeCUDA", "b4832f6f62d6e106c3fa32dd24a66c5384c0d60d", "GPL-3.0",
            {"testing/blockallocation/main.cu": "faafd82e56d18d6892c6855aea3e6c0a044980b7cbd98d40fb084fbc4f85723c"},
            {"testing/blockallocation/main.cu": {11: "who=one same=grid most=262144 shared freed"}}, 0),
    Program("Carabalone/raytracing-cuda", "dd4a0dabb7a8c01728db1354b440c326d3afad6a", "MIT",
            {"src/main.cu": "d564629d3755c0b33e2f9725a2474365122b3a147752361435caed54426d2bfc",
             "src/camera.cuh": "b15497b9c6ca7e8fbb9537cb94729ba4711a4ef32d7049fc0617a7f192e87f89",
             "src/clock.h": "ee3363dc27f15f10ec9c9a793cd32b013a95d99632498794898f47f9eb4feb7c",
             "src/color.h": "83409b7ba30ddcc8ab6c168f338baa2458c6285b28fab6f3f27127c7912a8393",
             "src/constants.h": "385c41f664039125695c101ecf86ab98c710bc5de2c1903cfe1fee9d9d58935e",
             "src/geometry_manager.cuh": "85a60342e7bbaea0f746f46e6f3eab72643d94366da29ce68dc7602897fe1073",
             "src/hittable.h": "f448a640026e3a7f304f145e86c263953d13df1c60660c067ccbf1cccfedebf7",
             "src/hittable_list.h": "4cf9d1609dcb93bd3cabd51e9506d43c3613bbb89c9e68c1dd39d2de22145681",
             "src/interval.cuh": "5bb72a4a27bff6dbae9902be2da819240c3e54f746fadca21a34324a12cf2fd0",
             "src/material.cuh": "c0a02164fe77aed54d61f6a195308f9547d0c9c58fed9894fef530eb704a2198",
             "src/material_manager.cuh": "f6395bf5698bfb280df43e6954baa022e139cc4c4b296cdf5537a8eba7cca150",
             "src/ray.h": "37ba63b2505265a2482250bc6f301784336e90efc6c78fd5fdfb939913968fc4",
             "src/rtweekend.h": "d0b672d29c8faba8ed6eb8446671ee9112f6fa2b2be491d979d3fcaffea1c80b",
             "src/sphere.h": "18f501d49824841a0d1d98f54e5393ff2232721a27a6295aa7bb45d112e85fb2",
             "src/utility.cuh": "ec6b1ab92bf09ca0558659230c0c7b03ec8d782577400b048658b17a4721234f",
             "src/vector.h": "253d92a07ad8e207cf14a48913166aec3ff81b2f3d106ae1dcbd28fccea844a6"},
            {"src/geometry_manager.cuh": {116: "who=one same=grid bytes=40 escapes loop",
                                          120: "who=one same=grid bytes=24 escapes loop",
                                          125: "who=one same=grid bytes=24 escapes"},
             "src/material_manager.cuh": {108: "who=one same=grid bytes=24 escapes loop",
                                          111: "who=one same=grid bytes=24 escapes loop",
                                          114: "who=one same=grid bytes=16 escapes loop"}}, 0),
    Program("rogerallen/raytracinginoneweekendincuda", "ab140b12d4923b75270831baabab5e4d4209f305", "none stated",
            {"main.cu": "c99682a23733c55014f2ff5760a0b6f19b7033675bf5450b878eb08264b7e379",
             "camera.h": "b3868b950e99e93ae9916c586d40e56a0d4475c56224c4e0bdaa8cbf4bf189fd",
             "hitable.h": "8c068b25010ca839a25c1177558c22255762b52174c24f99836bd21fcbde34f5",
             "hitable_list.h": "462a0fd7fcea954072d16c88a197b7507e03d130ccb7c7b960521925c8bbfd78",
             "material.h": "e0fbb1ec0ed2b608572bbe76fd72b5ce6da6f20214794c3bafcff71747eb180a",
             "ray.h": "92d510715edcec2e11cf9adabe3184123259e2841c9c805bfa789fb1099fd8a7",
             "sphere.h": "f2d2b6e19dcca5c8192787df0b4aba548aceec847bd3359795838630b7636b5c",
             "vec3.h": "03750ee2c5e501d97641933edd92c9db2e508cbc34325dfd9da100e66e51153f"},
            {"main.cu": {99: "who=one same=grid bytes=32 escapes freed",
                         100: "who=one same=grid bytes=24 escapes freed",
                         107: "who=one same=grid bytes=32 escapes freed loop",
                         108: "who=one same=grid bytes=24 escapes freed loop",
                         111: "who=one same=grid bytes=32 escapes freed loop",
                         112: "who=one same=grid bytes=24 escapes freed loop",
                         115: "who=one same=grid bytes=32 escapes freed loop; "
                              "who=one same=grid bytes=16 escapes freed loop",
                         119: "who=one same=grid bytes=32 escapes freed; who=one same=grid bytes=16 escapes freed",
                         120: "who=one same=grid bytes=32 escapes freed; who=one same=grid bytes=24 escapes freed",
                         121: "who=one same=grid bytes=32 escapes freed; who=one same=grid bytes=24 escapes freed",
                         123: "who=one same=grid bytes=24 escapes freed",
                         129: "who=one same=grid bytes=88 escapes freed"}}, 0),
    Program("Nyriu/Esercizi_Esempi_CUDA", "381f601f6f22dc4011404a2406bb8ac8014af9cb", "none stated",
            {f"{POLYMORPHISM}/main.cu": "892479149b24bebd331ca58f63cd00c829d0821996c311ff7b7afa88c71deddd"},
            {f"{POLYMORPHISM}/main.cu": {100: "who=grid same=grid",
                                         110: "who=grid same=grid bytes=16 loop",
                                         112: "who=grid same=grid bytes=16 loop",
                                         114: "who=grid same=grid bytes=16 loop",
                                         140: "who=one same=grid escapes",
                                         152: "who=part same=grid bytes=16",
                                         154: "who=part same=grid bytes=16",
                                         156: "who=part same=grid bytes=16"}}, 0),
    Program("Peterfvn/CudaBTree", "56c2f51607d5a558f2f82b8cc4aeca388eaffa19", "none stated",
            {"BTreeUnified.cu": "20b68ccaa198a3ba53955ca5b6f8ca014d5374c4bdc7a67756e894a194d7ae7e"},
            {"BTreeUnified.cu": {260: "who=part same=grid bytes=16 freed loop"}}, 1),
    Program("tangerineman/15418-FinalProject", "20e3ff327cd0a37f1ddf0da87bc98b2d4024284f", "none stated",
            {"linked-list/simRenderer.cu": "c4c4ee23787751b06596781ac0978386dad9781eeeb1865ec7012b4dccd8e651",
             "linked-list/simRenderer.h": "7fa06a2c2113a9a980fc722890d1e82f568b700f449bba3b35785ad3a867d0e8",
             "linked-list/sceneLoader.h": "efd5b2d17e3e78527e42783a23a2fde71df5dc61dd805e4cec9edc9ffb70b180",
             "linked-list/image.h": "c017ff9ca2c89a4b6dec381e4316fc2ed52a2d1deafedd25481b1f7a7a374065"},
            {"linked-list/simRenderer.cu": {43: "who=one same=grid bytes=24 escapes freed",
                                            45: "who=one same=grid bytes=40 escapes freed",
                                            65: "who=one same=grid bytes=40 escapes freed loop",
                                            126: "who=one same=grid bytes=16 freed"}}, 0),
    Program("phifaner/comdb", "37c14bb6fbcc5911bac0151fb7315e7f86eb75ff", "none stated",
            {"test_malloc.cu": "1642ebdd2d012729d64edd1ff3ad28e08ebdb50ad0500d51d231ee3682255256"},
            {"test_malloc.cu": {14: "who=one same=grid bytes=512 escapes shared freed"}}, 0),
    Program("Phillip-Duncan/Barracuda", "bb2c5aa2d014d7e9c5756f5e2b7adc97b25d8110", "GPL-2.0",
            {"examples/vm_generic.cu": "53df16492a1fe3014b2b3448dd44237303b6941e8ee624de63e9749f42030757",
             "examples/vm_generic.cuh": "db7fbc48aef389b33a2126865e7748565084e8ab6ec5dce39fa579e520697665",
             "src/barracuda.cuh": "3abfc567cdbc4f3b1e554cda88205a6cdab05ac14eb7af41cc4eeb03b613b6ff",
             "src/specials.cuh": "0a6141907bbee084840a715cebf8f5d004d1a650a911d6d4a821b5ef51af00e1",
             "src/stack.cuh": "c30d0389ae37f562c29ad512d9edcf2f07642a7becdb24d1a09633c503ef35f7"},
            {"src/stack.cuh": {360: "who=part same=thread escapes freed loop"}}, 0, ("src",)),
]
