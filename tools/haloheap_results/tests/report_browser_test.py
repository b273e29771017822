#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The report in a real browser: it draws, nothing fails, pointer and keyboard work, and it prints.

Skipped where there is no Chromium or no plotly: scripts/test needs neither.
"""

import html
import json
import re
import shutil
import subprocess
import unittest

import support
from haloheap_results.report import page
from support import CommandTest, document, point

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=30000", "--window-size=1300,1400")

# Before all other scripts: what goes wrong from the first moment on.
WATCH = """<script>
window.wrong = [];
window.addEventListener("error", (event) => wrong.push(String(event.message)));
window.addEventListener("unhandledrejection", (event) => wrong.push(String(event.reason)));
document.addEventListener("securitypolicyviolation", (event) => wrong.push("refused: " + event.blockedURI));
for (const name of ["error", "warn"]) console[name] = (...words) => wrong.push(words.join(" "));
</script>"""

# Behind them: what a reader does, and what comes of it.
USE = """<script>
(async () => {
  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const told = {}, plots = [...document.querySelectorAll(".plot")], plot = plots[0];
  const press = (key) => plot.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  await wait(500);
  told.plots = plots.length;
  told.drawn = plots.filter((one) => one.querySelector(".main-svg .trace, .main-svg .point")).length;
  told.overflow = document.documentElement.scrollWidth - window.innerWidth;
  plot.scrollIntoView();
  await wait(200);
  const mark = plot.querySelector(".points path").getBoundingClientRect(), layer = plot.querySelector(".nsewdrag");
  const place = { clientX: mark.x + mark.width / 2, clientY: mark.y + mark.height / 2, bubbles: true };
  for (const kind of ["mouseover", "mousemove"]) layer.dispatchEvent(new MouseEvent(kind, place));
  await wait(500);
  told.hovered = [...plot.querySelectorAll(".hoverlayer text")].map((text) => text.textContent).join(" ");
  press("ArrowRight");
  press("ArrowRight");
  await wait(300);
  told.read = plot.nextElementSibling.textContent;
  press("1");
  await wait(300);
  told.hidden = plot.data.filter((trace) => trace.visible === "legendonly").map((trace) => trace.name);
  press("1");
  await wait(300);
  told.shown = plot.data.every((trace) => trace.visible !== "legendonly");
  const span = () => Math.abs(plot._fullLayout.yaxis.range[1] - plot._fullLayout.yaxis.range[0]), all = span();
  press("+");
  await wait(300);
  told.zoomed = span() / all;
  press("0");
  await wait(300);
  told.whole = span() / all;
  // The filter: one verdict, then one paper, then what a printer gets, then all again.
  const box = (name, value) => document.querySelector(`.filter [name=${name}][value=${value}]`);
  const seen = (chosen) => [...document.querySelectorAll(chosen)].filter((one) => one.getClientRects().length);
  const only = (name, value) => document.querySelectorAll(`.filter [name=${name}]`)
    .forEach((one) => { if (one.checked !== (one.value === value)) one.click(); });
  told.boxes = seen(".filter input").length;
  told.counted = document.querySelector(".shown").textContent;
  box("verdict", "open").focus();
  told.focused = document.activeElement.value;
  only("verdict", "fails");
  await wait(300);
  told.failing = [...new Set(seen("[data-verdict]").map((row) => row.dataset.verdict))];
  told.failingFigures = [seen("[data-verdicts]").length,
    seen("[data-verdicts]").every((one) => one.dataset.verdicts.split(" ").includes("fails"))];
  told.failingCount = document.querySelector(".shown").textContent;
  dispatchEvent(new Event("beforeprint"));
  told.printed = seen("[data-verdict]").length;
  dispatchEvent(new Event("afterprint"));
  await wait(500);
  told.afterwards = seen("[data-verdict]").length;
  document.querySelector(".filter button").click();
  only("paper", "random-walks");
  await wait(300);
  told.papers = seen("[data-paper]").map((one) => one.id);
  document.querySelector('nav a[href="#containers"]').click();
  await wait(500);
  told.followed = seen("[data-paper]").length;
  told.rows = [seen("[data-verdict]").length, document.querySelectorAll("[data-verdict]").length];
  told.ground = getComputedStyle(document.body).backgroundColor;
  told.ink = plot.querySelector(".xtick text").style.fill;
  told.wrong = window.wrong;
  const out = document.createElement("pre");
  out.id = "told";
  out.textContent = JSON.stringify(told);
  document.body.append(out);
})();
</script>"""


# Of a comparison.
LOOK = """<script>
(async () => {
  await new Promise((done) => setTimeout(done, 1000));
  const plots = [...document.querySelectorAll(".plot")], out = document.createElement("pre");
  out.id = "told";
  out.textContent = JSON.stringify({ wrong: window.wrong, plots: plots.length,
    drawn: plots.filter((one) => one.querySelector(".main-svg .point")).length,
    filters: document.querySelectorAll(".filter").length,
    first: [...document.querySelectorAll("main > .scroll tbody tr:first-child td")].map((cell) => cell.textContent),
    overflow: document.documentElement.scrollWidth - window.innerWidth });
  document.body.append(out);
})();
</script>"""


def why_not():
    if BROWSER is None:
        return "no Chromium here: apt-get install chromium"
    try:
        page.plotly_script()
    except ImportError as error:
        return str(error)
    return ""


@unittest.skipIf(why_not(), why_not())
class BrowserTest(CommandTest):
    def written_report(self, watched=True):
        """Of a small run, with the reference results beside: all charts that there are."""
        points = [point(depth, exchange, overlap, seconds / depth, phases={"pack_s": 0.1, "message_s": 0.2 / depth, "unpack_s": 0.1})
                  for depth in (1, 2, 4) for exchange in ("sync", "async") for overlap, seconds in (("none", 2), ("first_step", 1))]
        path = self.folder / "report.html"
        result = self.run_command("report", *self.written(document(points)), "-o", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        if watched:
            text = path.read_text(encoding="utf-8")
            text = text.replace("<style>", WATCH + "<style>", 1).replace("</body>", USE + "</body>")
            path.write_text(text, encoding="utf-8")
        return path

    def written_comparison(self):
        """Of two runs, of which the second is slower at one depth."""
        paths = self.written(*(document([point(depth, "sync", "none", seconds) for depth, seconds in times.items()])
                               for times in ({1: 1.0, 2: 1.0}, {1: 3.0, 2: 1.0})))
        path = self.folder / "compare.html"
        result = self.run_command("report", "--compare", *paths, "-o", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("<style>", WATCH + "<style>", 1).replace("</body>", LOOK + "</body>"), encoding="utf-8")
        return path

    def browse(self, path, *flags):
        return subprocess.run([BROWSER, *FLAGS, f"--user-data-dir={self.folder / 'profile'}", *flags, path.as_uri()],
                              capture_output=True, text=True, check=False, timeout=600)

    def used(self, *flags):
        return self.told_by(self.written_report(), *flags)

    def told_by(self, path, *flags):
        dumped = self.browse(path, "--dump-dom", *flags).stdout
        found = re.search(r'<pre id="told">(.*?)</pre>', dumped, re.DOTALL)
        self.assertIsNotNone(found, dumped[-2000:])
        return json.loads(html.unescape(found.group(1)))

    def test_it_draws_and_can_be_used(self):
        told = self.used()
        self.assertEqual(told["wrong"], [])
        self.assertGreater(told["plots"], 40)
        self.assertEqual(told["drawn"], told["plots"])
        self.assertRegex(told["hovered"], r"sync|async")
        self.assertRegex(told["read"], r"^a?sync, no overlap, 2: [\d.]+$")
        self.assertEqual((told["hidden"], told["shown"]), (["sync, no overlap"], True))
        self.assertAlmostEqual(told["zoomed"], 0.7, places=3)
        self.assertAlmostEqual(told["whole"], 1, places=3)
        self.assertEqual(told["ground"], "rgb(255, 255, 255)")

        all_rows = told["rows"][1]
        self.assertEqual((told["boxes"], told["counted"]), (10, f"{all_rows} of {all_rows} claims are shown."))
        self.assertEqual((told["focused"], told["failing"]), ("open", ["fails"]))
        figures, right = told["failingFigures"]
        self.assertTrue(right and figures > 0, figures)
        self.assertEqual(told["failingCount"], f"{told['afterwards']} of {all_rows} claims are shown.")
        self.assertLess(told["afterwards"], all_rows)
        self.assertEqual(told["printed"], all_rows)
        self.assertEqual((told["papers"], told["followed"], told["rows"][0]), (["random-walks"], 6, all_rows))

    def test_it_is_dark_where_the_reader_wants_it_dark(self):
        told = self.used("--blink-settings=preferredColorScheme=0")
        self.assertEqual(told["wrong"], [])
        self.assertEqual(told["ground"], "rgb(15, 19, 24)")
        self.assertEqual(told["ink"], "rgb(230, 237, 243)")

    def test_a_narrow_window_is_filled_and_not_more(self):
        self.assertLessEqual(self.used("--window-size=500,900")["overflow"], 0)

    def test_a_comparison_draws_and_says_what_became_slower(self):
        told = self.told_by(self.written_comparison())
        self.assertEqual((told["wrong"], told["plots"], told["drawn"], told["filters"]), ([], 1, 1, 0))
        self.assertEqual(told["first"][0], "slower")
        self.assertLessEqual(told["overflow"], 0)
        self.assertLessEqual(self.told_by(self.written_comparison(), "--window-size=500,900")["overflow"], 0)

    def test_it_prints(self):
        target = self.folder / "report.pdf"
        self.browse(self.written_report(watched=False), f"--print-to-pdf={target}", "--no-pdf-header-footer")
        content = target.read_bytes()
        self.assertEqual(content[:5], b"%PDF-")
        self.assertGreater(content.count(b"/Type /Page\n") + content.count(b"/Type /Page /") + content.count(b"/Type /Page>"), 5)


if __name__ == "__main__":
    support.main()
