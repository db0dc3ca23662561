// The script's lines by keyboard: one stop of the Tab key; up and down go from line to line, Enter sets a breakpoint,
// R runs to the line; C, Shift with a click or Enter, and the right button ask when a breakpoint stops.

import { onceSwapped } from "./swaps.js";

const lines = () => [...document.querySelectorAll("#listing .line-number.gutter")];
let at = null; // number of the line that the Tab key stops at
let asked = null; // number of the line whose condition is to be asked for

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
function ask(line) {
  const field = document.getElementById(`when-${line.value}`);
  if (!field) {
    asked = line.value;
    line.click();
    return;
  }
  document.getElementById("stopping").open = true;
  field.focus();
  field.scrollIntoView({ block: "nearest" });
}

for (const kind of ["click", "contextmenu"]) {
  document.addEventListener(kind, (event) => {
    const line = event.target.closest?.("#listing .line-number.gutter");
    if (!line || (kind === "click" && !event.shiftKey)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    ask(line);
  }, { capture: true });
}
document.addEventListener("keydown", (event) => {
  const line = event.target.closest?.("#listing li")?.querySelector(".line-number.gutter");
  if (!line || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const all = lines();
    all[all.indexOf(line) + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  } else if (event.key.toLowerCase() === "r") {
    line.parentElement.querySelector(".run-to")?.click();
  } else if (event.key.toLowerCase() === "c") {
    ask(line);
  } else return;
  event.preventDefault();
  event.stopImmediatePropagation(); // these keys mean something else elsewhere on the page
}, { capture: true });
onceSwapped(show); // the lines themselves are put into the page before
onceSwapped(() => {
  const line = asked && lines().find((one) => one.value === asked);
  asked = null;
  if (line && document.getElementById(`when-${line.value}`)) ask(line);
});
show();
