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

let wanted = null;
let looking = false;

/** Look at a moment (and event), with a choice of what to see ({open: part}). While an answer is on its way only the
 *  latest wish is kept, and the latest choice. */
export async function look(number, event = null, choice = wanted?.choice) {
  wanted = { number, event, choice };
  if (looking || command.running) return;
  looking = true;
  try {
    while (wanted && !command.running) {
      const { number, event, choice } = wanted;
      wanted = null;
      const asked = new URLSearchParams({ ...(event === null ? {} : { e: event }), ...choice });
      const query = asked.size ? `?${asked}` : "";
      await htmx.ajax("GET", `${main().dataset.base}/moments/${number}${query}`, {
        target: "#debugger", swap: "outerMorph",
      });
    }
  } finally {
    looking = false;
  }
}

/** Go on with what was wanted while a command was on its way. */
export const lookAgain = () => wanted && look(wanted.number, wanted.event);

/** Press a button of the page, if it is there and can be pressed. */
export function press(selector) {
  const button = document.querySelector(selector);
  if (!button || button.disabled || button.getAttribute("aria-disabled") === "true") return false;
  button.click();
  return true;
}
