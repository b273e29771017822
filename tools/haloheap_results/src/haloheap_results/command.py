# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The command haloheap-results.

Exit code 0: done; 2: an input is no results.json of haloheap, or no list of decks, or has nothing of what was asked
for; 3: a package is missing; 5: cannot write.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
from collections.abc import Sequence

PROGRAM = "haloheap-results"
FIGURE_DPI, FIELD_DPI = 130, 120


def plot(options: argparse.Namespace) -> None:
    from haloheap_results.figures import pictures
    from haloheap_results.load import load_labelled
    from haloheap_results.style import Picture

    results = load_labelled(options.results)
    tell(results.remarks)
    folder = options.output or options.results[0][1].resolve().parent
    folder.mkdir(parents=True, exist_ok=True)
    for picture in pictures(results):
        if isinstance(picture, Picture):
            path = folder / f"{picture.stem}.png"
            picture.draw().savefig(path, dpi=FIGURE_DPI)
            print(f"wrote {path}")
        else:
            print(picture)


def fields(options: argparse.Namespace) -> None:
    from haloheap_results.figures import solvers
    from haloheap_results.figures.fields import draw

    histories = [path for path in options.files if path.name.endswith(solvers.HISTORY)]
    drawings = [(path.with_suffix(".png"), draw(path)) for path in options.files if path not in histories]
    if histories:
        drawings.append((histories[0].parent / "history.png", solvers.draw_histories(histories)))
    for picture, figure in drawings:
        figure.savefig(picture, dpi=FIELD_DPI)
        print(f"wrote {picture}")


def picture(options: argparse.Namespace) -> None:
    from haloheap_results import animation
    from haloheap_results.figures import grids
    from haloheap_results.load import BadInput, load

    path: pathlib.Path = options.output
    moves = path.suffix in animation.ANIMATED
    if path.suffix != ".png" and not moves:
        raise BadInput(f"'{path}': a picture is a .png, and an animation a {' or '.join(animation.ANIMATED)}")
    if moves and options.frame:
        raise BadInput("an animation has all frames: leave --frame out, or draw a .png")
    limits = tuple(options.limits) if options.limits else None
    if limits and not limits[0] < limits[1]:
        raise BadInput(f"--limits {limits[0]:g} {limits[1]:g}: give the lower one first")
    results = load([options.results])
    tell(results.remarks)
    wanted = grids.Wanted(options.point, options.field, options.slice, limits, options.label)
    scene = grids.Scene(results, options.results.parent, wanted)
    if moves:
        animation.write_animation(path, grids.animate(scene), options.rate)
    else:
        animation.write_picture(path, grids.draw(scene, options.frame))
    print(f"wrote {path}")


def profile(options: argparse.Namespace) -> None:
    from haloheap_results.figures.profiles import draw
    from haloheap_results.load import load

    results = load([options.results])
    tell(results.remarks)
    draw(results, options.results.parent, options.point).savefig(options.output, format="png", dpi=FIELD_DPI)
    print(f"wrote {options.output}")


def labelled_file(text: str) -> tuple[str, pathlib.Path]:
    """The label is empty where there is none."""
    label, sign, path = text.partition("=")
    if not sign or pathlib.Path(text).exists():
        return "", pathlib.Path(text)
    return label, pathlib.Path(path)


def plane(text: str) -> object:
    from haloheap_results.figures.grids import AXES, Cut

    axis, _, cell = text.partition("=")
    if len(axis) != 1 or axis not in AXES or not cell.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is no slice as z=12 is one")
    return Cut(axis, int(cell))


def rate(text: str) -> float:
    frames = float(text)
    if not 0.1 <= frames <= 50:
        raise argparse.ArgumentTypeError(f"{text} frames a second: 0.1 to 50 can be shown")
    return frames


def of_keys(text: str) -> tuple[str, list[object]]:
    """A key of a deck and its values, as a deck's command line has them: KEY=VALUE, or KEY=[VALUE,VALUE]."""
    import tomllib

    key, sign, value = text.partition("=")
    if not key or not sign:
        raise argparse.ArgumentTypeError(f"'{text}' is no setting as allocation.floats=[100,400] is one")
    try:
        values = tomllib.loads(f"values = {value}")["values"]
    except tomllib.TOMLDecodeError:
        values = value  # a word without quotes
    return key, values if isinstance(values, list) else [values]


