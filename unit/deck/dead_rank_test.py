#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A rank that dies or falls silent in the run ends the others, with a message and in bounded time.

Nothing is left behind then: no process, no memory file that a process still has open or mapped, nothing in /dev/shm.
"""

import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import threading
import time
import tty
import unittest

from app import COMMUNICATION, TIMEOUT, AppTest, descendants, here, is_rank, parents

# Seconds of silence after which a rank is given up.
SILENCE = 4
# Hours of work, none of which is waited for.
LONG = f"""
problem = "heat2d"
grid = {{size = [600, 600], steps = 200000000}}
halo.depth = 2
halo.timeout = {SILENCE}
run = {{repetitions = 1, warmup = 0, phases = false}}
output.progress = "on"
"""


def entries(process):
    """What a process has open: (path, device and inode); nothing of one that has ended."""
    try:
        for entry in pathlib.Path(f"/proc/{process}/fd").iterdir():
            try:
                status = entry.stat()
                yield os.readlink(entry), (status.st_dev, status.st_ino)
            except OSError:
                continue  # it has been closed
    except OSError:
        return


def mapped(process):
    """What a process has mapped: (path, device and inode)."""
    try:
        lines = pathlib.Path(f"/proc/{process}/maps").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, _, _, device, inode, *path = line.split(maxsplit=5)
        major, minor = (int(part, 16) for part in device.split(":"))
        if path:
            yield path[0], (os.makedev(major, minor), int(inode))


class Terminal:
    """Where ranks write their errors and progress, which comes every tenth of a second to a terminal, and else every five."""

    def __init__(self):
        self.ours, self.theirs = pty.openpty()
        tty.setraw(self.theirs)
        self.command = ("sh", "-c", f'exec "$0" "$@" 2>{os.ttyname(self.theirs)}')
        self.pieces, self.reader = [], None

    def text(self):
        return b"".join(self.pieces).decode(errors="replace")

    def wait_for(self, text, process):
        """Until the program writes it or ends. Then all that follows is read as it comes, so that nobody waits to write."""
        end = time.monotonic() + TIMEOUT
        while text not in self.text() and process.poll() is None and time.monotonic() < end:
            if select.select([self.ours], [], [], 0.1)[0]:
                self.pieces.append(os.read(self.ours, 4096))
        os.close(self.theirs)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        try:
            while piece := os.read(self.ours, 4096):
                self.pieces.append(piece)
        except OSError:
            pass  # the last one that could write has ended
        os.close(self.ours)

    def all_text(self):
        """Once all ranks have ended."""
        self.reader.join()
        return self.text()


class DeadRank(AppTest):
    RANKS = 4

    def setUp(self):
        super().setUp()
        self.memory_files, self.in_shm, self.on_device = set(), set(), False

    def note_shared_memory(self, ranks):
        """Remembers what running ranks share. Other programs of this machine share memory too."""
        for rank in ranks.values():
            for path, file in [*entries(rank), *mapped(rank)]:
                if path.startswith("/memfd:haloheap"):
                    self.memory_files.add(file)
                if path.startswith("/dev/shm/"):
                    self.in_shm.add(path)
                self.on_device = self.on_device or path.startswith("/dev/nvidia")

    def check_shared_memory(self):
        """All ranks must have ended. Open MPI's own segments (vader_segment.*) lie in /dev/shm while they run. A
        killed rank cannot remove its own, but mpirun does so when the job ends: they need no exception."""
        self.assertTrue(self.memory_files or self.on_device, "fields of a host backend are memory files")
        holders = {process: path for process in parents() for path, file in [*entries(process), *mapped(process)]
                   if file in self.memory_files}
        self.assertEqual(holders, {})
        self.assertEqual([path for path in sorted(self.in_shm) if os.path.exists(path)], [])
        self.assertEqual([entry.name for entry in pathlib.Path("/dev/shm").iterdir() if "haloheap" in entry.name], [])

    def start_running(self, ranks, *overrides):
        """The started program and {rank: process}, once all ranks step."""
        self.terminal = Terminal()
        process = self.start(self.write_deck(LONG), *overrides, ranks=ranks, through=self.terminal.command)
        self.terminal.wait_for("GCells/s", process)
        self.assertRegex(self.terminal.text(), "(?s)point 1/1.*GCells/s")
        found = {}
        for child in descendants(process.pid):
            if is_rank(child):
                environment = pathlib.Path(f"/proc/{child}/environ").read_text()
                found[int(re.search(r"\0OMPI_COMM_WORLD_RANK=(\d+)", environment).group(1))] = child
        self.assertEqual(sorted(found), list(range(ranks)))
        self.note_shared_memory(found)
        return process, found

    def finish_and_check(self, process, ranks):
        """What has ended, with all that the ranks and mpirun wrote as its errors."""
        result = self.finish(process)
        deadline = time.monotonic() + TIMEOUT
        while left := [rank for rank in ranks.values() if is_rank(rank)]:
            self.assertLess(time.monotonic(), deadline, f"processes {left} are left")
            time.sleep(0.1)
        self.assertNotEqual(result.returncode, 0)
        self.check_shared_memory()
        return subprocess.CompletedProcess(result.args, result.returncode, result.stdout, result.stderr + self.terminal.all_text())

    def kill(self, ranks, victim, *overrides):
        process, found = self.start_running(ranks, *overrides)
        os.kill(found[victim], signal.SIGKILL)
        result = self.finish_and_check(process, found)
        self.assertRegex(result.stderr, rf"process rank {victim} .*signal 9")

    def stop(self, ranks, victim, *overrides):
        process, found = self.start_running(ranks, *overrides)
        os.kill(found[victim], signal.SIGSTOP)
        result = self.finish_and_check(process, found)
        self.assertEqual(result.returncode, COMMUNICATION, result.stderr)
        self.assertRegex(result.stderr, rf"haloheap: rank \d waited {SILENCE} s for rank [\d, or]*\b{victim}\b[\d, or]*, which sent or took nothing\n")
        self.assertIn("the timeout says how long to wait", result.stderr)
        self.assertNotRegex(result.stderr, rf"haloheap: rank {victim}:")

    def message_modes(self):
        """All but the default, which the other tests have, and the one without messages."""
        modes = here("messages of transports that use MPI")
        self.assertLess({"isend", "dist_graph"}, set(modes))
        return [f"halo.mpi={mode}" for mode in modes if mode not in ("persistent", "shared")]

    def test_a_killed_rank_ends_the_others(self):
        self.kill(3, 1)
        self.kill(4, 0)

    def test_a_killed_rank_ends_the_others_in_every_message_mode(self):
        for override in (*self.message_modes(), "halo.transport=mapped"):
            with self.subTest(override):
                self.kill(3, 1, override)

    def test_a_silent_rank_is_named_by_the_others(self):
        self.stop(3, 2)
        self.stop(4, 0)

    def test_a_killed_rank_ends_peers_that_share_its_memory(self):
        for overrides in (["halo.transport=peer_copy"], ["halo.mpi=shared"], ["halo.transport=peer_store", "halo.overlap=all_steps"],
                          ["halo.transport=peer_store", "halo.graph=true"]):
            self.kill(4, 1, *overrides)

    def test_a_silent_rank_is_named_by_peers_that_wait_in_kernels(self):
        for overrides in (["halo.transport=peer_copy"], ["halo.transport=peer_store"], ["halo.mpi=shared"], ["halo.mpi=shared", "halo.graph=true"],
                          ["halo.transport=peer_store", "halo.graph=true"], ["halo.transport=auto", "halo.ranks_per_node=2"]):
            with self.subTest(overrides):
                self.stop(4, 2, *overrides)

    def test_a_silent_rank_is_named_in_every_message_mode(self):
        for override in self.message_modes():
            with self.subTest(override):
                self.stop(3, 1, override)

    def test_a_silent_rank_does_not_hold_up_the_barrier(self):
        process, found = self.start_running(3, "run.desynchronisation=true")
        os.kill(found[1], signal.SIGSTOP)
        result = self.finish_and_check(process, found)
        self.assertEqual(result.returncode, COMMUNICATION, result.stderr)
        self.assertRegex(result.stderr, rf"waited {SILENCE} s (for rank|at a barrier that not all ranks reached)")

    def test_a_terminated_program_leaves_nothing(self):
        process, found = self.start_running(2)
        process.terminate()
        self.finish_and_check(process, found)


if __name__ == "__main__":
    unittest.main()
