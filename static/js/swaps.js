// After an answer is in the page: first what changes the page, then what measures it, so that it is laid out once.

const changing = [];
const measuring = [];

/** Call `change` after each answer: it may change the page, and asks for no place or size. */
export const afterSwap = (change) => changing.push(change);

/** Call `measure` when all has been changed. */
export const onceSwapped = (measure) => measuring.push(measure);

document.addEventListener("htmx:after:swap", (event) => {
  if (event.detail?.ctx?.only) return; // more of what is there: of the picture alone
  for (const one of changing) one(event);
  for (const one of measuring) one(event);
});
