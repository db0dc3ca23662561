// Keeps in sight what it is about: the line just run in the script, the formula of the event, what a lesson's card names.

import { main } from "./state.js";
import { onceSwapped } from "./swaps.js";

/** Scroll `element`'s nearest scrolling `panel` (and nothing else) so that it is seen. */
function reveal(element, panel) {
  if (!element || !panel) return;
  const inner = element.getBoundingClientRect();
  const outer = panel.getBoundingClientRect();
  if (inner.top < outer.top + 8 || inner.bottom > outer.bottom - 8) {
    panel.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
}

export function show() {
  if (!main()) return;
  const panel = document.querySelector(".panel.script");
  const scrolls = panel?.querySelector(".lesson") ? panel.querySelector(".script-scroll") : panel;
  const side = document.querySelector(".panel.side");
  const told = ['[data-part="output"].looked-at', ".listing .looked-at", '.listing [aria-current="step"]'];
  reveal(told.map((one) => document.querySelector(one)).find(Boolean), scrolls);
  if (main().dataset.event !== "") reveal(document.getElementById("formula"), side);
  else reveal(side?.querySelector('[data-part="variables"].looked-at'), side);
}

onceSwapped(show);
addEventListener("resize", show);
show();
