// Play: on through the moments that are there, then the usual next press, until it is paused or the program ends.

import { cursor, look, main, press } from "./state.js";
import { afterSwap } from "./swaps.js";

const PAUSE = 1100; // milliseconds: long enough to read a sentence's first half
let timer = null;

function show() {
  const button = document.getElementById("play");
  if (!button) return;
  button.setAttribute("aria-pressed", String(timer !== null));
  const text = timer === null ? button.dataset.play : button.dataset.pause;
  if (button.textContent !== text) button.textContent = text;
}

function stop() {
  clearInterval(timer);
  timer = null;
  show();
}

function advance() {
  if (!main() || document.hidden) return stop();
  const { number, last, event, events } = cursor();
  if (event !== null) return event < events ? look(number, event + 1) : look(number);
  if (number < last) return look(number + 1);
  if (main().dataset.state === "finished") return stop();
  if (!press(".phase[data-usual]") && !press("#press-next")) stop();
}

document.addEventListener("click", ({ target }) => {
  if (target.closest?.("#play")) {
    if (timer !== null) return stop();
    timer = setInterval(advance, PAUSE);
    show();
    advance();
  } else if (timer !== null && target.closest?.(".moves, .phases") && document.activeElement === target) {
    stop(); // a press by hand takes over
  }
});
afterSwap(show);
