// Keeps in sight what has just happened in a picture that scrolls.

import { main } from "../state.js";

/** A forward ends at the output, a backward at the leaves: the end of what just happened. */
function goal() {
  const { event, did: phase } = main().dataset;
  if (event !== "") return document.querySelector(".node.current");
  if (phase === "forward") return document.querySelector(".node.output") ?? document.querySelector(".part.closed:last-of-type");
  return phase === "backward" ? document.querySelector(".node.leaf.grows") : null;
}

/** Scroll the picture, and nothing else, so that `element` is seen with a little of what is around it. */
export function reveal(element) {
  const panel = document.getElementById("scroller");
  if (!element || !panel) return;
  const inner = element.getBoundingClientRect();
  const outer = panel.getBoundingClientRect();
  if (inner.top < outer.top + 8 || inner.bottom > outer.bottom - 8) {
    panel.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
  if (inner.left < outer.left + 8 || inner.right > outer.right - 8) {
    panel.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
  }
}

let seen = "";

/** Once for each place of the cursor: opening a part or reading does not pull the picture away. */
export function follow() {
  if (!main()) return;
  const { number, event } = main().dataset;
  const here = `${number}/${event}`;
  if (here === seen) return;
  seen = here;
  reveal(goal());
}
