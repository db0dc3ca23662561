// Keeps in sight what it is about: the line just run in the script, the node at the cursor in a picture that scrolls.

import { recall, remember } from "./preferences.js";
import { main } from "./state.js";

/** Scroll `element`'s nearest scrolling `panel` (and nothing else) so that it is seen. */
function reveal(element, panel) {
  if (!element || !panel) return;
  const inner = element.getBoundingClientRect();
  const outer = panel.getBoundingClientRect();
  const room = 40;
  if (inner.top < outer.top + 8 || inner.bottom > outer.bottom - 8) {
    panel.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
  if (panel.classList.contains("picture") && (inner.left < outer.left + 8 || inner.right > outer.right - 8)) {
    panel.scrollLeft += inner.left < outer.left ? inner.left - outer.left - room : inner.right - outer.right + room;
  }
}

/** A forward ends at the output, a backward at the leaves: the end of what just happened. */
function goal() {
  const { event, did: phase } = main().dataset;
  if (event !== "") return document.querySelector(".node.current");
  if (phase === "forward") return document.querySelector(".node.output");
  return phase === "backward" ? document.querySelector(".node.leaf.grows") : null;
}

/** "Whole picture": shrunk until it fits. Offered when it does not, remembered. */
function showFit(panel) {
  const button = document.getElementById("fit");
  if (!button) return;
  const fitted = recall("fit") === "on";
  panel.classList.toggle("fitted", fitted);
  button.setAttribute("aria-pressed", String(fitted));
  const sizer = panel.querySelector(".sizer");
  const large = +sizer.getAttribute("width") > panel.clientWidth || +sizer.getAttribute("height") > panel.clientHeight;
  button.hidden = !large;
}

function show() {
  if (!main()) return;
  const picture = document.querySelector(".panel.picture");
  showFit(picture);
  reveal(document.querySelector('.listing [aria-current="step"]'), document.querySelector(".panel.script"));
  if (main().dataset.event !== "") reveal(document.getElementById("formula"), document.querySelector(".panel.side"));
  reveal(goal(), picture);
}

document.addEventListener("click", ({ target }) => {
  if (!target.closest?.("#fit")) return;
  remember("fit", recall("fit") === "on" ? "off" : "on");
  show();
});
document.addEventListener("htmx:after:swap", show);
addEventListener("resize", show);
show();
