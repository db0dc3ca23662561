// Find a node by its name, also inside a closed part, which then opens.

import { boxes, elementOf, reveal, said, whenDrawn } from "./draw.js";
import { choose } from "./parts.js";

const field = () => document.getElementById("find-node");
let place = -1; // which of the found ones is shown
let waiting = false; // a part was opened to look inside
let marked = []; // ids of the found ones
let sought = ""; // id of the one that was gone to

const folded = (text) => text.toLowerCase();

/** The boxes that are called so, then the closed parts that hold something that is. */
function found(text) {
  const called = [], holding = [];
  for (const box of boxes()) {
    if (folded(said(box.markup, "data-title")).includes(text)) called.push(box);
    else if (folded(said(box.markup, "data-holds")).includes(text)) holding.push({ ...box, within: said(box.markup, "data-part") });
  }
  return [...called, ...holding];
}

function mark() {
  const text = folded(field()?.value.trim() ?? "");
  for (const box of document.querySelectorAll("#graph .found")) box.classList.remove("found", "sought");
  const all = text ? found(text) : [];
  marked = all.map(({ id }) => id);
  if (!text) sought = "";
  show();
  const count = document.getElementById("find-count");
  if (count) count.textContent = !text ? "" : all.length ? `${all.length}` : field().dataset.none;
  field()?.setAttribute("aria-invalid", String(Boolean(text) && !all.length));
  return all;
}

/** The marks, also on what has been drawn anew. */
function show() {
  for (const id of marked) document.getElementById(id)?.classList.add("found");
  if (marked.includes(sought)) document.getElementById(sought)?.classList.add("sought");
}
whenDrawn(show);

function goTo(box) {
  if (box.within) {
    waiting = true;
    choose({ open: box.within });
    return;
  }
  reveal(box);
  for (const other of document.querySelectorAll("#graph .sought")) other.classList.remove("sought");
  sought = box.id;
  elementOf(box.id);
  show();
}

/** The next one, or with Shift the one before. */
function advance(backwards) {
  const all = mark();
  if (!all.length) return;
  place = (place + (backwards ? -1 : 1) + all.length) % all.length;
  goTo(all[place]);
}

export function find() {
  const input = field();
  if (!input) return false;
  input.focus();
  input.select();
  return true;
}

document.addEventListener("input", ({ target }) => {
  if (target.id !== "find-node") return;
  place = -1;
  const first = mark()[0];
  if (first && !first.within) reveal(first);
});
document.addEventListener("keydown", (event) => {
  if (event.target.id !== "find-node") return;
  if (event.key === "Enter") {
    event.preventDefault();
    advance(event.shiftKey);
  } else if (event.key === "Escape") {
    event.target.value = "";
    mark();
    document.getElementById("scroller")?.focus();
  }
});

export function showFound() {
  field()?.removeAttribute("hidden");
  if (!field()?.value) return;
  const all = mark();
  if (!waiting) return;
  waiting = false;
  if (all.length) goTo(all[place = Math.min(Math.max(place, 0), all.length - 1)]);
}
