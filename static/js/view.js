// Keeps in sight what it is about: the line just run in the script, the formula of the event, what a lesson's card names.

import { cursor, main } from "./state.js";
import { onceSwapped } from "./swaps.js";

const HEAD = 40; // pixels at the top of the script that its heading covers

/** Scroll `element`'s nearest scrolling `panel` (and nothing else) so that it is seen. */
function reveal(element, panel) {
  if (!element || !panel) return;
  const inner = element.getBoundingClientRect();
  const outer = panel.getBoundingClientRect();
  if (inner.top < outer.top + HEAD || inner.bottom > outer.bottom - 8) {
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
  reveal(side?.querySelector(".parameters tr.current"), side?.querySelector("#part-parameters > .part-body"));
}

/** What was printed last is at the end. */
let printed = "";
function unroll() {
  const output = document.getElementById("output");
  const text = output?.textContent ?? "";
  if (text === printed) return;
  printed = text;
  if (output) output.scrollTop = output.scrollHeight;
}

/** Where the page itself scrolls (a phone), with controls that stay: what a press or a look changed is brought above
 *  them, the formula of an event with it. */
let seen = main() && JSON.stringify(cursor());
function bring() {
  const here = main() && JSON.stringify(cursor());
  const controls = document.querySelector("#debugger > .controls");
  const changed = here && here !== seen;
  seen = here;
  if (!changed || getComputedStyle(controls).position !== "sticky") return;
  const picture = document.querySelector(".panel.picture").getBoundingClientRect();
  const formula = main().dataset.event === "" ? null : document.getElementById("formula")?.getBoundingClientRect();
  const covered = Math.max(picture.bottom, formula?.bottom ?? 0) - controls.getBoundingClientRect().top;
  const most = formula ? covered : Math.max(0, picture.top); // the picture from its top; a formula in any case
  if (covered > 0) scrollBy({ top: Math.min(covered, most), behavior: "instant" });
}

onceSwapped(show);
onceSwapped(unroll);
onceSwapped(bring);
addEventListener("resize", show);
show();
unroll();
