// Keeps in sight what it is about: the line just run in the script, the node at the cursor in a picture that scrolls.

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

function show() {
  if (!main()) return;
  reveal(document.querySelector('.listing [aria-current="step"]'), document.querySelector(".panel.script"));
  if (main().dataset.event !== "") reveal(document.getElementById("formula"), document.querySelector(".panel.side"));
  reveal(document.querySelector(".node.current"), document.querySelector(".panel.picture"));
}

document.addEventListener("htmx:after:swap", show);
show();
