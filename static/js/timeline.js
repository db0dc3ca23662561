// Dragging the timeline looks at the moments under the pointer. While it moves the answers bring the picture, the script
// and what happened; the panels beside follow when it rests.

import { cursor, look } from "./state.js";

const STILL = 150; // milliseconds after which the pointer rests
let dragging = false;
let behind = null; // the moment whose panels are not there yet
let timer = null;

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

function catchUp() {
  clearTimeout(timer);
  if (behind !== null) look(behind);
  behind = null;
}

function goTo(event, moving) {
  const timeline = document.getElementById("timeline");
  const number = momentAt(timeline, event.clientX);
  const here = cursor();
  if (number !== null && (number !== here.number || here.event !== null)) {
    behind = moving ? number : null;
    look(number, null, undefined, moving);
  }
  clearTimeout(timer);
  timer = setTimeout(catchUp, STILL);
}

document.addEventListener("pointerdown", (event) => {
  const timeline = event.target.closest?.("#timeline");
  if (!timeline || event.button !== 0) return;
  dragging = true;
  timeline.setPointerCapture(event.pointerId);
  goTo(event, false);
});
document.addEventListener("pointermove", (event) => dragging && goTo(event, true));
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => {
    dragging = false;
    catchUp();
  });
}
