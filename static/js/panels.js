// Panels can be closed: their names stand on <html>, where the style sheet reads them, and are remembered.

import { remember } from "./preferences.js";
import { afterSwap } from "./swaps.js";

const root = document.documentElement;
const closed = () => new Set((root.dataset.closed ?? "").split(" ").filter(Boolean));

function show() {
  const names = closed();
  for (const button of document.querySelectorAll(".fold")) {
    button.setAttribute("aria-expanded", String(!names.has(button.dataset.fold)));
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.(".fold");
  if (!button) return;
  const names = closed();
  if (!names.delete(button.dataset.fold)) names.add(button.dataset.fold);
  root.dataset.closed = [...names].join(" ");
  remember("closed", root.dataset.closed);
  show();
});
// Of a run that goes to its end nothing is pressed any more, and on a narrow page the menu covers all: what comes of a
// press there is to be seen.
const narrow = matchMedia("(max-width: 700px)");
document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("#more form.command button[data-do]");
  const filled = button?.form?.checkValidity() ?? true;
  if (button && filled && (narrow.matches || button.dataset.do === "finish")) {
    document.getElementById("more").hidePopover();
  }
});
afterSwap(show);
show();
