// What the picture of the graph does in the browser. The server draws it; here is how to get about in it.

import { isTyping, keysAreOn } from "../keys.js";
import { found } from "../brought.js";
import { afterSwap, onceSwapped } from "../swaps.js";
import { draw, expect, take } from "./draw.js";
import { find, showFound } from "./find.js";
import { ahead, follow } from "./follow.js";
import "./parts.js";
import { rove } from "./walk.js";
import { showZoom, zoomKeys } from "./zoom.js";

const keys = { ...zoomKeys, "/": find };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !keysAreOn()) return;
  if (isTyping(event.target, event.key)) return;
  if (!keys[event.key] || !document.getElementById("scroller")) return;
  event.preventDefault();
  keys[event.key]();
});

function change(brought) {
  if (brought) take(brought);
  expect(ahead());
  draw(true);
}
function measure() {
  showZoom();
  follow();
  draw();
  showFound();
  rove();
}
afterSwap(({ detail: { ctx } }) => change(ctx.brought));
onceSwapped(measure);
change(found());
measure();
