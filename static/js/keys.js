// The keyboard. Inert while somebody types, with Ctrl, Alt or Cmd, and when switched off (remembered).

import { recall, remember } from "./preferences.js";
import { aim, cursor, look, main, phaseOf, press } from "./state.js";
import { afterSwap } from "./swaps.js";

const PHASES = [..."zfbs123456789"];

/** One moment on or back. Who presses quicker than answers come gets as far as was pressed; a key that is held goes on
 *  from what is seen, so that each moment is. */
function move(by, held = false) {
  const { number } = held ? cursor() : aim();
  if (number + by >= 0 && number + by <= cursor().last) look(number + by);
}

const keys = {
  ArrowLeft: (here, held) => move(-1, held),
  ArrowRight: (here, held) => move(1, held),
  Home: () => look(0),
  End: ({ last }) => look(last),
  ArrowDown: ({ number, event, events }) => {
    if (events && event === null) look(number, 1);
    else if (event !== null && event < events) look(number, event + 1);
  },
  ArrowUp: ({ number, event }) => {
    if (event !== null) look(number, event > 1 ? event - 1 : null);
  },
  i: ({ number, event, events }) => events && event === null && look(number, 1),
  o: ({ number, event }) => event !== null && look(number),
  n: () => press('#debugger .moves [data-do="next"]') || press("#move-next"),
  p: () => press("#play"),
  "?": () => document.getElementById("help")?.togglePopover(),
};
for (const key of PHASES) keys[key] = () => press(phaseOf(key));

export const keysAreOn = () => recall("keys") !== "off";

/** Letters mean nothing to a choice, but the arrows do. */
export function isTyping(target, key) {
  if (target.matches('input:is([type="radio"], [type="checkbox"])')) return /^(Arrow| |Enter)/.test(key);
  return target.isContentEditable || target.closest("input, textarea, select, .cm-editor, pre");
}

/** A panel reached with Tab is scrolled by the arrows. */
function isScrolling(target, key) {
  return /^(Arrow|Home|End)/.test(key) && target.matches(".panel:focus-visible, .scroller:focus-visible");
}

document.addEventListener("keydown", (event) => {
  if (!main() || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (isTyping(event.target, event.key) || isScrolling(event.target, event.key)) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const action = keys[key];
  if (!action || !keysAreOn()) return;
  event.preventDefault();
  if (event.repeat && PHASES.includes(key)) return;
  action(cursor(), event.repeat);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.('#debugger a[data-move="back"][hx-get], #debugger a[data-move="next"][hx-get]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  move(link.dataset.move === "back" ? -1 : 1);
}, { capture: true });

/** The switch in the More menu. */
function showSwitch() {
  const button = document.getElementById("keyboard-switch");
  if (!button) return;
  button.setAttribute("aria-pressed", String(keysAreOn()));
  const text = keysAreOn() ? button.dataset.on : button.dataset.off;
  if (button.textContent !== text) button.textContent = text;
}
document.addEventListener("click", ({ target }) => {
  if (target.closest?.("#keyboard-switch")) {
    remember("keys", keysAreOn() ? "off" : "on");
    showSwitch();
  }
});
afterSwap(showSwitch);
showSwitch();
