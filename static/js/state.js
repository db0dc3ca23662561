// Where the reader is. The page itself holds it: <main id="debugger"> says which moment and event it shows.

import htmx from "htmx.org";

/** The debugger's <main>, or null on other pages. */
export const main = () => document.getElementById("debugger");

/** The cursor that the page shows: event is null when the whole statement is seen. */
export function cursor() {
  const { number, last, event, events } = main().dataset;
  return { number: +number, last: +last, event: event === "" ? null : +event, events: +events };
}

let wanted = null;
let looking = false;

/** Look at a moment (and event). While an answer is on its way only the latest wish is kept. */
export async function look(number, event = null) {
  wanted = { number, event };
  if (looking) return;
  looking = true;
  try {
    while (wanted) {
      const { number, event } = wanted;
      wanted = null;
      const query = event === null ? "" : `?e=${event}`;
      await htmx.ajax("GET", `${main().dataset.base}/moments/${number}${query}`, {
        target: "#debugger", swap: "outerMorph",
      });
    }
  } finally {
    looking = false;
  }
}

/** Press a button of the page, if it is there and can be pressed. */
export function press(selector) {
  const button = document.querySelector(selector);
  if (!button || button.disabled || button.getAttribute("aria-disabled") === "true") return false;
  button.click();
  return true;
}
