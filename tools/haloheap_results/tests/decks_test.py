#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Lists of decks: what may be in one, those in input/, and how scripts/run runs one."""

import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib

import support
from haloheap_results.report.decks import DECKS, DEVICE_DECKS, read
from support import PACKAGE, ROOT, CommandTest

LISTS = {"papers": DECKS, "papers_h200": DEVICE_DECKS}


class ListTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("first.toml", "")

    def decks(self, text, *arguments):
        return self.run_command("decks", self.write("list.toml", text), *arguments)

    def test_a_line_for_each_run(self):
        result = self.decks('[[run]]\ndeck = "first.toml"\n[[run]]\ndeck = "first.toml"\nname = "again"\nranks = 4\n'
                            'settings = [\'a.x=["b c",2]\', "d=e=f"]')
        self.assertEqual(result.stdout, f"first\t1\t{self.folder}/first.toml\n"
                                        f'again\t4\t{self.folder}/first.toml\ta.x=["b c",2]\td=e=f\n')

    def test_decks_are_beside_their_list(self):
        (self.folder / "below").mkdir()
        self.write("below/list.toml", '[[run]]\ndeck = "../first.toml"')
        (deck,) = read(self.folder / "below/list.toml").decks
        self.assertEqual((deck.name, deck.file), ("first", f"{self.folder}/below/../first.toml"))

    def test_the_head_says_where_results_go_and_which_preset_it_is_for(self):
        run = '[[run]]\ndeck = "first.toml"'
        line = f"first\t1\t{self.folder}/first.toml\n"
        self.assertEqual(self.decks(run, "--head").stdout, f"results/list\t\n{line}")
        self.assertEqual(self.decks(f'folder = "a b/c"\npreset = "cuda"\n{run}', "--head").stdout, f"a b/c\tcuda\n{line}")

    def test_what_is_wrong_is_told_with_its_place(self):
        run = '[[run]]\ndeck = "first.toml"'
        for text, told in (
            ("run = 3", "list.toml': no list of decks, which has tables [[run]]"),
            ("", "no list of decks"), ("run = []", "no list of decks"), ("[run]\nverify = true", "no list of decks"),
            ("[[run]", "not valid TOML: "),
            (f'preset = "gpu"\n{run}', "preset is one of serial, openmp, threads, cuda, not 'gpu'"),
            (f"folder = 3\n{run}", "folder is a string of one line"),
            (f'folder = ""\n{run}', "folder is a string of one line"),
            (f'fodler = "x"\n{run}', "unknown key 'fodler' (there are run, folder, preset)"),
            (f"{run}\nrank = 2", "list.toml', run 1: unknown key 'rank' (there are deck, name, ranks, settings)"),
            (f"{run}\n[[run]]\nranks = 2", "run 2: a run names its deck"),
            ('[[run]]\ndeck = "second.toml"', f"run 1: there is no deck '{self.folder}/second.toml'"),
            (f"{run}\n{run}", "run 2: another run is called 'first': give this one a name"),
            (f'{run}\nname = "../x"', "'../x' is no name of a folder"),
            (f"{run}\nranks = 0", "ranks is a whole number"), (f"{run}\nranks = true", "ranks is a whole number"),
            (f'{run}\nranks = "4"', "ranks is a whole number"),
            (f'{run}\nsettings = "a=1"', "settings is a list of strings"),
            (f"{run}\nsettings = [3]", 'strings "key=value" of one line, which 3 is not'),
            (f'{run}\nsettings = ["a"]', "which 'a' is not"), (f'{run}\nsettings = ["--list"]', "which '--list' is not"),
            (f'{run}\nsettings = ["a=1\\tb=2"]', "of one line"), (f'{run}\nsettings = ["a=1", "a=2"]', "two settings of a"),
            (f'{run}\nsettings = ["output.folder=x"]', "a folder of its own"),
        ):
            with self.subTest(text):
                self.assert_refused(self.decks(text), told)
        self.assert_refused(self.run_command("decks", self.folder / "none.toml"), "none.toml': cannot be read: ")
        self.assert_refused(self.decks(b"\xff"), "no text in UTF-8")


