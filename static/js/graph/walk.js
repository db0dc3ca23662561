// The keyboard in the picture: Tab comes to one box, the arrows go from box to box, Escape back to the picture.

import { reveal } from "./follow.js";

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const BOXES = "#graph .node, #graph .part .toggle";
let last = null; // id of the box that had the focus

function middle(element) {
  const box = (element.closest(".part") ?? element).getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

/** The box that lies nearest in a direction: straight ahead counts more than aside. */
function neighbour(from, [dx, dy]) {
  const [x, y] = middle(from);
  let best = null, least = Infinity;
  for (const box of document.querySelectorAll(BOXES)) {
    if (box === from) continue;
    const [bx, by] = middle(box);
    const ahead = (bx - x) * dx + (by - y) * dy;
    const aside = Math.abs((bx - x) * dy) + Math.abs((by - y) * dx);
    const far = ahead + 2 * aside;
    if (ahead > 4 && far < least) [best, least] = [box, far];
  }
  return best;
}

document.addEventListener("keydown", (event) => {
  const here = event.target;
  if (!here.matches?.(".node, .part .toggle") || event.ctrlKey || event.metaKey || event.altKey) return;
  const ends = document.querySelectorAll("#graph .node");
  let next = null;
  if (event.key in DIRECTIONS) next = neighbour(here, DIRECTIONS[event.key]);
  else if (event.key === "Home") next = ends[0];
  else if (event.key === "End") next = ends[ends.length - 1];
  else if (event.key === "Escape") next = document.getElementById("scroller");
  else return;
  event.preventDefault();
  event.stopPropagation(); // these keys move through time elsewhere
  next?.focus({ preventScroll: true });
  if (next && next.id !== "scroller") reveal(next);
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
