// What happens while the page is open: the progress of a long command, and, on a link that only looks, every newer
// moment. Comes as a stream of events; where that is shut, the page asks now and then.

import htmx from "htmx.org";
import { isTyping } from "./keys.js";
import { cursor, look, main } from "./state.js";
import { afterSwap } from "./swaps.js";

const PATIENCE = 500; // milliseconds between two questions, without a stream
const RETRY = 2000; // milliseconds after which a stream that broke off is asked for again
let stream = null;
let timer = null;
let again = null;
let stopping = false; // somebody pressed Stop: what ends now was stopped
let newest = 0; // number of the newest moment that was told of

function stop() {
  stream?.close();
  clearInterval(timer);
  clearTimeout(again);
  stream = timer = null;
}

/** Ask how far it is: the answer is the progress, or the whole page once it has ended. */
function ask() {
  const place = document.getElementById("progress");
  const address = place?.dataset.ended;
  if (address) htmx.ajax("GET", address + (stopping ? "?stopped=true" : ""), { source: place, target: place, swap: "outerMorph" });
  else stop();
}

function showProgress({ done, asked, text }) {
  const bar = document.getElementById("progress-bar");
  if (!bar) return ask();
  document.getElementById("progress-text").textContent = text;
  if (asked) Object.assign(bar, { max: asked, value: done });
}

function showNewest({ last }) {
  if (document.getElementById("progress")?.dataset.ended) return ask();
  const here = cursor();
  if (last <= here.last) return;
  if (here.number === here.last && here.event === null) look(last);
  else document.getElementById("newest")?.removeAttribute("hidden");
  newest = last;
}

function follow() {
  const address = document.getElementById("progress")?.dataset.events ?? main()?.dataset.follow;
  if (!document.getElementById("progress")?.dataset.ended) stopping = false;
  if (!address || document.hidden) return stop();
  if (stream?.address === address || timer) return;
  stop();
  stream = new EventSource(address);
  stream.address = address;
  stream.addEventListener("progress", ({ data }) => showProgress(JSON.parse(data)));
  stream.addEventListener("moment", ({ data }) => showNewest(JSON.parse(data)));
  stream.addEventListener("gone", stop);
  stream.onerror = () => {
    stop();
    if (document.getElementById("progress")?.dataset.ended) timer = setInterval(ask, PATIENCE);
    else again = setTimeout(follow, RETRY * (1 + Math.random())); // the server is away: not all come back at once
  };
}

document.addEventListener("click", ({ target }) => {
  if (!target.closest?.("#stop")) return;
  stopping = true;
  stop();
}, { capture: true });
/** To the newest moment, which the page may not have heard of when it was drawn: with its button, or with End. */
function toNewest(event) {
  if (newest <= cursor().last) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  look(newest);
}

document.addEventListener("click", (event) => event.target.closest?.("#newest") && toNewest(event), { capture: true });
document.addEventListener("keydown", (event) => {
  if (event.key === "End" && main() && !isTyping(event.target, event.key)) toNewest(event);
}, { capture: true });
document.addEventListener("visibilitychange", follow);
afterSwap(follow);
addEventListener("pagehide", stop);
follow();
