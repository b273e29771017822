# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Lists of decks, which scripts/run runs one after the other: docs/guide/deck.md.

Those of the report are input/papers.toml and input/papers_h200.toml; in data/ are links to them, which pip follows.
"""

from __future__ import annotations

import dataclasses
import pathlib
import re
import tomllib
from typing import Any

from haloheap_results.load import BadInput
from haloheap_results.papers import DATA

VARIES, FIXED = "varies", "fixed"
# Files in input/ that several decks are made from, and what they are made different by.
SHARED = {"malloc_sweep": {"allocator.name": VARIES, "malloc.threads": VARIES, "malloc.size": VARIES,
                           "malloc.pattern": "allocate_free"}}

PRESETS = ("serial", "openmp", "threads", "cuda")
KEYS = ("run", "folder", "preset")
RUN_KEYS = ("deck", "name", "ranks", "settings")
# It becomes a field of a line with tabs between, and a word of a command line.
LINE = re.compile(r"[^\x00-\x1f\x7f]+")


@dataclasses.dataclass(frozen=True)
class Deck:
    """A run of a list, of the deck `source`. `settings` go behind its name."""

    name: str
    source: str
    ranks: int = 1
    settings: tuple[str, ...] = ()
    folder: str = "input"
    """Where the deck is."""

    @property
    def file(self) -> str:
        return str(pathlib.PurePath(self.folder) / self.source)

    @property
    def kinds(self) -> dict[str, str]:
        """Of the keys by which runs of one file are told apart: VARIES, the word that it has, or FIXED."""
        found = dict(SHARED.get(self.source.removesuffix(".toml"), {}))
        for given in self.settings:
            key, _, value = given.partition("=")
            if not key.startswith("run."):
                found[key] = VARIES if value.startswith("[") else FIXED if value[:1].isdigit() else value
        return found

    def command(self) -> str:
        ranks = "" if self.ranks == 4 else f"HALOHEAP_RANKS={self.ranks} "
        return " ".join([f"{ranks}scripts/run {self.file}", *self.settings])


@dataclasses.dataclass(frozen=True)
class DeckList:
    """`folder`: of the results. `preset`: empty where the list leaves it to scripts/run."""

    decks: tuple[Deck, ...]
    folder: str
    preset: str = ""


class _Reader:
    """Of one file; what is wrong with it names the file and the run."""

    def __init__(self, path: pathlib.Path, folder: str) -> None:
        self.path, self.folder = path, folder

    def refuse(self, what: str, place: str = "") -> BadInput:
        return BadInput(f"'{self.path}'{place and f', {place}'}: {what}")

    def read(self) -> DeckList:
        try:
            document = tomllib.loads(self.path.read_text(encoding="utf-8"))
        except OSError as error:
            raise self.refuse(f"cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise self.refuse("no text in UTF-8") from error
        except tomllib.TOMLDecodeError as error:
            raise self.refuse(f"not valid TOML: {error}") from error
        runs = document.get("run")
        if not isinstance(runs, list) or not runs or not all(isinstance(run, dict) for run in runs):
            raise self.refuse("no list of decks, which has tables [[run]]")
        self.check_keys(document, KEYS, "")
        folder = self.text(document, "folder", f"results/{self.path.stem}", "")
        preset = self.text(document, "preset", "", "")
        if preset and preset not in PRESETS:
            raise self.refuse(f"preset is one of {', '.join(PRESETS)}, not '{preset}'")
        decks = tuple(self.deck(run, f"run {number}") for number, run in enumerate(runs, 1))
        names = [deck.name for deck in decks]
        for number, name in enumerate(names, 1):
            if name in names[:number - 1]:
                raise self.refuse(f"another run is called '{name}': give this one a name", f"run {number}")
        return DeckList(decks, folder, preset)

    def check_keys(self, table: dict[str, Any], allowed: tuple[str, ...], place: str) -> None:
        for key in table:
            if key not in allowed:
                raise self.refuse(f"unknown key '{key}' (there are {', '.join(allowed)})", place)

    def text(self, table: dict[str, Any], key: str, otherwise: str, place: str) -> str:
        value = table.get(key, otherwise)
        if not isinstance(value, str) or (key in table and not LINE.fullmatch(value)):
            raise self.refuse(f"{key} is a string of one line", place)
        return value

    def deck(self, run: dict[str, Any], place: str) -> Deck:
        self.check_keys(run, RUN_KEYS, place)
        source = self.text(run, "deck", "", place)
        if not source:
            raise self.refuse('a run names its deck: deck = "heat2d.toml"', place)
        name = self.text(run, "name", pathlib.PurePath(source).stem, place)
        if not re.fullmatch(r"\w[\w.-]*", name):
            raise self.refuse(f"'{name}' is no name of a folder, of letters, digits, '_', '-' and '.'", place)
        ranks = run.get("ranks", 1)
        if type(ranks) is not int or ranks < 1:
            raise self.refuse("ranks is a whole number from 1 on", place)
        return Deck(name, source, ranks, self.settings(run, place), self.folder)

    def settings(self, run: dict[str, Any], place: str) -> tuple[str, ...]:
        found = run.get("settings", [])
        if not isinstance(found, list):
            raise self.refuse("settings is a list of strings", place)
        keys: list[str] = []
        for one in found:
            if not isinstance(one, str) or not LINE.fullmatch(one) or not re.match(r"[\w.-]+=", one):
                raise self.refuse(f"settings are strings \"key=value\" of one line, which {one!r} is not", place)
            key = one.partition("=")[0]
            if key == "output.folder":
                raise self.refuse("each run has a folder of its own, which no setting changes", place)
            if key in keys:
                raise self.refuse(f"two settings of {key}", place)
            keys.append(key)
        return tuple(found)


def read(path: pathlib.Path) -> DeckList:
    """A list whose decks are beside it, and exist."""
    found = _Reader(path, str(path.parent)).read()
    for number, deck in enumerate(found.decks, 1):
        if not pathlib.Path(deck.file).is_file():
            raise BadInput(f"'{path}', run {number}: there is no deck '{deck.file}'")
    return found


def shipped_list(name: str) -> DeckList:
    """As the package has it, whose decks are in input/ of the repository."""
    return _Reader(DATA / f"{name}.toml", "input").read()


# All that input/papers.toml runs, in this order.
DECKS = {deck.name: deck for deck in shipped_list("papers").decks}
# The same as the papers have them, for GPUs.
DEVICE_DECKS = {deck.name: deck for deck in shipped_list("papers_h200").decks}
