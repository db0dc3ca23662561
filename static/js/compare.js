// Two runs in step: the keys and the slider that move both.

import htmx from "htmx.org";
import { phaseOf, press } from "./state.js";

const page = () => document.getElementById("comparison");
let wanted = null;
let looking = false;

/** Look at a pair of moments; while an answer is on its way only the latest wish is kept. */
async function look(at) {
  wanted = at;
  if (looking) return;
  looking = true;
  try {
    while (wanted !== null) {
      const next = wanted;
      wanted = null;
      await htmx.ajax("GET", `${page().dataset.base}&at=${next}`, { target: "#comparison", swap: "outerMorph" });
    }
  } finally {
    looking = false;
  }
}

document.addEventListener("input", ({ target }) => target.id === "compare-at" && look(target.value));
document.addEventListener("keydown", (event) => {
  if (!page()?.dataset.base || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input, textarea, select, summary")) return;
  const { at, most } = page().dataset;
  const go = { ArrowLeft: +at - 1, ArrowRight: +at + 1, Home: 0, End: +most }[event.key];
  if (event.key === "?") document.getElementById("help")?.togglePopover();
  else if (go !== undefined) go >= 0 && go <= +most && look(go);
  else if (!/^[zfbsn1-9]$/i.test(event.key) || event.repeat) return;
  else press(event.key === "n" ? '[data-do="next"]' : phaseOf(event.key.toLowerCase()));
  event.preventDefault();
});
