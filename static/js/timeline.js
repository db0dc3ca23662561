// Dragging the timeline looks at the moments under the pointer.

import { cursor, look } from "./state.js";

let dragging = false;

function momentAt(timeline, x) {
  const ticks = timeline.children;
  let best = null;
  for (const tick of ticks) {
    const box = tick.getBoundingClientRect();
    if (x >= box.left - 2 || !best) best = { tick, box };
    else break;
  }
  if (!best) return null;
  const first = +best.tick.dataset.first;
  const span = +best.tick.dataset.last - first;
  const share = Math.min(Math.max((x - best.box.left) / best.box.width, 0), 1);
  return first + Math.round(span * share);
}

function goTo(event) {
  const timeline = document.getElementById("timeline");
  const number = momentAt(timeline, event.clientX);
  const here = cursor();
  if (number !== null && (number !== here.number || here.event !== null)) look(number);
}

document.addEventListener("pointerdown", (event) => {
  const timeline = event.target.closest?.("#timeline");
  if (!timeline || event.button !== 0) return;
  dragging = true;
  timeline.setPointerCapture(event.pointerId);
  goTo(event);
});
document.addEventListener("pointermove", (event) => dragging && goTo(event));
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => { dragging = false; });
