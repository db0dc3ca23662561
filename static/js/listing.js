// The script's lines by keyboard: one stop of the Tab key; up and down go from line to line, Enter sets a breakpoint,
// R runs to the line.

import { afterSwap } from "./swaps.js";

const lines = () => [...document.querySelectorAll("#listing .line-number.gutter")];
let at = null; // number of the line that the Tab key stops at

function show() {
  const all = lines();
  if (!all.length) return;
  const here = document.querySelector('#listing [aria-current="step"] .line-number.gutter');
  const stop = all.find((one) => one.value === at) ?? here ?? all[0];
  for (const one of all) {
    const tab = one === stop ? 0 : -1;
    one.tabIndex = tab;
    const runs = one.parentElement.querySelector(".run-to");
    if (runs) runs.tabIndex = tab;
  }
}

document.addEventListener("focusin", ({ target }) => {
  const line = target.closest?.("#listing li")?.querySelector(".line-number.gutter");
  if (!line || line.value === at) return;
  at = line.value;
  show();
});
document.addEventListener("keydown", (event) => {
  const line = event.target.closest?.("#listing li")?.querySelector(".line-number.gutter");
  if (!line || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const all = lines();
    all[all.indexOf(line) + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  } else if (event.key.toLowerCase() === "r") {
    line.parentElement.querySelector(".run-to")?.click();
  } else return;
  event.preventDefault();
  event.stopImmediatePropagation(); // these keys mean something else elsewhere on the page
}, { capture: true });
afterSwap(show);
show();
