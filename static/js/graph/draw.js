// Puts a new picture into the page's SVG: an answer brings as text, with their places, the elements that are others than
// in the picture that the page said it has; those are made anew. Of a large picture only what is near the window is made:
// the rest waits as text until somebody scrolls there, looks for it or steps to it. What is far from the window comes
// without numbers (data-far), and without its lines: it is asked for once more when it comes near.

import { LAYERS } from "../brought.js";
import { cursor, lookCloser } from "../state.js";
import { cut, rounded } from "./cut.js";
import { patch } from "./patch.js";

const ALL = 40; // elements of a layer up to which all are made: more do not fit a window
const MARGIN = 320; // pixels around the window in which elements are made
const SENT = 160; // and within which answers bring numbers
const SOON = 80; // and within which none may be missing
const SCROLLING = { sent: 480, soon: 240 }; // both while somebody scrolls: who does goes on
const RIM = 8; // pixels at the window's edge in which nothing is seen well

let picture = null; // {frames, lines, nodes}: [id, markup, x, y, width, height] each; null before the first answer
let there = []; // the rectangles of the picture of which nothing is missing: [left, top, right, bottom]; none: all is there
const known = new Map(); // id of an element in the page -> the text that it was made of
const called = new Set(); // ids that are made wherever they are
let drawn = {}; // the picture that was drawn last, in which element, and near which place

const scroller = () => document.getElementById("scroller");
const graph = () => document.getElementById("graph");

let seen = null; // the window when it was last measured, in the picture's own units, and how many pixels one of them has

/** The window, with its margin, in the picture's own units. */
function nearby() {
  const matrix = graph().getScreenCTM();
  const box = scroller().getBoundingClientRect();
  const inverse = matrix.inverse();
  const a = new DOMPoint(box.left, box.top).matrixTransform(inverse);
  const b = new DOMPoint(box.right, box.bottom).matrixTransform(inverse);
  seen = { left: a.x, top: a.y, right: b.x, bottom: b.y, scale: matrix.a };
  return around(seen);
}

function around({ left, top, right, bottom, scale }, pixels = MARGIN) {
  const margin = pixels / scale;
  return { left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin };
}

/** How far the window `low`..`high` moves for what is from `start` to `end` in a picture from `least` to `most`. */
function shift(low, high, start, end, least, most, rim) {
  if (most - least <= high - low || (start >= low + rim && end <= high - rim)) return 0;
  return Math.max(least - low, Math.min(most - high, (start + end - low - high) / 2));
}

/** That `box` is about to be revealed: what is drawn before that is measured is drawn for where the window will be. */
export function expect(box) {
  if (!box || !seen || !graph()) return;
  const [x, y, width, height] = graph().getAttribute("viewBox").split(" ").map(Number);
  const { left, top, right, bottom, scale } = seen, rim = RIM / scale;
  const across = shift(left, right, box.x, box.x + box.width, x, x + width, rim);
  const down = shift(top, bottom, box.y, box.y + box.height, y, y + height, rim);
  seen = { left: left + across, top: top + down, right: right + across, bottom: bottom + down, scale };
  near = around(seen);
}

function made(markup) {
  if (!markup) return [];
  const holder = document.createElement("div");
  holder.innerHTML = `<svg>${markup}</svg>`;
  return [...holder.firstChild.children];
}

