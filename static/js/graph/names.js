// The names of parts in a picture that is seen from so far away that no box has room for its own: those that fit into
// their frames, cut where they are long, and lie over no other name, the outermost first, as on a map.

import { boxes, said } from "./draw.js";

const LETTER = 7.7; // pixels, about, at a height of 11
const HEIGHT = 13;
const SPACE = 4;
const MOST = 300;
const FEWEST = 6; // letters of a name that is cut

/** "net.blocks.3" -> "blocks.3", "net.out" -> "out": what tells it from those beside it; "" for a few of many blocks. */
function brief(title) {
  if (title.includes(" · ")) return "";
  const parts = title.split(".");
  const own = parts.pop();
  return /^\d/.test(own) && parts.length ? `${parts.pop()}.${own}` : own;
}

const meets = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Where names go, in pixels: {text, x, y, width, height}. */
export function placed(all, scale) {
  const found = [];
  const largest = [...all].sort((a, b) => b.width * b.height - a.width * a.height);
  for (const { name, x, y, width, height } of largest) {
    if (found.length === MOST) break;
    const room = { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
    const letters = Math.floor((room.width - 2 * SPACE) / LETTER);
    if (!name || letters < Math.min(FEWEST, name.length) || HEIGHT > room.height) continue;
    const isCut = name.length > letters;
    const text = isCut ? `${name.slice(0, letters - 2)}…` : name; // the dots are as wide as two letters
    const long = (text.length + isCut) * LETTER;
    const free = room.width - long - SPACE;
    for (const along of [SPACE, free / 2, free]) {
      const place = { text, x: room.x + along, y: room.y, width: long, height: HEIGHT };
      if (found.some((other) => meets(place, other))) continue;
      found.push(place);
      break;
    }
  }
  return found;
}

let made = ""; // for which picture and scale

/** Draw the names of a picture that is drawn at `scale`, anew when that or its boxes have changed. */
export function showNames(scale) {
  const graph = document.getElementById("graph");
  if (!graph) return;
  let layer = document.getElementById("graph-names");
  const outlines = document.querySelector("#minimap .map")?.getAttribute("d") ?? "";
  const key = `${scale}|${outlines}`;
  if (layer && key === made && layer === graph.lastChild) return;
  made = key;
  if (!layer) {
    layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
    layer.id = "graph-names";
    layer.setAttribute("class", "names");
    layer.setAttribute("aria-hidden", "true");
  }
  const all = boxes().map((box) => ({ ...box, name: brief(said(box.markup, "data-title").split(" = ")[0]) }));
  layer.replaceChildren(...placed(all, scale).map(({ text, x, y }) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", "text");
    element.setAttribute("x", x / scale);
    element.setAttribute("y", (y + 10) / scale);
    element.textContent = text;
    return element;
  }));
  graph.append(layer);
}
