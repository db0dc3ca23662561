// An embed and the page around it: messages in both directions (docs/embedding.md, version 1). Nothing that is said
// here is secret, and nothing can be asked that the visitor could not press: any page may listen and ask.

import { cursor, look, main, press } from "./state.js";
import { onceSwapped } from "./swaps.js";

const VERSION = 1;
const root = document.documentElement;
const inFrame = window.parent !== window && root.classList.contains("page-embed");
const say = (type, values = {}) => inFrame && window.parent.postMessage({ gradientflow: VERSION, type, ...values }, "*");

function sayMoment() {
  if (!main()) return;
  const { number, last, event } = cursor();
  const text = document.getElementById("explanation")?.textContent.trim() ?? "";
  say("moment", { moment: number, last, event, do: main().dataset.did || null, text });
  for (const finding of document.querySelectorAll("#findings .fresh")) {
    say("finding", { kind: finding.dataset.kind ?? "", text: finding.textContent.trim() });
  }
}

/** A narrow frame is one column, as high as what is in it; a wide one is laid out for the height that it has. */
let height = 0;
function sayHeight() {
  const narrow = matchMedia("(max-width: 640px)").matches;
  const wanted = narrow ? Math.ceil(document.body.scrollHeight) : 480;
  if (wanted !== height) say("height", { height: (height = wanted) });
}

const THEMES = { auto: "", light: "light", dark: "dark" };
const within = (number, last) => Math.min(Math.max(number, 0), last);

/** What may be asked. What is not as the docs say is not done: a page may send anything. */
const ASKED = {
  press: ({ do: what, phase }) => press(phase ? `#press-${CSS.escape(phase)}` : `[data-do="${CSS.escape(what)}"]`),
  look: ({ moment, event = null }) => {
    if (!Number.isInteger(moment) || (event !== null && !Number.isInteger(event))) return;
    look(within(moment, cursor().last), event === null ? null : within(event, Infinity));
  },
  play: () => press('#play[aria-pressed="false"]'),
  pause: () => press('#play[aria-pressed="true"]'),
  theme: ({ theme }) => { if (Object.hasOwn(THEMES, theme)) root.dataset.theme = THEMES[theme]; },
};

if (inFrame) {
  addEventListener("message", ({ source, data }) => {
    if (source !== window.parent || !main() || data?.gradientflow !== VERSION || !Object.hasOwn(ASKED, data.type)) return;
    ASKED[data.type](data);
  });
  onceSwapped(({ detail: { ctx } = {} }) => {
    if (ctx?.target?.classList?.contains("told-place")) return;
    sayMoment();
    sayHeight();
  });
  document.addEventListener("gradientflow:prediction", ({ detail }) => say("prediction", detail));
  addEventListener("resize", sayHeight);
  say("ready", { version: VERSION, title: document.title });
  sayMoment();
  sayHeight();
  if ("autoplay" in root.dataset && !matchMedia("(prefers-reduced-motion: reduce)").matches) ASKED.play();
}
