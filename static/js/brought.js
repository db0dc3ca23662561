// What an answer leaves out because the page had it (app/pages/changes.py) is put back here. An answer names itself by a
// token and may build on one that came before: of the latest ones all pieces are kept as text.

import htmx from "htmx.org";
import { keep } from "./kept.js";
import { morph } from "./morph.js";
import { cursor, look, main } from "./state.js";
import { afterSwap } from "./swaps.js";

export const LAYERS = ["lines", "frames", "nodes"];
const KEPT = 8; // answers that one may still build on: more than requests are ever on their way at once
const OPENS = '<script type="application/json" id="brought">';
const CLOSES = "</script>";
const MAIN = /<main id="debugger"[^>]*>/;
const REVISION = /data-revision="\d+"/;

const answers = new Map(); // token -> {layers, near, lists, panels}, the latest last
const panels = new Map(); // id of a panel -> the text that the page shows
const items = new Map(); // id of an element of a list -> the text that it was made of
let frame = null; // what stands around the panels of the page, as text; null when that is not known
let swaps = 0;

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  ctx.request.headers["X-Shown"] = [...answers.keys()].at(-1) ?? "";
});

/** A piece as it was told: of one that was cut, the lengths stand behind it. */
function joined(piece, before) {
  const [id, told, ...place] = piece;
  if (typeof told === "string") return piece;
  const lengths = told.map((text, index) => (text === 0 ? before[6][index] : text));
  return [id, lengths.join(""), ...place, lengths];
}

/** Pieces in order: those that stand as an id alone are taken from `before`. */
function whole(pieces, before) {
  const old = before && new Map(before.map((piece) => [piece[0], piece]));
  return pieces.map((piece) => (typeof piece === "string" ? old.get(piece) : joined(piece, old?.get(piece[0]))));
}

function complete(brought, before) {
  const made = { layers: {}, near: brought.near ?? [], lists: {}, panels: {} };
  for (const name of LAYERS) made.layers[name] = whole(brought[name], before?.layers[name]);
  for (const name in brought.lists) made.lists[name] = whole(brought.lists[name], before?.lists[name]);
  for (const id in brought.panels) made.panels[id] = brought.panels[id] ?? before.panels[id];
  return made;
}

/** What a page brought that is not an answer (app/export/offline.py); null for most. */
export function found() {
  const data = document.getElementById("brought");
  data?.remove();
  return data && complete(JSON.parse(data.textContent));
}

/** An answer, whole: the data is taken out of its text before htmx parses that, for of a large picture it is most of it.
 *  "lost": it builds on what is not there any more; null: it is no answer of this kind. */
function read(text) {
  const start = text?.indexOf(OPENS) ?? -1;
  if (start < 0) return null;
  const end = text.indexOf(CLOSES, start);
  const brought = JSON.parse(text.slice(start + OPENS.length, end));
  const before = answers.get(brought.had);
  if (brought.had && !before) return "lost";
  const rest = text.slice(0, start) + text.slice(end + CLOSES.length);
  return { text: rest, token: brought.token, brought: complete(brought, before) };
}

document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = event.detail;
  const answer = ctx.again ?? read(ctx.text);
  if (ctx.ahead) event.preventDefault(); // nobody wants it yet
  if (answer && answer !== "lost") keep(ctx, answer);
  if (!answer || ctx.ahead) return;
  ctx.swaps = swaps;
  ctx.brought = answer.brought ?? answer;
  if (answer === "lost") return;
  const { text, token } = answer;
  ctx.text = ctx.again ? text.replace(REVISION, `data-revision="${ctx.order}"`) : text;
  putTogether(ctx, token);
  if (!token) return;
  answers.delete(token);
  answers.set(token, ctx.brought);
  if (answers.size > KEPT) answers.delete(answers.keys().next().value);
});

/** The panels that are others go into the answer. Where nothing else has changed, they alone are what is morphed, each by
 *  itself, and <main> has its attributes changed (`opening`): a press changes a few of the page's elements. */
function putTogether(ctx, token) {
  const [opening] = ctx.text.match(MAIN) ?? [];
  const changed = Object.entries(ctx.brought.panels).filter(([id, text]) => (
    panels.get(id) !== text || !document.getElementById(id) || "touched" in document.getElementById(id).dataset));
  ctx.frame = token && opening ? ctx.text.replace(opening, "") : null;
  if (ctx.frame !== null && ctx.frame === frame && ctx.swap === "outerMorph" && !ctx.hx?.reswap) {
    ctx.changes = { opening, panels: changed };
    ctx.swap = "outerMorph swapEmpty:false"; // for htmx there is nothing left to do
    ctx.text = "";
    return;
  }
  for (const [id, text] of changed) {
    ctx.text = ctx.text.replace(new RegExp(`<(\\w+) id="${id}" data-same></\\1>`), () => text);
  }
}

function open(opening) {
  const holder = document.createElement("template");
  holder.innerHTML = opening;
  for (const { name, value } of holder.content.firstElementChild.attributes) {
    if (main().getAttribute(name) !== value) main().setAttribute(name, value);
  }
}

document.addEventListener("htmx:before:swap", (event) => {
  const { brought, changes, swaps: then } = event.detail.ctx;
  if (!brought || event.defaultPrevented) return;
  if (brought !== "lost" && then === swaps) {
    if (!changes) return;
    open(changes.opening);
    morph(changes.panels);
    return;
  }
  event.preventDefault(); // it builds on what is not there any more: asked for again, whole
  answers.clear();
  look(cursor().number, cursor().event);
});

htmx.registerExtension("brought", {
  htmx_before_morph_node: (old, { newNode }) => newNode.dataset?.same === undefined,
});

function drawList(name, pieces) {
  const list = document.getElementById(name);
  if (!list) return;
  const old = new Map([...list.children].map((element) => [element.id, element]));
  const holder = document.createElement(list.tagName);
  const changed = pieces.filter(([id, text]) => !old.has(id) || items.get(id) !== text);
  holder.innerHTML = changed.map(([, text]) => text).join("");
  const fresh = new Map([...holder.children].map((element) => [element.id, element]));
  let next = list.firstElementChild;
  for (const [id, text] of pieces) {
    items.set(id, text);
    const before = old.get(id);
    const element = fresh.get(id) ?? before;
    old.delete(id);
    if (before === next && before) {
      next = next.nextElementSibling;
      if (element !== before) replace(before, element);
    } else {
      list.insertBefore(element, next);
      if (before && before !== element) before.remove();
    }
  }
  for (const [id, element] of old) {
    element.remove();
    items.delete(id);
  }
}

/** An element of a list by another one like it; what had the focus has it again. */
function replace(before, element) {
  const focused = before.contains(document.activeElement) && [...before.querySelectorAll("*")].indexOf(document.activeElement);
  before.replaceWith(element);
  if (focused !== false) element.querySelectorAll("*")[focused]?.focus({ preventScroll: true });
}

afterSwap(({ detail: { ctx } }) => {
  frame = ctx.brought ? ctx.frame : null;
  if (!ctx.brought) return;
  swaps += 1;
  for (const [id, text] of Object.entries(ctx.brought.panels)) panels.set(id, text);
  for (const name in ctx.brought.lists) drawList(name, ctx.brought.lists[name]);
});
