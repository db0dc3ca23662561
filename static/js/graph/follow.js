// Keeps in sight what has just happened in a picture that scrolls.

import { main } from "../state.js";
import { boxes, reveal, said } from "./draw.js";

/** A forward ends at the output, a backward at the leaves, which a step moves: the end of what just happened. */
const ENDS = {
  forward: [/\bnode output\b/, /\bpart closed\b/],
  backward: [/\bnode leaf\b.*\bgrows\b/, /\bby-hand backward\b/, /\bpart closed\b/],
  step: [/\bnode leaf\b.*\bgrows\b/, /\bby-hand weight\b/, /\bpart closed\b/],
};

function goal() {
  const { event, did: phase } = main().dataset;
  const wanted = event !== "" ? [/\bnode\b.*\bcurrent\b/] : ENDS[phase] ?? [];
  const all = wanted.length ? boxes() : [];
  for (const pattern of wanted) {
    const found = all.find(({ markup }) => pattern.test(said(markup.slice(0, 200).replace("<g class", "<g  class"), "class")));
    if (found) return found;
  }
  return null;
}

let seen = "";
let next = null; // a place of the cursor, and the box that is to be seen there

/** Once for each place of the cursor: opening a part or reading does not pull the picture away. */
function due() {
  if (!main()) return null;
  const { number, event } = main().dataset;
  const here = `${number}/${event}`;
  if (here === seen) return null;
  if (next?.here !== here) next = { here, box: goal() };
  return next;
}

/** The box that is about to be brought in sight, if one is. */
export const ahead = () => due()?.box;

export function follow() {
  const place = due();
  if (!place) return;
  seen = place.here;
  next = null;
  reveal(place.box);
}
