// Where the reader is. The page itself holds it: <main id="debugger"> says which moment and event it shows.

import htmx from "htmx.org";

/** The debugger's <main>, or null on other pages. */
export const main = () => document.getElementById("debugger");

/** The cursor that the page shows: event is null when the whole statement is seen. */
export function cursor() {
  const { number, last, event, events } = main().dataset;
  return { number: +number, last: +last, event: event === "" ? null : +event, events: +events };
}

/** Whether a command is on its way: what is wanted meanwhile waits for its answer. */
export const command = { running: false };

/** Where the reader is about to be: what was asked for last, as long as its answer is not there. */
export const aim = () => wanted ?? looking ?? cursor();

let wanted = null;
let looking = null; // the look that is on its way
let closer = false; // whether the same is asked for once more
let turn = 0; // of the two elements that ask in turn: one is still busy with its answer while the next is asked for

/** Look at a moment (and event), with a choice of what to see ({open: part}). While an answer is on its way only the
 *  latest wish is kept, and the latest choice. `moving`: others follow at once, so that the panels beside may wait, and
 *  one that was asked for ahead will do for one close by. */
export function look(number, event = null, choice = wanted?.choice, moving = false) {
  path = moving ? [...path.slice(1 - STEPS), number] : [];
  wanted = { number: moving ? closeBy(number) : number, event, choice, moving };
  return goOn();
}

async function goOn() {
  if (!wanted || looking || command.running) return;
  const here = looking = wanted;
  wanted = null;
  try {
    const source = (turn ^= 1) ? document.documentElement : document.head;
    await ask(here.number, here.event, here.choice, { source, swap: "outerMorph", here });
  } finally {
    if (looking === here) looking = null;
    await goOn();
  }
}

function ask(number, event, choice, more) {
  const asked = new URLSearchParams({ ...(event === null ? {} : { e: event }), ...choice });
  const query = asked.size ? `?${asked}` : "";
  return htmx.ajax("GET", `${main().dataset.base}/moments/${number}${query}`, { target: "#debugger", ...more });
}

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  if (ctx.here?.moving || ctx.ahead) ctx.request.headers["X-Moving"] = "1";
});

// What is wanted next is asked for before the answer is put into the page: the server works meanwhile.
document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  if (!ctx.here || ctx.here !== looking) return;
  looking = null;
  goOn();
  if (ctx.here.moving) askAhead();
});

const STEPS = 4;
let path = []; // the moments that were wished for last while others followed at once
let foreseen = null; // the one that was asked for ahead

/** How far it is from one wish to the next, on average; 0 when that is not known, or they turn round. */
function stride() {
  const steps = path.slice(1).map((number, index) => number - path[index]);
  const way = Math.sign(steps[0] ?? 0);
  return steps.length > 1 && steps.every((step) => Math.sign(step) === way) ? (path.at(-1) - path[0]) / steps.length : 0;
}

/** What is shown for moment `number`, the last of `path`, while somebody goes through the moments in strides. */
function closeBy(number) {
  const room = Math.floor(Math.abs(number - (path.at(-2) ?? number)) / 3);
  return foreseen !== null && Math.abs(foreseen - number) <= room ? foreseen : number;
}

/** While somebody goes through the moments evenly, the next one is asked for before it is wanted. */
function askAhead() {
  const next = Math.round(path.at(-1) + stride());
  foreseen = null;
  if (!stride() || next < 0 || next > cursor().last) return;
  if (looking || wanted || command.running) return;
  foreseen = next;
  ask(next, null, {}, { source: document.getElementById("timeline"), swap: "none", ahead: true });
}

/** Ask for the picture once more, of which nothing else is put into the page. Not while anything is on its way. */
export function lookCloser() {
  if (closer || looking || wanted || command.running) return false;
  const { number, event } = cursor();
  closer = true;
  ask(number, event, {}, { source: document.getElementById("scroller"), swap: "none", only: "picture" }).finally(() => { closer = false; });
  return true;
}

/** Go on with what was wanted while a command was on its way. */
export const lookAgain = () => goOn();

/** Press a button of the page, if it is there and can be pressed: in an embed for looking no command can be given, by no
 *  key and no message either. */
export function press(selector) {
  const button = document.querySelector(selector);
  if (button?.hasAttribute("hx-post") && "readOnly" in document.documentElement.dataset) return false;
  if (!button || button.disabled || button.getAttribute("aria-disabled") === "true") return false;
  button.click();
  return true;
}

/** The button of a phase, by the letter of its kind or by its place among the buttons. */
export const phaseOf = (key) => `.phase[data-${/\d/.test(key) ? "place" : "key"}="${key}"]`;
