// The picture larger and smaller: buttons, keys, Ctrl and the wheel, two fingers; dragged with the mouse; a small map.
// The panel really scrolls, so that fingers, trackpads and the keyboard move it as they move everything else.

import { recall, remember } from "../preferences.js";
import { drawSoon, whenDrawn } from "./draw.js";
import { showNames } from "./names.js";

const LEAST = 0.05;
const FARTHER = 0.42; // no box has room for its name
const NEARLY = 0.955; // of its own size: what nearly fits is drawn so much smaller, rather than scrolled
const MOST = 4;
const STEP = 1.25;

const scroller = () => document.getElementById("scroller");
let zoom = 1;

/** Own size of the picture: at this size its smallest text has 11 pixels. */
function ownSize(panel) {
  const sizer = panel.querySelector(".sizer");
  return { width: +sizer.getAttribute("width"), height: +sizer.getAttribute("height") };
}

const fitting = (panel) => {
  const { width, height } = ownSize(panel);
  return Math.min(panel.clientWidth / width, panel.clientHeight / height);
};

/** How large it is asked to be, when that is not the whole of it. */
const asked = (fits) => (zoom === 1 && fits >= NEARLY ? Math.min(1, fits) : zoom);

/** How large it is drawn now: a small picture fills the panel. */
export const scale = (panel) => Math.max(asked(fitting(panel)), Math.min(fitting(panel), MOST));

const isFitted = () => recall("fit") === "on";

/** Custom properties stand at the root, where no answer takes them away; set only when they are others, for all is
 *  styled anew then. */
const root = document.documentElement;
function set(name, value) {
  if (root.style.getPropertyValue(name) !== value) root.style.setProperty(name, value);
}

function apply(panel) {
  const fits = fitting(panel);
  const shown = isFitted() ? Math.min(1, fits) : asked(fits);
  const size = Math.max(shown, Math.min(fits, 1));
  set("--zoom", String(shown));
  root.classList.toggle("far", size < NEARLY);
  root.classList.toggle("farther", size < FARTHER);
  if (size < FARTHER) showNames(size);
  if (size < NEARLY) set("--scale", String(size));
  const fit = document.getElementById("fit");
  fit?.setAttribute("aria-pressed", String(isFitted()));
  if (fit) fit.hidden = fits >= NEARLY && zoom <= Math.max(1, fits);
  showMap(panel);
}

/** Zoom by `factor` and keep the point (x, y) of the window where it is. */
function zoomBy(factor, x, y) {
  const panel = scroller();
  if (!panel) return;
  const box = panel.getBoundingClientRect();
  const [px, py] = [(x ?? box.left + box.width / 2) - box.left, (y ?? box.top + box.height / 2) - box.top];
  const before = { width: panel.scrollWidth, height: panel.scrollHeight };
  const at = [(panel.scrollLeft + px) / before.width, (panel.scrollTop + py) / before.height];
  const now = isFitted() ? Math.min(1, fitting(panel)) : scale(panel);
  remember("fit", "off");
  zoom = Math.min(MOST, Math.max(LEAST, Math.min(fitting(panel), 1), now * factor));
  apply(panel);
  panel.scrollLeft = at[0] * panel.scrollWidth - px;
  panel.scrollTop = at[1] * panel.scrollHeight - py;
  drawSoon();
}

function toggleFit() {
  const panel = scroller();
  if (!panel) return;
  remember("fit", isFitted() ? "off" : "on");
  zoom = 1;
  apply(panel);
  drawSoon();
}

export const zoomKeys = { "+": () => zoomBy(STEP), "=": () => zoomBy(STEP), "-": () => zoomBy(1 / STEP), 0: toggleFit };

document.addEventListener("click", ({ target }) => {
  const does = target.closest?.("[data-zoom]")?.dataset.zoom;
  if (does === "fit") toggleFit();
  else if (does) zoomBy(does === "in" ? STEP : 1 / STEP);
});

document.addEventListener("wheel", (event) => {
  if (!(event.ctrlKey || event.metaKey) || !event.target.closest?.("#scroller")) return;
  event.preventDefault();
  zoomBy(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) / 120), event.clientX, event.clientY);
}, { passive: false });

// ---- dragging with the mouse, two fingers

const fingers = new Map();
let drag = null;

