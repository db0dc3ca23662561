// The lines of a large picture run through all of it, and a browser draws the whole of a path for every tile that any of
// it is in: of a long line only the pieces near the window are made.

const LONG = 2000; // shorter lines, in units of the picture, are made whole
const STEP = 320; // what counts as near is told in such steps, so that little is made anew while somebody scrolls
const KEPT = 1000;

const known = new Map(); // a path -> its pieces: [text, where it begins, left, top, right, bottom] each

/** The rectangle to which lines are cut when that is `near` the window. */
export function rounded({ left, top, right, bottom }) {
  const down = (number) => Math.floor(number / STEP) * STEP, up = (number) => Math.ceil(number / STEP) * STEP;
  return { left: down(left), top: down(top), right: up(right), bottom: up(bottom) };
}

/** The pieces of a path of absolute M, L and C, whose curves keep within their ends (app/drawing/lines.py). */
function piecesOf(path) {
  const found = known.get(path);
  if (found) return found;
  const pieces = [];
  let x = 0, y = 0, start = "";
  for (const [piece] of path.matchAll(/[MLC][^MLC]*/g)) {
    const end = piece.slice(1).split(" ").slice(-2);
    const [toX, toY] = end.map(Number);
    if (piece[0] !== "M") pieces.push([piece, start, Math.min(x, toX), Math.min(y, toY), Math.max(x, toX), Math.max(y, toY)]);
    [x, y, start] = [toX, toY, `M${end.join(" ")}`];
  }
  if (known.size >= KEPT) known.clear();
  known.set(path, pieces);
  return pieces;
}

function within(path, area) {
  let kept = "", joined = false;
  for (const [piece, start, left, top, right, bottom] of piecesOf(path)) {
    const meets = left < area.right && right > area.left && top < area.bottom && bottom > area.top;
    if (meets) kept += joined ? piece : start + piece;
    joined = meets;
  }
  return kept;
}

const cuts = new WeakMap(); // a line -> where it was cut last, and what it then was

/** A line (an element's id, its text and place) cut to `area`: the same array for the same place; null when no piece of
 *  it is there. */
export function cut(line, area) {
  const [id, markup, x, y, width, height] = line;
  if (width < LONG && height < LONG) return line;
  const place = Object.values(area).join();
  let made = cuts.get(line);
  if (made?.place !== place) {
    const [whole, path] = markup.match(/ d="([^"]+)"/);
    const kept = within(path, area);
    const text = kept && markup.replace(whole, ` d="${kept}"`);
    cuts.set(line, made = { place, line: kept ? [id, text, x, y, width, height] : null });
  }
  return made.line;
}
