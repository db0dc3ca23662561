// Asking about a number: choosing it in a table or in the picture shows where it came from. W asks about what has the
// focus. The landscape, once drawn, is drawn again at every moment.

import htmx from "htmx.org";
import { main } from "./state.js";
import { afterSwap, onceSwapped } from "./swaps.js";
import { entryIn } from "./tips.js";

let asker = null; // where the focus goes back to

async function ask(tensor, field, index = "") {
  const { base, number } = main().dataset;
  const query = new URLSearchParams({ tensor, field, index });
  const place = document.getElementById("asked"); // asks by itself: the latest question counts, and none waits for others
  await htmx.ajax("GET", `${base}/moments/${number}/why?${query}`, { source: place, target: place, swap: "innerHTML" });
  const answer = document.getElementById("answer");
  answer?.scrollIntoView({ block: "nearest" });
  answer?.focus({ preventScroll: true });
}

/** What is asked about at an element: a link of a table, or a number or cell of a named box in the picture. */
function asked(element, event) {
  const link = element.closest?.("a.asks");
  const cells = element.closest?.(".cells");
  const index = cells && event ? entryIn(cells, event) : "";
  if (link) return { ...link.dataset, index, from: link };
  const box = element.closest?.(".picture .node[data-name]");
  const number = element.closest?.("text.number"); // a cell of the picture is pinned instead
  if (!box?.dataset.name || !number || number.matches(".passing, .none, .unknown")) return null;
  return { tensor: box.dataset.name, field: number.matches(".grad") ? "grad" : "value", index: "", from: box };
}

document.addEventListener("click", (event) => {
  if (!main() || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const about = asked(event.target, event);
  if (about) {
    event.preventDefault();
    asker = about.from;
    ask(about.tensor, about.field, about.index);
  } else if (event.target.closest?.("#answer-close")) close();
});

// What was asked of the findings stands above them, on a narrow page out of sight.
onceSwapped(() => {
  const answer = document.getElementById("answer");
  if (!answer || answer.dataset.seen) return;
  answer.dataset.seen = "yes";
  answer.scrollIntoView({ block: "nearest" });
});

// What a nudge did stands below its button, where the panel may end.
onceSwapped(() => {
  const nudged = document.getElementById("nudged");
  if (!nudged?.textContent || nudged.dataset.seen) return;
  nudged.dataset.seen = "yes";
  nudged.scrollIntoView({ block: "nearest" });
});

function close() {
  document.getElementById("asked")?.replaceChildren();
  if (asker?.isConnected) asker.focus();
}

document.addEventListener("keydown", (event) => {
  if (!main() || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && event.target.closest?.("#asked")) return close();
  if (event.key.toLowerCase() !== "w" || event.target.closest?.("input, textarea, select, .cm-editor")) return;
  const box = event.target.closest?.(".node[data-kind='leaf'][data-name]");
  const link = event.target.closest?.("tr[data-parameter]")?.querySelector("a.asks[data-field='grad'], a.asks");
  if (!box && !link) return;
  event.preventDefault();
  asker = event.target;
  const grad = box && !box.querySelector(".number.grad.none") && box.querySelector("[id$='-grad']");
  if (box) ask(box.dataset.name, grad ? "grad" : "value");
  else ask(link.dataset.tensor, link.dataset.field);
});

afterSwap(({ detail: { ctx } }) => {
  if (ctx.here?.moving) return;
  const drawn = document.getElementById("landscape-drawn");
  const link = document.getElementById("draw-landscape");
  if (!drawn || !link || drawn.dataset.number === main()?.dataset.number) return;
  if (drawn.dataset.asked === main().dataset.number) return;
  drawn.dataset.asked = main().dataset.number;
  const place = document.getElementById("landscape");
  htmx.ajax("GET", link.getAttribute("href"), { source: place, target: place, swap: "innerHTML" });
});
