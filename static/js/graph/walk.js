// The keyboard in the picture: Tab comes to one box, the arrows go from box to box, Escape back to the picture.

import { boxes, elementOf, reveal } from "./draw.js";

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let last = null; // id of the box that had the focus

/** The box that lies nearest in a direction: straight ahead counts more than aside. */
function neighbour(from, [dx, dy], all) {
  const x = from.x + from.width / 2, y = from.y + from.height / 2;
  let best = null, least = Infinity;
  for (const box of all) {
    if (box.id === from.id) continue;
    const bx = box.x + box.width / 2, by = box.y + box.height / 2;
    const ahead = (bx - x) * dx + (by - y) * dy;
    const far = ahead + 2 * (Math.abs((bx - x) * dy) + Math.abs((by - y) * dx));
    if (ahead > 4 && far < least) [best, least] = [box, far];
  }
  return best;
}

document.addEventListener("keydown", (event) => {
  const here = event.target;
  if (!here.matches?.(".node, .part .toggle") || event.ctrlKey || event.metaKey || event.altKey) return;
  const all = boxes().filter(({ markup }) => !markup.includes('class="part open"'));
  const from = all.find(({ id }) => id === (here.closest(".part") ?? here).id);
  let next = null;
  if (event.key in DIRECTIONS) next = from && neighbour(from, DIRECTIONS[event.key], all);
  else if (event.key === "Home") next = all[0];
  else if (event.key === "End") next = all.at(-1);
  else if (event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation(); // these keys move through time elsewhere
  if (event.key === "Escape") document.getElementById("scroller").focus();
  if (!next) return;
  reveal(next);
  const element = elementOf(next.id);
  (element.querySelector(".toggle") ?? element).focus({ preventScroll: true });
}, { capture: true });

document.addEventListener("focusin", ({ target }) => {
  if (!target.matches?.("#graph .node")) return;
  last = target.id;
  rove();
});

/** One box alone is in the order of Tab: the one that had the focus, else the server's choice. */
export function rove() {
  const box = last && document.getElementById(last);
  if (!box) return;
  for (const other of document.querySelectorAll('#graph .node[tabindex="0"]')) other.setAttribute("tabindex", "-1");
  box.setAttribute("tabindex", "0");
}