function drawLayer(name, pieces) {
  let layer = document.getElementById(`graph-${name}`);
  if (!layer) {
    layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
    layer.id = `graph-${name}`;
    graph().append(layer);
  }
  const old = new Map([...layer.children].map((element) => [element.id, element]));
  const changed = pieces.filter(([id, markup]) => !old.has(id) || known.get(id) !== markup);
  const fresh = new Map();
  const missing = []; // texts, and what to do with the elements made of them: all at once
  for (const [id, markup] of changed) {
    const patched = old.has(id) && known.has(id) && patch(old.get(id), known.get(id), markup, missing);
    if (!patched) missing.push([markup, (element) => fresh.set(id, element)]);
  }
  made(missing.map(([markup]) => markup).join("")).forEach((element, index) => missing[index][1](element));
  let next = layer.firstChild;
  for (const [id, markup] of pieces) {
    known.set(id, markup);
    const before = old.get(id);
    old.delete(id);
    const element = fresh.get(id) ?? before;
    if (before && before === next) {
      next = next.nextSibling;
      if (element !== before) before.replaceWith(element);
    } else {
      layer.insertBefore(element, next);
      if (before && before !== element) before.remove();
    }
  }
  for (const [id, element] of old) {
    element.remove();
    known.delete(id);
  }
}

/** The window and the margin around it, as an answer is told of them; "" when all of the picture is wanted. */
function told(sent = SENT) {
  if (!seen || !picture || picture.nodes.length <= ALL) return "";
  const { left, top, right, bottom, scale } = seen;
  return [Math.floor(left), Math.floor(top), Math.ceil(right), Math.ceil(bottom), Math.ceil(sent / scale)].join();
}
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  const near = graph() && told(ctx.only && scrolled() ? SCROLLING.sent : SENT);
  if (near) ctx.request.headers["X-Near"] = near;
});

const drawing = [];
/** Call `mark` whenever elements may have been made anew. */
export const whenDrawn = (mark) => drawing.push(mark);

let lacked = ""; // what was asked for once more
let later = false; // whether something lacks that could not be asked for: something else was on its way

/** Whether a rectangle has a place that is in none of the `areas`: what of it is beside the first has to be in others. */
function sticksOut([left, top, right, bottom], areas) {
  if (left >= right || top >= bottom) return false;
  if (!areas.length) return true;
  const [[l, t, r, b], ...others] = areas;
  if (left >= r || right <= l || top >= b || bottom <= t) return sticksOut([left, top, right, bottom], others);
  const [high, low] = [Math.max(top, t), Math.min(bottom, b)];
  return [[left, top, right, high], [left, low, right, bottom], [left, high, l, low], [r, high, right, low]]
    .some((part) => sticksOut(part, others));
}

/** Whether boxes within the margin have no numbers, or what is in the window may have no lines. */
function lacking() {
  if (!there.length) return false;
  const { left, top, right, bottom } = around(seen, scrolled() ? SCROLLING.soon : SOON);
  if (picture.nodes.some(([, markup, x, y, width, height]) => markup.startsWith("<g data-far") &&
    x < right && x + width > left && y < bottom && y + height > top)) return true;
  const [x, y, width, height] = graph().getAttribute("viewBox").split(" ").map(Number);
  const window = [Math.max(seen.left, x), Math.max(seen.top, y), Math.min(seen.right, x + width), Math.min(seen.bottom, y + height)];
  return sticksOut(window, there);
}

/** Ask for what has come near the window and is not there: once for a place in time and a window. */
function fetchLacking() {
  if (!lacking()) return;
  const { number, event } = cursor();
  const key = `${number}/${event}/${told()}/${document.getElementById("debugger").dataset.revision}`;
  if (key === lacked) return;
  later = !lookCloser();
  if (!later) lacked = key;
}
document.addEventListener("htmx:finally:request", () => {
  if (later) drawSoon();
  later = false;
});

/** Take what an answer brought; `draw` draws it. */
export function take({ layers, near }) {
  picture = layers;
  there = near;
  called.clear();
}

let near = null; // what was near the window when that was last measured

const equal = (a, b) => a.length === b.length && a.every((piece, index) => piece === b[index]);

