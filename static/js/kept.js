// Looks that were answered before: a moment that has been stays as it was, so that going there again asks nobody. What
// is asked for ahead (state.js) waits here until somebody wants it.

import { main } from "./state.js";

const MOST = 48;
const kept = new Map(); // what was asked -> its answer {text, token, brought}, the latest last
const coming = new Map(); // what was asked ahead -> the end of that request
let changes = 0; // times that something was done to the run, or may have been

/** What a look asks for and what its answer depends on, as text; "" when it is not to be kept: of a part that is opened
 *  the server takes note, and what is going on changes. */
function questionOf({ here, ahead, only, request }) {
  const { last, state } = main()?.dataset ?? {};
  if ((!here && !ahead) || only || state === "running" || Object.keys(here?.choice ?? {}).length) return "";
  const { "X-Sight": sight, "X-Near": near, "X-Moving": moving } = request.headers;
  return [request.action, sight, near, moving, last].join("\n");
}

function forget() {
  changes += 1;
  kept.clear();
}

document.addEventListener("htmx:before:request", (event) => {
  const { ctx } = event.detail;
  if (ctx.request.method !== "GET") return forget();
  const question = questionOf(ctx);
  if (!question) return;
  Object.assign(ctx, { question, since: changes });
  const known = kept.has(question) || coming.has(question);
  if (ctx.ahead) {
    if (known) event.preventDefault();
    else coming.set(question, new Promise((resolve) => { ctx.arrived = resolve; }));
  } else if (known) {
    const send = ctx.fetch;
    ctx.fetch = async (...request) => {
      await coming.get(question);
      ctx.again = kept.get(question);
      return ctx.again ? new Response("") : send(...request);
    };
  }
});

// Who comes back from somewhere else may have pressed there, or somebody else meanwhile: what was found then is shown.
addEventListener("focus", forget);
document.addEventListener("visibilitychange", forget);

document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (!ctx.arrived) return;
  coming.delete(ctx.question);
  ctx.arrived();
});

/** Keep the answer to a look. */
export function keep({ question, since }, answer) {
  if (!question || since !== changes || answer.text.includes('data-state="running"')) return;
  kept.delete(question);
  kept.set(question, answer);
  if (kept.size > MOST) kept.delete(kept.keys().next().value);
}
