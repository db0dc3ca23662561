// The charts once there is a second point: uPlot over the same rows that the server draws, loaded when the page is
// quiet. Dragging zooms, a double click shows all again, choosing a point goes to its moment.

import { recall, remember } from "./preferences.js";
import { look, main } from "./state.js";
import { afterSwap } from "./swaps.js";

const HEIGHT = 104;
const REST = 200; // milliseconds without an answer after which a chart is drawn again: whoever presses on does not wait for it
const panel = () => document.getElementById("charts");
let rows = null; // the columns that the server sent, and `of` which run, how far
let plot = null;
let drawn = ""; // what `plot` shows: when that is another thing, it is made anew
let filled = ""; // and of which run, how far, how wide
let loading = false;

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const kind = () => panel().querySelector('[name="chart-kind"]:checked')?.value;
const asked = () => `${main().dataset.base} ${panel().dataset.grown}`; // what `rows` should be of
const isLog = () => document.getElementById("chart-log").checked;

/** The row that the moment looked at belongs to: the last one that began at or before it. */
function here() {
  const number = +main().dataset.number;
  return rows.moments.findLastIndex((moment) => moment <= number);
}

function drawCursor(u) {
  const index = here();
  if (index < 0) return;
  const x = Math.round(u.valToPos(rows.places[index], "x", true));
  const { ctx, bbox } = u;
  ctx.save();
  ctx.strokeStyle = color("--focus");
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

function tell(index) {
  const box = document.getElementById("chart-live");
  const chart = rows.charts.find((one) => one.kind === kind());
  const text = index == null || index < 0 ? "" : chart.texts[index];
  box.querySelector(".chart-tip").textContent = index === here() ? "" : text; // the words below tell of that one
  box.setAttribute("aria-valuetext", text);
  box.setAttribute("aria-valuenow", String(index ?? 0));
}

/** A number at the axis, in the room that there is. */
function short(value) {
  if (value == null) return "";
  const rounded = Number(value.toPrecision(6)), size = Math.abs(rounded);
  return size && (size >= 1e5 || size < 1e-3) ? rounded.toExponential().replace("e+", "e") : String(rounded);
}

/** Of the places along a logarithmic axis some powers of ten, unless it is too short to have two. */
function powers(u, splits) {
  const exponents = splits.map((value) => Math.log10(value));
  const whole = exponents.filter((one) => Math.abs(one - Math.round(one)) < 1e-9);
  if (whole.length < 2) return splits;
  const step = Math.ceil(whole.length / 6);
  return splits.map((value, index) => {
    const nearest = Math.round(exponents[index]);
    return Math.abs(exponents[index] - nearest) < 1e-9 && nearest % step === 0 ? value : null;
  });
}

async function draw() {
  const chart = rows.charts.find((one) => one.kind === kind());
  const box = document.getElementById("chart-live");
  if (!chart || !box) return;
  const { default: Plot } = await import("uplot");
  const width = Math.max(box.clientWidth, 120);
  const log = isLog();
  const shape = [chart.kind, log, chart.curves.length, document.documentElement.dataset.theme].join();
  const content = [shape, rows.of, width].join();
  if (plot && filled === content && box.contains(plot.root)) return plot.redraw(false); // only the cursor moves
  filled = content;
  const data = [rows.places, ...chart.curves.map((curve) =>
    log ? curve.values.map((value) => (value > 0 ? value : null)) : curve.values)];
  if (plot && drawn === shape && box.contains(plot.root)) {
    plot.setSize({ width, height: HEIGHT });
    plot.setData(data);
    return;
  }
  plot?.destroy();
  drawn = shape;
  const line = { stroke: color("--hairline"), width: 1 };
  const axis = { stroke: color("--quiet"), grid: line, ticks: line, font: "11px sans-serif" };
  plot = new Plot({
    width, height: HEIGHT, legend: { show: false }, padding: [6, 8, 0, 0],
    scales: { x: { time: false }, y: { distr: log ? 3 : 1 } },
    axes: [
      { ...axis, size: 24, gap: 3, ticks: { ...line, size: 4 }, values: (u, splits) => splits.map((place) => {
        const index = rows.places.indexOf(place);
        return index < 0 ? "" : rows.iterations[index] ?? "";
      }) },
      { ...axis, size: 46, values: (u, splits) => splits.map(short),
        ...(log ? { filter: powers, grid: { ...line, filter: powers }, ticks: { ...line, filter: powers } } : {}) },
    ],
    series: [{}, ...chart.curves.map((curve, index) => ({
      label: curve.name, stroke: color(`--curve-${index % 6}`), width: 1.6, dash: index ? [2 + 3 * index, 3] : undefined,
      points: { show: data[0].length <= 40, size: 5 },
    }))],
    cursor: { y: false, points: { size: 7 } },
    hooks: { draw: [drawCursor], setCursor: [(u) => tell(u.cursor.idx ?? here())] },
  }, data, box.querySelector(".chart-place"));
  plot.over.addEventListener("click", () => {
    if (plot.select.width === 0 && plot.cursor.idx != null) look(rows.moments[plot.cursor.idx]);
  });
}

function prepare() {
  const box = document.getElementById("chart-live");
  if (!box.firstChild) {
    box.innerHTML = '<div class="chart-place"></div><p class="chart-tip" aria-hidden="true"></p>';
    Object.entries({ role: "slider", tabindex: "0", "aria-label": `${panel().dataset.label}. ${panel().dataset.hint}`,
      "aria-valuemin": "0" }).forEach(([name, value]) => box.setAttribute(name, value));
    box.addEventListener("keydown", chosen);
    new ResizeObserver(() => rows && !box.hidden && draw()).observe(box);
  }
  box.hidden = false;
  document.documentElement.dataset.charts = "live";
  box.setAttribute("aria-valuemax", String(rows.places.length - 1));
}

/** By keyboard: left and right from point to point, Enter to its moment. */
function chosen(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!plot || (!step && event.key !== "Enter")) return; // before the chart is there its keys are nobody's
  event.preventDefault();
  event.stopPropagation();
  const index = Math.min(Math.max((plot.cursor.idx ?? here()) + (step ?? 0), 0), rows.places.length - 1);
  if (event.key === "Enter") return look(rows.moments[index]);
  const chart = rows.charts.find((one) => one.kind === kind());
  const value = chart.curves[0].values[index];
  plot.setCursor({ left: plot.valToPos(rows.places[index], "x"), top: value == null ? 0 : plot.valToPos(value, "y") });
}