/** Make what is near the window; `guess`: near where it was, for nothing is measured before all has been changed. */
export function draw(guess = false) {
  if (!picture || !graph()) return;
  if (watched !== scroller()) {
    resized.disconnect();
    watched = scroller();
    resized.observe(watched);
  }
  const focused = graph().contains(document.activeElement) ? document.activeElement.id : "";
  if (focused) called.add(focused);
  const large = LAYERS.some((name) => picture[name].length > ALL);
  if (large && !(guess && near)) near = nearby();
  if (large && !guess) fetchLacking();
  const { left, top, right, bottom } = near ?? {};
  const place = large ? `${left},${top},${right},${bottom},${called.size}` : "";
  if (drawn.picture === picture && drawn.graph === graph() && drawn.place === place) return;
  const isNear = ([id, , x, y, width, height]) =>
    !large || called.has(id) || (x < right && x + width > left && y < bottom && y + height > top);
  const area = large && rounded(near);
  const pieces = LAYERS.map((name) => picture[name].filter(isNear));
  if (area) {
    const lines = LAYERS.indexOf("lines");
    pieces[lines] = pieces[lines].map((line) => cut(line, area)).filter(Boolean);
  }
  const same = drawn.graph === graph() && pieces.every((layer, index) => equal(layer, drawn.pieces[index]));
  drawn = { picture, graph: graph(), place, pieces };
  if (same) return;
  LAYERS.forEach((name, index) => drawLayer(name, pieces[index]));
  if (focused && document.activeElement?.id !== focused) {
    document.getElementById(focused)?.focus({ preventScroll: true });
  }
  for (const one of drawing) one();
}

/** The boxes of the picture, made or not: {id, x, y, width, height, markup}. */
export function boxes() {
  if (picture) return picture.nodes.concat(picture.frames).map(([id, markup, x, y, width, height]) => ({ id, markup, x, y, width, height }));
  return [...document.querySelectorAll("#graph-nodes > *, #graph-frames > *")].map((element) => {
    const frame = element.querySelector(".frame");
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => +frame.getAttribute(name));
    return { id: element.id, markup: element.outerHTML, x, y, width, height };
  });
}

/** What an element's text says in one of its attributes, as a person reads it. */
export function said(markup, attribute) {
  const text = markup.match(new RegExp(` ${attribute}="([^"]*)"`))?.[1] ?? "";
  return text.replace(/&#x27;/g, "'").replace(/&quot;/g, '"').replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}

/** The element of a box, made if it was not. */
export function elementOf(id) {
  if (!document.getElementById(id)) {
    called.add(id);
    draw();
  }
  return document.getElementById(id);
}

let revealed = "0,0"; // how far the picture was scrolled when something was last brought in sight
const placeOf = ({ scrollLeft, scrollTop }) => `${scrollLeft},${scrollTop}`;
/** Whether somebody has scrolled since. */
const scrolled = () => placeOf(scroller()) !== revealed;

/** Scroll the picture, and nothing else, so that a box is seen with a little of what is around it. */
export function reveal(box) {
  const panel = scroller();
  if (!panel) return;
  if (box) center(box, panel);
  revealed = placeOf(panel);
}

function center(box, panel) {
  const matrix = graph().getScreenCTM();
  const start = new DOMPoint(box.x, box.y).matrixTransform(matrix);
  const end = new DOMPoint(box.x + box.width, box.y + box.height).matrixTransform(matrix);
  const outer = panel.getBoundingClientRect();
  if (start.y < outer.top + RIM || end.y > outer.bottom - RIM) {
    panel.scrollTop += (start.y + end.y) / 2 - (outer.top + outer.bottom) / 2;
  }
  if (start.x < outer.left + RIM || end.x > outer.right - RIM) {
    panel.scrollLeft += (start.x + end.x) / 2 - (outer.left + outer.right) / 2;
  }
}

document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (ctx.only !== "picture" || !ctx.brought) return;
  take(ctx.brought);
  draw();
});

let asked = false;
/** Make what has come near the window, before it is painted next. */
export function drawSoon() {
  if (asked || !picture) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    draw();
  });
}
document.addEventListener("scroll", ({ target }) => target.id === "scroller" && drawSoon(), { capture: true, passive: true });
const resized = new ResizeObserver(drawSoon);
let watched = null; // the panel whose size is observed: it also changes when panels beside it are closed
