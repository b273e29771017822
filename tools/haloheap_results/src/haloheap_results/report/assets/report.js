/* SPDX-FileCopyrightText: 2026 the haloheap contributors
   SPDX-License-Identifier: BSD-3-Clause */
"use strict";
(() => {
  const charts = JSON.parse(document.getElementById("charts").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const plots = [...document.querySelectorAll(".plot")];
  const config = { displaylogo: false, responsive: true,
    modeBarButtons: [["zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d", "toImage"]] };
  // What would be too dark on a dark ground.
  const brighter = { "#000000": "#f0f0f0", "#332288": "#9a8cff", "#0072B2": "#3d9fe0", "#666666": "#b0b0b0",
    "#8C564B": "#c9958a", "#A6761D": "#d1a04a" };
  const screen = { axes: 320, letter: 7, entry: 52, row: 21 }, paper = { axes: 220, letter: 5.4, entry: 50, row: 17 };
  const printed = { narrow: 345, wide: 715 };  // CSS pixels of a page
  let printing = false;

  const themed = (value, isDark) => JSON.parse(JSON.stringify(value), (key, entry) =>
    isDark && typeof entry === "string" && brighter[entry] || entry);

  function layout(chart, isDark) {
    const text = isDark ? "#e6edf3" : "#1b1f24", grid = isDark ? "#323b46" : "#dde1e6";
    const result = structuredClone(chart.layout);
    Object.assign(result, { paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: text, size: printing ? 9 : 12 }, hoverlabel: { font: { size: 13 } },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: isDark ? "#8d98a5" : "#8b949e", activecolor: text } });
    for (const name of Object.keys(result).filter((key) => /^[xy]axis/.test(key))) {
      Object.assign(result[name], { gridcolor: grid, zerolinecolor: grid, linecolor: text });
    }
    if (printing) shrink(result);
    return result;
  }

  // What stands above and below panels, which are narrow on paper.
  function shrink(result) {
    const axes = Object.keys(result).filter((key) => /^xaxis/.test(key));
    const size = axes.length > 4 ? 6.5 : 9;
    for (const title of result.annotations) title.font.size = size;
    for (const name of axes) result[name].title.font = { size };
  }

  // The legend stands below the axes and has as many rows as it takes.
  function height(chart, width, sizes) {
    const names = [...new Set(chart.data.map((trace) => trace.name))];
    const column = Math.max(...names.map((name) => name.length)) * sizes.letter + sizes.entry;
    const columns = Math.max(1, Math.floor((width - 80) / column));
    return sizes.axes + sizes.row * Math.ceil(names.length / columns);
  }

  function draw(plot) {
    const chart = charts[plot.dataset.chart], isDark = dark.matches && !printing;
    const shape = layout(chart, isDark), wide = plot.closest("figure").classList.contains("wide");
    if (printing) shape.width = wide ? printed.wide : printed.narrow;
    shape.height = height(chart, printing ? shape.width : plot.clientWidth, printing ? paper : screen);
    shape.legend.maxheight = shape.height;
    const drawn = Plotly.react(plot, themed(chart.data, isDark), shape, config);
    plot.setAttribute("data-drawn", "");
    return drawn;
  }

  const redraw = () => plots.forEach(draw);
  dark.addEventListener("change", redraw);
  window.addEventListener("beforeprint", () => { printing = true; showAll(); redraw(); });
  window.addEventListener("afterprint", () => { printing = false; redraw(); if (filter) choose(); });

  // ------------------------------------------------------------------------------------------------ filter

  const filter = document.querySelector(".filter");
  const out = (part, away) => part.classList.toggle("out", away);

  function chosen(name) {
    const boxes = [...filter.querySelectorAll(`[name=${name}]`)], ticked = boxes.filter((box) => box.checked);
    return { all: ticked.length === boxes.length, has: (value) => ticked.some((box) => box.value === value) };
  }

  // Figures whose deck decides no claim go as soon as a verdict is chosen.
  function choose() {
    const verdicts = chosen("verdict"), papers = chosen("paper"), rows = [...document.querySelectorAll("[data-verdict]")];
    for (const row of rows) out(row, !verdicts.has(row.dataset.verdict));
    for (const part of document.querySelectorAll("[data-verdicts]")) {
      out(part, !verdicts.all && !part.dataset.verdicts.split(" ").some(verdicts.has));
    }
    for (const table of document.querySelectorAll("table.claims")) out(table, !table.querySelector("[data-verdict]:not(.out)"));
    for (const section of document.querySelectorAll("[data-paper]")) {
      out(section, !papers.has(section.dataset.paper) || !section.querySelector(":is([data-verdict], [data-verdicts]):not(.out)"));
    }
    const shown = rows.filter((row) => !row.closest(".out")).length;
    filter.querySelector(".shown").textContent = `${shown} of ${rows.length} claims are shown.`;
    // What was hidden while the window changed its size.
    plots.filter((plot) => plot.clientWidth && plot._fullLayout && plot.clientWidth !== plot._fullLayout.width).forEach(draw);
  }

  function showAll() {
    document.querySelectorAll(".out").forEach((part) => out(part, false));
  }

  // A link to what is hidden shows it.
  function follow(event) {
    const link = event.target.closest('a[href^="#"]'), target = link && document.querySelector(link.getAttribute("href"));
    if (!target || !target.closest(".out")) return;
    filter.reset();
    target.scrollIntoView();
  }

  if (filter) {
    filter.hidden = false;
    filter.addEventListener("change", choose);
    filter.addEventListener("reset", () => setTimeout(choose));
    filter.addEventListener("submit", (event) => event.preventDefault());
    document.addEventListener("click", follow);
  }

  // ---------------------------------------------------------------------------------------------- keyboard

  const visible = (plot) => plot.data.map((_, curve) => curve).filter((curve) => plot.data[curve].visible !== "legendonly");

  function hover(plot, state) {
    const trace = plot.data[state.curve], axis = trace.xaxis === "x" ? "xy" : trace.xaxis + "y";
    Plotly.Fx.hover(plot, [{ curveNumber: state.curve, pointNumber: state.point }], [axis]);
    const value = Number(trace.y[state.point]).toPrecision(4);
    plot.nextElementSibling.textContent = `${trace.name}, ${trace.x[state.point]}: ${value}`;
  }

  function move(plot, along, across) {
    const curves = visible(plot);
    if (!curves.length) return;
    const state = plot.state || (plot.state = { curve: curves[0], point: along > 0 ? -1 : 0 });
    const place = Math.max(0, curves.indexOf(state.curve)), length = curves.length;
    state.curve = curves[(place + across + length) % length];
    const points = plot.data[state.curve].x.length;
    state.point = (Math.min(state.point, points) + along + points) % points;
    hover(plot, state);
  }

  function zoom(plot, factor) {
    const changes = {};
    for (const name of Object.keys(plot._fullLayout).filter((key) => /^[xy]axis/.test(key))) {
      const [low, high] = plot._fullLayout[name].range, middle = (low + high) / 2, half = (high - low) / 2 * factor;
      changes[name + ".range"] = [middle - half, middle + half];
    }
    Plotly.relayout(plot, changes);
  }

  function reset(plot) {
    const changes = {};
    for (const name of Object.keys(plot._fullLayout).filter((key) => /^[xy]axis/.test(key))) changes[name + ".autorange"] = true;
    Plotly.relayout(plot, changes);
  }

  // A series may have a trace in each panel.
  function toggle(plot, number) {
    const names = [...new Set(plot.data.map((trace) => trace.name))], name = names[number - 1];
    const curves = plot.data.map((_, curve) => curve).filter((curve) => plot.data[curve].name === name);
    if (!curves.length) return;
    const shown = plot.data[curves[0]].visible !== "legendonly";
    Plotly.restyle(plot, { visible: shown ? "legendonly" : true }, curves);
    plot.nextElementSibling.textContent = `${name}: ${shown ? "hidden" : "shown"}`;
  }

  const keys = {
    ArrowRight: (plot) => move(plot, 1, 0), ArrowLeft: (plot) => move(plot, -1, 0),
    ArrowUp: (plot) => move(plot, 0, 1), ArrowDown: (plot) => move(plot, 0, -1),
    "+": (plot) => zoom(plot, 0.7), "-": (plot) => zoom(plot, 1 / 0.7), 0: reset,
    Escape: (plot) => Plotly.Fx.unhover(plot),
  };

  document.addEventListener("keydown", (event) => {
    const plot = event.target.closest && event.target.closest(".plot");
    if (!plot || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = keys[event.key] || (/^[1-9]$/.test(event.key) && ((it) => toggle(it, Number(event.key))));
    if (!action) return;
    action(plot);
    event.preventDefault();
  });

  plots.forEach(draw);
  if (filter) choose();  // A browser may remember what was ticked.
})();
