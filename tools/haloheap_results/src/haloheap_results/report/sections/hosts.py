# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Why claims about GPUs are less than claimed or do not hold where kernels run on a host.

Numbers are those of the results of a CPU that ship with the package.
"""

# ------------------------------------------------------------------------------------------------- deep halos

NO_OVERLAP = (
    "A kernel of a host blocks: while it runs its rank does nothing for messages, so that overlap hides none. It costs "
    "that cells are computed in parts: in the run that ships 13.7 ms at depth 1, where the whole takes 11.1 to 12.2.")
CHEAP_EXCHANGES = (
    "Ranks of one host share its memory, so that a message is a copy like any other. In the run that ships packing, "
    "messages and unpacking take 2.4 of 16 ms at depth 1 and 1.0 at depth 8, and waiting for other ranks 5.5 and 3.1; "
    "what there is to gain are waits, and how long they are depends on what else the machine does.")
ONE_MEMORY = (
    "Ranks of one host share its memory, so that a message is a copy like any other, one at a time or eight at once: "
    "in the run that ships messages of all steps take 0.4 to 1.1 ms with sync, and 0.4 to 1.3 with async.")
UNPACKING_GROWS = (
    "As many bytes a step are unpacked at every depth. In the run that ships an unpacking takes 6, 7, 10 and 14 us at "
    "depths 1, 2, 4 and 8: only a part of it does not grow with the depth.")
LEVEL_DEPTHS = (
    "In the run that ships depths 2 to 8 are within 4 % without overlap, which is less than what repetitions differ "
    "by: which of them is the best is chance.")

# ------------------------------------------------------------------------------------------------ superblocks

BLOCKS_AS_NATIVE = (
    "Each block is a superblock of its own, which the C library's malloc gives as it does native's: the blocks lie as "
    "native's do.")
WITHIN_REPETITIONS = (
    "The blocks of a warp's variants lie as native's do. The gain of a tenth in the run that ships is less than its "
    "repetitions with native are apart, 1.26 times.")
TEAMS_OF_TWO = (
    "A thread block is a team of few threads, which wait for each other at each allocation to spare calls of the C "
    "library's malloc. In the run that ships teams have two threads; such a call takes 0.05 to 0.12 us, and the "
    "block's variants 0.7 to 4 us a thread.")
FREE_IS_CHEAP = (
    "The C library's free is cheap: in the run that ships it takes 0.05 to 0.11 us. To count the parts of a superblock "
    "that come back, and to look one up in a table, costs up to 0.14 on top.")
ALL_ARE_LEFT = "None of the requests is spared, and a header or a table comes on top of each."

# ------------------------------------------------------------------------------------------------ random walks

STEPS_COUNT = (
    "Few threads hardly wait for each other, so that steps decide. In the run that ships, three at once and 4096 in "
    "all, a page of the queue takes 89 to 91 ns, whatever is free, and one of the walk 36 with half of the pages free "
    "and 335 with 0.5 %.")
LONE_LANES = (
    "Lanes share what they find within a warp alone. So each thread walks by itself, as with random_walk_bitmap, and "
    "WAS is the slowest of 32 of them.")
ONE_REQUEST = (
    "The factor is about what a request costs by itself: in the runs that ship, three threads at once and 4096 in all, "
    "0.28 to 0.47 us with virtual_queues and 0.03 to 0.05 with rw_malloc where sizes are mixed. What it costs that "
    "thousands wait for a queue is not in it.")
QUEUES_COST_AS_MUCH = (
    "In the runs that ship virtual_queues takes 1.9 to 2.3 ms, and its two kernels that allocate and free as many "
    "blocks 2.0 to 2.2: its queues cost as much where blocks come back at once. rw_malloc takes 0.2.")
WHOLE_UNITS = (
    "No request shares a unit with another one: 16 bytes take one of 256 whole, and 384 take two. What divides into "
    "units fills the pool.")
ONE_COUNTER = "Direct output adds to one counter, for which few threads hardly wait; a walk has more to do than that."

# --------------------------------------------------------------------------------------------------- transfers

LATENCIES = (
    "By the rates of the deck each chunk of a copy takes 5 us beside its bytes: 16 chunks of 1.6 MB spend 80 us so "
    "each way, and 30 on their bytes. The deck has 1, 4 and 16 streams; which number between is the best does not "
    "show.")
RATES = "By the rates of the deck pageable memory goes at 10 GB/s and comes at 18, page-locked memory at 55 both ways."
PAGES_COME_BACK = (
    "By the rates of the deck the host takes managed pages back at 18 GB/s, and page-locked memory comes at 55.")
SMALL_PAGES = (
    f"{RATES} A copy of 4 KiB is latency, 5 us, and managed memory goes without one: the kernel's faults bring it.")
TYPE_2_OVERLAPS = (
    "With type II the host takes back the first chunks while kernels of later ones run. With type I each chunk ends "
    "before the next one begins, and each costs 10 us of latencies more.")

# -------------------------------------------------------------------------------------------------- containers

ALLOCATIONS_SHOW = (
    "The host computes what devices would, in the run that ships N-body's pairs for most of 47 ms. Initial takes 104 "
    "to 129 us longer there for each allocation that it makes more, with its copies: 498 in LU and 70 in the others, "
    "which shows where little is computed.")
COPIES_OF_MEMORY = (
    "A copy through the host is two copies in one memory in the place of one. In the run that ships 252 copies more "
    "take 0.5 of 6 ms with LU, and N-body's times are within their repetitions.")
HOST_COMPUTES = (
    "Copies are those of one memory, and the host computes what devices would. In the run that ships LU, whose calls "
    "are short, gains 11 to 12 times; ppmcc is spared two thirds of its bytes, and gains 2.6 to 3.0; mandelbrot has "
    "none to be spared. Why N-body on two devices loses was not looked into.")
WITHIN_TWO_PERCENT = (
    "In the run that ships repetitions are 2.4 and 4.6 % apart, so that 1 % does not show. What events and metadata "
    "cost of its 1.8 and 1.9 % was not looked into.")
