// Find a node by its name, also inside a closed part, which then opens.

import { reveal } from "./follow.js";
import { choose } from "./parts.js";

const field = () => document.getElementById("find-node");
let place = -1; // which of the found ones is shown
let waiting = false; // a part was opened to look inside

const folded = (text) => text.toLowerCase();

/** The boxes that are called so or hold something that is, those that are called so first. */
function found(text) {
  const called = [], holding = [];
  for (const box of document.querySelectorAll("#graph .node, #graph .part")) {
    if (folded(box.dataset.title ?? "").includes(text)) called.push(box);
    else if (folded(box.dataset.holds ?? "").includes(text)) holding.push(box);
  }
  return [...called, ...holding];
}

function mark() {
  const text = folded(field()?.value.trim() ?? "");
  for (const box of document.querySelectorAll("#graph .found")) box.classList.remove("found");
  const boxes = text ? found(text) : [];
  for (const box of boxes) box.classList.add("found");
  const count = document.getElementById("find-count");
  if (count) count.textContent = !text ? "" : boxes.length ? `${boxes.length}` : field().dataset.none;
  field()?.setAttribute("aria-invalid", String(Boolean(text) && !boxes.length));
  return boxes;
}

function goTo(box) {
  const text = folded(field().value.trim());
  if (box.matches(".part.closed") && !folded(box.dataset.title).includes(text)) {
    waiting = true;
    choose({ open: box.dataset.part });
    return;
  }
  for (const other of document.querySelectorAll("#graph .sought")) other.classList.remove("sought");
  box.classList.add("sought");
  reveal(box);
}

/** The next one, or with Shift the one before. */
function advance(backwards) {
  const boxes = mark();
  if (!boxes.length) return;
  place = (place + (backwards ? -1 : 1) + boxes.length) % boxes.length;
  goTo(boxes[place]);
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
  if (first && !first.matches(".part.closed")) reveal(first);
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
  const boxes = mark();
  if (!waiting) return;
  waiting = false;
  if (boxes.length) goTo(boxes[place = Math.min(Math.max(place, 0), boxes.length - 1)]);
}