async function update() {
  const box = panel();
  if (!main() || !box?.querySelector("[data-kind]") || +box.dataset.rows < 2) {
    delete document.documentElement.dataset.charts;
    if (rows) rows.of = ""; // started over, perhaps
    const live = document.getElementById("chart-live");
    if (live) live.hidden = true;
    return;
  }
  if (loading || document.documentElement.dataset.closed?.split(" ").includes("charts")) return;
  loading = true;
  try {
    const of = asked();
    if (rows?.of !== of) {
      const answer = await fetch(`${main().dataset.base}/series`);
      if (!answer.ok) return;
      rows = { ...(await answer.json()), of };
    }
    if (rows.places.length < 2 || !panel()) return;
    prepare();
    tell(here()); // no slider without a value, not even while the chart is on its way
    await draw();
    tell(here());
  } catch (error) {
    console.warn("charts:", error); // the server's own picture stays
  } finally {
    loading = false;
    if (main() && panel() && rows && rows.of !== asked()) soon();
  }
}

let resting;
/** When the page rests: while somebody scrubs there is no time for it. */
function soon() {
  clearTimeout(resting);
  resting = setTimeout(() => window.requestIdleCallback ? requestIdleCallback(update, { timeout: 500 }) : update(), REST);
}
document.addEventListener("change", ({ target }) => {
  if (!target.closest?.("#charts")) return;
  remember("chart", `${kind()} ${isLog() ? "log" : ""}`);
  if (rows && plot) draw().then(() => tell(here()));
});
afterSwap(restore);
document.addEventListener("click", ({ target }) => {
  if (target.closest?.("#theme-switch, .fold")) soon();
});

/** What was chosen last time: a page comes with the loss chosen. */
function restore() {
  const box = panel();
  if (!box) return;
  const [chosenKind, scale] = (recall("chart") ?? "").split(" ");
  const radio = box.querySelector(`[name="chart-kind"][value="${chosenKind || "loss"}"]`);
  if (radio) radio.checked = true;
  const log = document.getElementById("chart-log");
  if (log) log.checked = scale === "log";
  soon();
}
if (document.readyState === "complete") restore();
else addEventListener("load", restore);