class InputTest(CommandTest):
    """Those of the repository. unit/deck/input_test.py has haloheap look at each of their runs."""

    def test_they_are_in_order_and_the_report_knows_them(self):
        for name, known in LISTS.items():
            found = read(ROOT / f"input/{name}.toml")
            self.assertEqual([deck.file.removeprefix(f"{ROOT}/") for deck in found.decks], [deck.file for deck in known.values()])
            self.assertEqual([deck.name for deck in found.decks], list(known))
        self.assertEqual((found.folder, found.preset), ("results/papers_device", "cuda"))

    def test_the_package_has_links_to_them(self):
        """So that there is one of each; pip takes what a link leads to."""
        for name in LISTS:
            link = PACKAGE / "data" / f"{name}.toml"
            self.assertTrue(link.is_symlink() and link.samefile(ROOT / f"input/{name}.toml"), link)

    def test_every_list_of_the_repository_is_read(self):
        lists = {path.stem for path in (ROOT / "input").glob("*.toml")
                 if isinstance(tomllib.loads(path.read_text(encoding="utf-8")).get("run"), list)}
        self.assertEqual(lists, set(LISTS))


class RunTest(CommandTest):
    """scripts/run with lists, where programs only say how they were called."""

    def setUp(self):
        super().setUp()
        for name in ("scripts", "fakes", "input", "build/openmp/bin", "build/cuda/bin"):
            (self.folder / name).mkdir(parents=True)
        for name in ("run", "common.bash"):
            shutil.copy(ROOT / "scripts" / name, self.folder / "scripts" / name)
        for name in ("scripts/bootstrap", "scripts/fetch-deps", "fakes/cmake", "fakes/nvcc"):
            self.script(name, "")
        self.script("fakes/mpirun", 'cat; echo "mpirun $*"; case $* in *second*) exit 2 ;; esac')
        self.script("scripts/report", f'[ "$1" = decks ] || {{ echo "report $*"; exit; }}\n'
                                      f'PYTHONPATH={PACKAGE.parent} exec {sys.executable} -m haloheap_results "$@"')
        for name in ("base", "second", "third"):
            self.write(f"input/{name}.toml", 'problem = "heat2d"\n')
        self.list = self.write("input/small.toml", "")

    def script(self, name, text):
        (self.folder / name).write_text(f"#!/usr/bin/env bash\n{text}\n")
        (self.folder / name).chmod(0o755)

    def environment(self, **more):
        """What the caller's shell may say of threads, ranks and presets is not in it."""
        plain = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "KOKKOS_", "HALOHEAP_"))}
        return {**plain, "PATH": f"{self.folder}/fakes:{os.environ['PATH']}", **more}

    def run_list(self, *arguments, more="", head="", **environment):
        self.list.write_text(f'{head}\n[[run]]\nname = "first"\ndeck = "base.toml"\nranks = 4\n'
                             f'settings = ["a.x=1", "b.y=[2,3]"]\n{more}')
        return subprocess.run([self.folder / "scripts/run", "input/small.toml", *arguments], cwd=self.folder, text=True,
                              capture_output=True, check=False, stdin=subprocess.DEVNULL, env=self.environment(**environment))

    def lines(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)
        return [line.replace(f"{self.folder}/", "") for line in result.stdout.splitlines()]

    def test_each_deck_runs_in_a_folder_of_its_own_and_the_report_is_last(self):
        result = self.run_list(more='[[run]]\ndeck = "third.toml"\n', HALOHEAP_RANKS="7")
        self.assertEqual(self.lines(result), [
            "mpirun -n 4 build/openmp/bin/haloheap input/base.toml a.x=1 b.y=[2,3] output.folder=results/small/first",
            "mpirun -n 1 build/openmp/bin/haloheap input/third.toml output.folder=results/small/third",
            "report report results/small/first/results.json results/small/third/results.json -o results/small/report.html"])
        self.assertIn("run: first: input/base.toml\nrun: third: input/third.toml\n", result.stderr)

    def test_the_command_line_replaces_settings_and_names_the_folder(self):
        for folder in (("-o", "out/x"), ("--output", "out/x"), ("--output=out/x",), ("output.folder=out/x",)):
            lines = self.lines(self.run_list("a.x=7", *folder, "-q"))
            self.assertTrue(lines[0].endswith("input/base.toml b.y=[2,3] a.x=7 -q output.folder=out/x/first"), lines)
            self.assertEqual(lines[1], "report report out/x/first/results.json -o out/x/report.html")

    def test_a_list_says_its_folder_and_preset_unless_the_caller_does(self):
        head = 'folder = "results/device"\npreset = "cuda"\n'
        lines = self.lines(self.run_list(head=head))
        self.assertIn("build/cuda/bin/haloheap ", lines[0])
        self.assertTrue(lines[-1].endswith("-o results/device/report.html"))
        lines = self.lines(self.run_list("-o", "here", head=head, HALOHEAP_PRESET="openmp"))
        self.assertIn("build/openmp/bin/haloheap ", lines[0])
        self.assertTrue(lines[-1].endswith("-o here/report.html"))

    def test_threads_are_those_of_the_ranks_of_each_deck(self):
        self.script("fakes/nproc", "echo 8")
        self.script("fakes/mpirun", 'echo "$2 ranks: $OMP_NUM_THREADS"')
        lines = self.lines(self.run_list(more='[[run]]\ndeck = "third.toml"\nranks = 2\n'))
        self.assertEqual(lines[:2], ["4 ranks: 2", "2 ranks: 4"])

    def test_a_deck_that_fails_is_left_out_and_named(self):
        result = self.run_list(more='[[run]]\ndeck = "second.toml"\n[[run]]\ndeck = "third.toml"\n')
        self.assertEqual(result.returncode, 1)
        self.assertIn("these decks failed and are left out: second\n", result.stderr)
        self.assertTrue(result.stdout.endswith(
            "report report results/small/first/results.json results/small/third/results.json -o results/small/report.html\n"))

    def test_where_all_fail_there_is_no_report(self):
        self.script("fakes/mpirun", "exit 7")
        result = self.run_list()
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("left out: first\nrun: no deck has finished\n", result.stderr)

    def test_looking_first_makes_no_report(self):
        for option in ("--validate", "--print-deck", "--dry-run"):
            (line,) = self.lines(self.run_list(option))
            self.assertIn(f" {option} ", line)

    def test_what_goes_with_one_deck_alone_is_refused(self):
        for argument in ("advise", "--list", "input/base.toml", "--keep=halo.depth"):
            result = self.run_list(argument)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn(f"a list of decks takes key=value, -o FOLDER, -q and one of --validate, --print-deck and "
                          f"--dry-run, not {argument if argument[0] == '-' else repr(argument)}\n", result.stderr)

    def test_a_wrong_list_runs_nothing(self):
        result = self.run_list(more='[[run]]\ndeck = "none.toml"\n')
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("'input/small.toml', run 2: there is no deck 'input/none.toml'", result.stderr)

    def test_a_build_that_fails_runs_nothing(self):
        self.script("fakes/cmake", "exit 1")
        result = self.run_list()
        self.assertEqual((result.returncode, result.stdout), (1, ""))

    def test_a_deck_is_no_list(self):
        self.write("input/base.toml", 'problem = "heat2d"\n# [[run]]\n[run]\nverify = true\n')
        self.script("fakes/mpirun", 'echo "mpirun $*"; exit 7')
        result = subprocess.run([self.folder / "scripts/run", "input/base.toml", "--validate"], cwd=self.folder, text=True,
                                capture_output=True, check=False, env=self.environment(HALOHEAP_RANKS="3"))
        self.assertEqual((result.returncode, result.stdout),
                         (7, f"mpirun -n 3 {self.folder}/build/openmp/bin/haloheap input/base.toml --validate\n"))

    def test_an_interrupt_ends_it(self):
        """mpirun ends by itself, with a code, as Open MPI's does."""
        self.script("fakes/mpirun", 'trap "exit 1" INT; echo started; for i in {1..200}; do sleep 0.1; done')
        self.list.write_text('[[run]]\ndeck = "base.toml"\n[[run]]\ndeck = "third.toml"\n')
        with subprocess.Popen([self.folder / "scripts/run", "input/small.toml"], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                              env=self.environment()) as process:
            self.assertEqual(process.stdout.readline(), "started\n")
            time.sleep(0.2)
            os.killpg(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=30)
        self.assertEqual((process.returncode, out), (130, ""), err)


class UnlinkedTest(CommandTest):
    def test_the_package_works_without_the_repository(self):
        """As pip copies it: what links lead to, and no input/."""
        site = self.folder / "site"
        shutil.copytree(PACKAGE, site / "haloheap_results", ignore=shutil.ignore_patterns("__pycache__"))
        self.assertFalse((site / "haloheap_results/data/papers.toml").is_symlink())
        result = subprocess.run([sys.executable, "-c", "from haloheap_results.report.decks import DECKS; print(*DECKS)"],
                                cwd=self.folder, text=True, capture_output=True, check=False,
                                env={**os.environ, "PYTHONPATH": str(site)})
        self.assertEqual((result.returncode, result.stdout.split()), (0, list(DECKS)), result.stderr)


if __name__ == "__main__":
    support.main()
