// Parts of the graph open and close, an entry of a tensor is followed: what the viewer chose to see (data-sight) goes
// out with every request, the server draws it.

import { cursor, look, main } from "../state.js";
import { entryAt, cellIndex } from "../tips.js";

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  if (!main()) return;
  ctx.request.headers["X-Sight"] = main().dataset.sight;
});

/** Ask for the same place with `choice` ({open: part}, {close: part}, {pin: entry}) made. */
export function choose(choice) {
  const { number, event } = cursor();
  return look(number, event, choice);
}

const plain = (event) => event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);

document.addEventListener("click", (event) => {
  const chooser = event.target.closest?.("#debugger a[data-open], #debugger a[data-close], #debugger a[data-pin]");
  if (chooser && plain(event)) {
    event.preventDefault();
    const { open, close, pin } = chooser.dataset;
    if (open !== undefined) choose({ open });
    else if (close !== undefined) choose({ close });
    else choose({ pin });
    return;
  }
  const cells = event.target.closest?.("#graph .node .cells");
  if (!cells || !plain(event) || !cells.dataset.shape) return;
  const entry = entryAt(cells.dataset.shape, cellIndex(cells, event)).replaceAll(" ", "");
  const pin = `${cells.closest(".node").dataset.node}[${entry}]`;
  choose({ pin: pin === document.getElementById("graph").dataset.pin ? "" : pin });
});

// A click with the mouse leaves the focus where it is: the arrow keys then go on moving through time.
document.addEventListener("mousedown", (event) => {
  if (event.target.closest?.("#graph")) event.preventDefault();
});

// A link in SVG is not pressed by the space bar as a button is.
document.addEventListener("keydown", (event) => {
  if (event.key === " " && event.target.matches?.(".toggle")) {
    event.preventDefault();
    event.target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
});