def tables(options: argparse.Namespace) -> None:
    from haloheap_results.load import BadInput, load, only
    from haloheap_results.tables import allocation, overlap, thesis

    results = only(load([options.results]), dict(options.only))
    tell(results.remarks)
    found = [*overlap.tables(results), *thesis.tables(results), *allocation.tables(results)]
    if not found:
        raise BadInput(f"'{options.results}' has nothing of which there is a table: neither {overlap.TAKES}; nor "
                       f"points of {allocation.TAKES}")
    print("\n".join(found), end="")


def guidelines(options: argparse.Namespace) -> None:
    from haloheap_results.load import BadInput, load
    from haloheap_results.tables.guidelines import verdicts

    results = load([options.results])
    older = load([options.older]) if options.older else None
    tell(results.remarks + (older.remarks if older else ()))
    for path, read in ((options.results, results), (options.older, older)):
        if read and not verdicts(read):
            raise BadInput(f"'{path}' has no points of problem transfer or vector_add that have a time and a bound")
    found = verdicts(results, older)
    print("\n".join(verdict.plain() if options.plain else verdict.markdown() for verdict in found), end="")


def report(options: argparse.Namespace) -> None:
    from haloheap_results.load import BadInput
    from haloheap_results.report import compare, page
    from haloheap_results.report.inputs import reference_runs, runs_of

    if bool(options.results) == bool(options.compare):
        raise BadInput("a report takes results.json of one or more runs, or --compare with two of them")
    if options.compare:
        before, after = (runs_of([path]) for path in options.compare)
        parts = compare.report(before, after)
    else:
        runs = runs_of(options.results)
        parts = page.report(runs, [] if options.alone else reference_runs(runs))
    page.write(options.output, parts)
    print(f"wrote {options.output}")


def decks(options: argparse.Namespace) -> None:
    from haloheap_results.report.decks import read

    found = read(options.list)
    if options.head:
        print(f"{found.folder}\t{found.preset}")
    for deck in found.decks:
        print("\t".join([deck.name, str(deck.ranks), deck.file, *deck.settings]))


