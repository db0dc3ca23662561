// What goes out and what comes in: presses one after the other, each given at the moment that the page then shows; and
// answers in the order of their requests: one that is late for its place in the page is dropped.

import htmx from "htmx.org";
import { command, cursor, look, lookAgain, main } from "./state.js";
import { afterSwap } from "./swaps.js";

let sent = 0; // number of the latest request
const shown = new Map(); // place in the page -> number of the request whose answer it shows
const queue = []; // what was pressed while a command was on its way
const MOST = 20;

function hold(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

document.addEventListener("click", (event) => {
  const pressed = event.target.closest?.("#debugger form.command button, #debugger .gutter, #debugger a[hx-get]");
  if (!pressed) return;
  if (pressed.dataset.do === "stop") return; // its answer tells how the command ended
  if (pressed.matches(".gutter")) { // one form for all lines: sent from here
    hold(event);
    if (command.running) return void (queue.length < MOST && queue.push(pressed));
    command.running = true;
    const values = Object.fromEntries(new FormData(pressed.form, pressed));
    const send = { values, source: pressed.form, target: "#debugger", swap: "outerMorph" };
    htmx.ajax("POST", pressed.form.getAttribute("action"), send);
    return;
  }
  if (pressed.form && !pressed.form.reportValidity()) return hold(event);
  if (command.running || !pressed.hasAttribute("data-htmx-powered")) { // the page is not ready before htmx is
    hold(event);
    if (queue.length < MOST) queue.push(pressed);
  } else if (pressed.form) {
    command.running = true;
  }
}, { capture: true });

/** The id of the element that an answer goes into. */
const placeOf = ({ target }) => target?.id ?? target?.replace?.("#", "");

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  ctx.order = ++sent;
  ctx.request.headers["X-Order"] = String(sent);
  const { body, method } = ctx.request;
  ctx.isCommand = method === "POST" && placeOf(ctx) === "debugger" && ctx.sourceElement.dataset.do !== "stop";
  if (method === "POST" && main() && body.has("at")) body.set("at", main().dataset.number);
});

document.addEventListener("htmx:before:swap", (event) => {
  const { ctx } = event.detail;
  if (ctx.order < shown.get(placeOf(ctx))) event.preventDefault();
  else shown.set(placeOf(ctx), ctx.order);
});

document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (!ctx.isCommand) return;
  command.running = false;
  if (ctx.request.form?.querySelector("#statement") && ctx.status === "swapped") ctx.request.form.reset();
  goOn();
});

function goOn() {
  let next = queue.shift();
  while (next && !next.isConnected) next = queue.shift();
  if (next) next.click();
  else lookAgain();
}
document.addEventListener("htmx:after:process", () => command.running || goOn());

for (const failure of ["htmx:error", "htmx:response:error"]) {
  document.addEventListener(failure, ({ detail: { ctx } }) => {
    if (ctx?.ahead) return; // nobody waits for it
    queue.length = 0;
    const line = document.getElementById("explanation");
    if (!line || ctx?.request?.signal?.aborted) return;
    line.parentElement.dataset.touched = ""; // the next answer brings it again
    const status = ctx?.response?.status;
    line.textContent = status === 404 ? line.dataset.gone : line.dataset.silent;
  });
}

/** The address says where the reader is: #m=12&e=3, and nothing when it is the newest moment, whole. */
function keepAddress() {
  const { number, last, event } = cursor();
  const parts = [];
  if (number !== last || event !== null) parts.push(`m=${number}`);
  if (event !== null) parts.push(`e=${event}`);
  const address = location.pathname + (parts.length ? `#${parts.join("&")}` : "");
  if (address !== location.pathname + location.search + location.hash) {
    try {
      history.replaceState(history.state, "", address);
    } catch {
      // A frame in a sandbox may not change its address.
    }
  }
}

function goToAddress() {
  if (!main()) return;
  const values = new URLSearchParams(location.hash.slice(1));
  if (!values.has("m")) return;
  const number = parseInt(values.get("m"), 10);
  const event = values.has("e") ? parseInt(values.get("e"), 10) : null;
  const here = cursor();
  if (number >= 0 && (number !== here.number || event !== here.event)) look(Math.min(number, here.last), event);
}

const REST = 250; // milliseconds between two changes of the address: browsers take long over them, and allow few in a while
let due = 0;
let waiting = false;
function keepAddressSoon() {
  if (waiting || !main()) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    due = performance.now() + REST;
    if (main()) keepAddress();
  }, Math.max(0, due - performance.now()));
}
afterSwap(() => requestAnimationFrame(keepAddressSoon));
addEventListener("hashchange", goToAddress);
goToAddress();