document.addEventListener("pointerdown", (event) => {
  const panel = event.target.closest?.("#scroller");
  if (!panel) return;
  if (event.pointerType === "touch") fingers.set(event.pointerId, event);
  else if (event.button === 0 && !event.target.closest("a, .cells")) {
    drag = { panel, x: event.clientX, y: event.clientY, left: panel.scrollLeft, top: panel.scrollTop };
  }
});
document.addEventListener("pointermove", (event) => {
  if (drag) {
    drag.panel.scrollLeft = drag.left - (event.clientX - drag.x);
    drag.panel.scrollTop = drag.top - (event.clientY - drag.y);
    drag.panel.classList.add("dragged");
  } else if (fingers.has(event.pointerId) && fingers.size === 2) {
    const [a, b] = fingers.values();
    const before = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    fingers.set(event.pointerId, event);
    const [c, d] = fingers.values();
    const after = Math.hypot(c.clientX - d.clientX, c.clientY - d.clientY);
    if (before > 0) zoomBy(after / before, (c.clientX + d.clientX) / 2, (c.clientY + d.clientY) / 2);
  }
});
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, (event) => {
    drag?.panel.classList.remove("dragged");
    drag = null;
    fingers.delete(event.pointerId);
  });
}

// ---- the small map

/** Shown when not all is seen, with a frame around what is. */
function showMap(panel) {
  const map = document.getElementById("minimap");
  if (!map) return;
  // all that is measured before anything is changed: else each change is laid out for the next measure
  const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = panel;
  const all = scrollWidth <= clientWidth + 2 && scrollHeight <= clientHeight + 2;
  map.toggleAttribute("hidden", all);
  if (all) return;
  if (!map.dataset.corner) placeMap(map, panel);
  const [left, top, width, height] = map.getAttribute("viewBox").split(" ").map(Number);
  const view = document.getElementById("minimap-window");
  const across = width / scrollWidth, down = height / scrollHeight;
  view.setAttribute("x", left + scrollLeft * across);
  view.setAttribute("y", top + scrollTop * down);
  view.setAttribute("width", clientWidth * across);
  view.setAttribute("height", clientHeight * down);
}

let corner = "bottom right"; // where the small map is

/** In the corner where it covers least of what is seen now; where it was, if that is as good. */
function placeMap(map, panel) {
  const stage = panel.getBoundingClientRect(), own = map.getBoundingClientRect();
  const places = [...document.querySelectorAll("#graph-nodes > *")].map((one) => one.getBoundingClientRect());
  const covers = (one) => {
    const x = one.includes("left") ? stage.left : stage.right - own.width - 16;
    const y = one.includes("top") ? stage.top : stage.bottom - own.height - 16;
    return places.filter(({ left, right, top, bottom }) =>
      left < x + own.width + 16 && right > x && top < y + own.height + 16 && bottom > y).length;
  };
  let least = Infinity;
  for (const one of [corner, "bottom right", "top right", "bottom left", "top left"]) {
    const count = least && covers(one);
    if (count < least) [corner, least] = [one, count];
  }
  map.dataset.corner = corner;
}

function goTo(event) {
  const map = document.getElementById("minimap");
  const panel = scroller();
  const matrix = map.getScreenCTM();
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  const [left, top, width, height] = map.getAttribute("viewBox").split(" ").map(Number);
  panel.scrollLeft = (point.x - left) / width * panel.scrollWidth - panel.clientWidth / 2;
  panel.scrollTop = (point.y - top) / height * panel.scrollHeight - panel.clientHeight / 2;
}
let mapped = false;
document.addEventListener("pointerdown", (event) => {
  const map = event.target.closest?.("#minimap");
  if (!map) return;
  mapped = true;
  map.setPointerCapture(event.pointerId);
  goTo(event);
});
document.addEventListener("pointermove", (event) => mapped && goTo(event));
document.addEventListener("pointerup", () => { mapped = false; });
document.addEventListener("scroll", ({ target }) => target.id === "scroller" && showMap(target), { capture: true, passive: true });

export function showZoom() {
  const panel = scroller();
  if (!panel) return;
  document.getElementById("zooms")?.removeAttribute("hidden");
  apply(panel);
}
addEventListener("resize", showZoom);
whenDrawn(() => root.classList.contains("farther") && showNames(+root.style.getPropertyValue("--scale")));
