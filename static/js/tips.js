// Exact values: of the heat cell under the pointer, of the node that has the focus. The texts come with the page.

const tip = () => document.getElementById("tip");

function show(text, x, y) {
  const box = tip();
  if (!box || !text) return hide();
  box.textContent = text;
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  box.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - width - 8))}px`;
  box.style.top = `${y + 18 + height > innerHeight ? y - height - 8 : y + 16}px`;
}

function hide() {
  const box = tip();
  if (box) box.hidden = true;
}

/** The place of the entry with this number, in each dimension of a shape ("8,2"). */
export function entryAt(shape, index) {
  const places = [];
  for (const size of shape.split(",").map(Number).reverse()) {
    places.unshift(index % size);
    index = Math.floor(index / size);
  }
  return places.join(", ");
}

/** Number of the drawn cell under the pointer. */
export function cellIndex(cells, event) {
  const { left, top, width } = cells.querySelector(".cells-ground").getBoundingClientRect();
  const columns = +cells.dataset.columns;
  const size = width / columns;
  const column = Math.min(columns - 1, Math.max(0, Math.floor((event.clientX - left) / size)));
  const row = Math.max(0, Math.floor((event.clientY - top) / size));
  return row * columns + column;
}

/** What a cell stands for: its element has the texts, or says which other one has the same. */
const told = (cells) => (cells.dataset.like && document.getElementById(cells.dataset.like) || cells).dataset;

/** The place of the entry under the pointer ("0, 1"); "" where a cell is no single entry. */
export function entryIn(cells, event) {
  const { shape } = told(cells);
  return shape ? entryAt(shape, cellIndex(cells, event)) : "";
}

function cellText(cells, event) {
  const { texts, shape } = told(cells);
  const index = cellIndex(cells, event);
  const text = texts?.split("|")[index];
  return text && `${shape ? `[${entryAt(shape, index)}]` : "mean of a block:"} ${text}`;
}

for (const kind of ["pointermove", "pointerdown"]) {
  document.addEventListener(kind, (event) => {
    const cells = event.target.closest?.(".cells");
    if (cells) show(cellText(cells, event), event.clientX, event.clientY);
    else if (!document.activeElement?.matches?.(".node:focus-visible")) hide();
  });
}
document.addEventListener("focusin", ({ target }) => {
  if (!target.matches?.(".node:focus-visible")) return;
  const { left, bottom } = target.getBoundingClientRect();
  show(target.getAttribute("aria-label"), left - 12, bottom - 8);
});
document.addEventListener("focusout", hide);
document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