def tell(remarks: Sequence[str]) -> None:
    for remark in remarks:
        print(f"{PROGRAM}: {remark}", file=sys.stderr)


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog=PROGRAM,
                                     description="Figures, tables and verdicts of results.json of haloheap.")
    commands = result.add_subparsers(required=True, metavar="COMMAND")

    one = commands.add_parser("plot", help="draw all figures that the points have", description=(
        "Draws all figures that the points have, as PNG files. Of several files the points are taken together, "
        "whatever folders their runs wrote to. Where runs differ in what no deck says, give each file a label, which "
        "figures then show: \"1000 us=late/results.json\"."))
    one.add_argument("results", nargs="+", type=labelled_file, metavar="[LABEL=]RESULTS",
                     help="results.json of a run, or of several")
    one.add_argument("-o", "--output", type=pathlib.Path, metavar="FOLDER",
                     help="where the pictures go (default: beside the first input)")
    one.set_defaults(run=plot)

    told = "draw particles, iterations, seismograms and residuals that a run wrote"
    one = commands.add_parser("fields", help=told, description=(
        "Draws what problems nbody, sph and mandelbrot write with output.fields=true, and what the receivers of waves "
        "have recorded, as a PNG file beside each; how the residuals of solvers fell, all in one (history.png)."))
    one.add_argument("files", nargs="+", type=pathlib.Path,
                     help="*_particles.csv, mandelbrot_*.pgm, *_receivers.csv, *_history.csv")
    one.set_defaults(run=fields)

    one = commands.add_parser("picture", help="draw a field of a problem on a grid, or animate it", description=(
        "Draws a field that a problem on a grid wrote with output.fields=true or output.frames=N: the last one as a "
        "PNG file, frames side by side, or all frames as an animation. What has both signs goes from blue over white, "
        "which is 0, to red."))
    one.add_argument("results", type=pathlib.Path, help="results.json of the run, beside its fields")
    one.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE", required=True,
                     help="a .png; a .apng or .gif of all frames")
    one.add_argument("--point", type=int, default=1, metavar="N", help="of a sweep (default: the first)")
    one.add_argument("--field", metavar="NAME", help=(
        "a field or a formula of fields, with + - * / **, sqrt, abs, log10 and the changes from cell to cell ddx, ddy, "
        "ddz: \"ddx(uy) - ddy(ux)\" (default: the first field)"))
    one.add_argument("--label", metavar="TEXT", help="what the picture calls it (default: the field or formula)")
    one.add_argument("--slice", type=plane, metavar="z=N", help=(
        "of a grid in 3D: the cells to be seen, counted from 0, in x, y or z (default: the middle of z)"))
    one.add_argument("--frame", type=int, nargs="+", default=[], metavar="N",
                     help="the frames to be seen side by side, from 0, the start (default: the end)")
    one.add_argument("--limits", type=float, nargs=2, metavar=("LOW", "HIGH"),
                     help="of the scale of colours (default: the smallest and the largest value of what is drawn)")
    one.add_argument("--rate", type=rate, default=10, metavar="N", help="frames a second (default: 10)")
    one.set_defaults(run=picture)

    one = commands.add_parser("profile", help="draw fields along a line beside what is known of them", description=(
        "Draws what a run with output.fields=true found along a line, beside what is known of it: of Sod's tube "
        "(problem euler2d) the exact solution, and of the cavity with a moving lid (problem lbm2d) the velocities of "
        "[Ghia1982]."))
    one.add_argument("results", type=pathlib.Path, help="results.json of the run, beside its fields")
    one.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE", required=True, help="a .png")
    one.add_argument("--point", type=int, nargs="+", default=[], metavar="N", help="of a sweep (default: all)")
    one.set_defaults(run=profile)

    one = commands.add_parser("tables", help="print tables in Markdown, published numbers beside", description=(
        "Prints in Markdown how much of the communication an overlap hides (Tables 5.1 and 5.2 of [Valen2023]), and "
        "the tables of problems allocation and collectives ([Blach2022]), each with the published numbers beside."))
    one.add_argument("results", type=pathlib.Path, help="results.json of a run")
    one.add_argument("--only", type=of_keys, nargs="+", default=[], metavar="KEY=VALUE", help=(
        "points with these values of the deck alone: allocation.floats=[100,400] 'allocator.name=[\"native\"]'"))
    one.set_defaults(run=tables)

    one = commands.add_parser("guidelines", help="judge the seven guidelines for transfers", description=(
        "Judges the seven guidelines of [Bhimani2016] by problems transfer and vector_add, as a Markdown table."))
    one.add_argument("results", type=pathlib.Path, help="results.json of a run")
    one.add_argument("--older", metavar="RESULTS", type=pathlib.Path,
                     help="results.json of the same decks on a machine with an older bus")
    one.add_argument("--plain", action="store_true", help="text instead of Markdown")
    one.set_defaults(run=guidelines)

    one = commands.add_parser("report", help="one HTML file: five questions, and five papers beside this machine",
                              description=(
        "Writes one HTML file that needs no network: what this machine is, the five questions with their answers, "
        "and the figures and tables of the five papers beside those of the runs."))
    one.add_argument("results", nargs="*", type=pathlib.Path, help="results.json of runs, or folders with such files")
    one.add_argument("--compare", nargs=2, type=pathlib.Path, metavar=("A", "B"),
                     help="two machines or versions side by side, what B does slower first: files or folders")
    one.add_argument("--alone", action="store_true", help="without the reference results that ship with the package")
    one.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE", default=pathlib.Path("report.html"),
                     help="(default: report.html)")
    one.set_defaults(run=report)

    one = commands.add_parser("decks", help="check a list of decks and print what is in it", description=(
        "Checks a list of decks, such as input/papers.toml, and prints a line for each run of it: its name, the number "
        "of ranks, its deck and its settings, with tabs between. scripts/run runs them."))
    one.add_argument("list", type=pathlib.Path, metavar="LIST", help="a TOML file with tables [[run]]")
    one.add_argument("--head", action="store_true",
                     help="before them the folder of the results and the preset that the list is for")
    one.set_defaults(run=decks)
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        from haloheap_results.load import BadInput
    except ImportError as error:
        return missing(error)
    try:
        options.run(options)
    except BadInput as error:
        tell([str(error)])
        return 2
    except ImportError as error:
        return missing(error)
    except OSError as error:
        tell([f"cannot write: {error}"])
        return 5
    return 0


def missing(error: ImportError) -> int:
    tell([f"{error}; it needs pandas, matplotlib and for reports plotly: run it by scripts/report, which finds them, "
          "or install them"])
    return 3
