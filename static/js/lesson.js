// The lesson beside the debugger: which card is open is kept for the visit, and what it is about is marked on the page.

import { afterSwap, onceSwapped } from "./swaps.js";
import { show } from "./view.js";

const root = document.documentElement;
const lesson = () => document.getElementById("lesson");
const PLACES = {
  loss: "#charts", formula: "#formula, #error", optimizer: ".parameters .state, .optimizer", timeline: "#timeline",
  output: '[data-part="output"]', variables: '[data-part="variables"]', explanation: "#explanation",
};

const key = () => `card:${lesson().dataset.lesson}`;

function open(number) {
  const panel = lesson();
  if (!panel) return;
  const cards = +panel.dataset.cards;
  const card = Math.min(Math.max(number, 1), cards);
  for (const one of panel.querySelectorAll(".lesson-card")) one.hidden = +one.dataset.card !== card;
  const place = document.getElementById("lesson-place");
  place.textContent = `${card} ${place.dataset.of} ${cards}`;
  mark(panel.querySelector(`#card-${card}`).dataset.look.split(",").filter(Boolean));
  try {
    sessionStorage.setItem(key(), card);
  } catch {
    // A frame in a sandbox has no storage: the card is kept as long as the page.
  }
  root.dataset.card = card;
}

/** Mark what a card is about: tensors by name, phases, lines, panels. */
function mark(names) {
  for (const old of document.querySelectorAll(".looked-at")) old.classList.remove("looked-at");
  if (root.classList.contains("page-embed") && !lesson().checkVisibility()) return; // an embed without the lesson
  for (const name of names) {
    const line = name.match(/^line (\d+)$/);
    const quoted = CSS.escape(name);
    const places = line ? `#line-${line[1]}` : PLACES[name] ??
      `[data-name="${quoted}"], [data-parameter="${quoted}"], .phase[data-phase="${quoted}"]`;
    for (const element of document.querySelectorAll(places)) element.classList.add("looked-at");
  }
}

function current() {
  let kept = root.dataset.card;
  try {
    kept ??= sessionStorage.getItem(key());
  } catch {
    // As above.
  }
  return +(kept ?? 1);
}

const again = () => lesson() && open(current());

document.addEventListener("click", ({ target }) => {
  if (target.closest?.(".show-me")) pressed = true;
  const move = target.closest?.("[data-card-move]");
  if (!move) return;
  open(current() + +move.dataset.cardMove);
  document.querySelector(`#card-${current()} h3`)?.scrollIntoView({ block: "nearest" });
  show();
});

document.addEventListener("gradientflow:card", ({ detail }) => lesson() && open(detail.card));

/** On a phone the page itself scrolls: once a card's presses are made, what it names is brought above the controls. */
let pressed = false;
const SEEN = 32; // pixels of it
function bring() {
  if (!pressed || document.getElementById("progress")?.dataset.ended) return; // they are still being made
  pressed = false;
  const script = document.querySelector(".panel.script");
  if (root.classList.contains("page-embed") || getComputedStyle(script).display !== "contents") return;
  const end = document.querySelector(".controls").getBoundingClientRect().top;
  const away = [...document.querySelectorAll(".looked-at:not(.phase)")]
    .map((one) => one.getBoundingClientRect())
    .filter(({ left, right, height }) => height && left < innerWidth - SEEN && right > SEEN)
    .map(({ top, bottom }) => (top > end - SEEN || bottom < SEEN ? top - end / 3 : 0));
  if (away.length) scrollBy({ top: away.reduce((a, b) => (Math.abs(b) < Math.abs(a) ? b : a)), behavior: "instant" });
}

/** Scroll the lesson of an embed, and not the page around it, until what was told is above the buttons. */
function uncover(told) {
  const panel = told.closest(".panel.script");
  const card = told.closest(".lesson-card");
  const { top, bottom } = told.getBoundingClientRect();
  const covered = bottom + 8 - card.querySelector(".lesson-row").getBoundingClientRect().top;
  if (covered > 0) panel.scrollTop += Math.min(covered, top - 8 - panel.getBoundingClientRect().top);
}

/** Tell who listens (a package for an LMS, the page around an embed) how a prediction went. */
function tell(place) {
  const told = place?.querySelector?.(".told");
  if (!root.classList.contains("page-embed")) place?.scrollIntoView?.({ block: "nearest" });
  else if (told) uncover(told);
  if (!told || told.classList.contains("shown")) return; // the answer was asked for: nobody predicted
  const asked = lesson().querySelectorAll(".prediction").length;
  const detail = { card: +place.closest(".lesson-card").dataset.card, right: told.dataset.right === "true", asked };
  document.dispatchEvent(new CustomEvent("gradientflow:prediction", { detail }));
}

afterSwap(({ detail: { ctx } = {} }) => {
  const place = ctx?.target;
  if (place?.classList?.contains("told-place")) tell(place);
  else again();
});
onceSwapped(bring);
again();
