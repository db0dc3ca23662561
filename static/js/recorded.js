// Answers the page's requests from what the file holds (app/export/offline.py), so that none leaves the page.

const { pieces, views, states, predictions } = window.recorded;
const { unforeseen, opens } = document.getElementById("recorded").dataset;

/** All views as lists of pieces' numbers: each is told as edits of one that came before. */
const lists = [];
for (const [base, edits] of views) {
  const now = base < 0 ? [] : lists[base].slice();
  for (const [start, count, numbers] of edits.slice().reverse()) now.splice(start, count, ...numbers);
  lists.push(now);
}
/** A view, with the addresses of the state that it is shown for. */
const text = (view, state) => lists[view].map((number) => pieces[number]).join("").replaceAll("x/0/", `x/${state}/`)
  .replace('data-base="x/0"', `data-base="x/${state}"`);
let shown = null;

/** The state, at or before `state`, whose view shows moment `number`. */
function stateAt(state, number) {
  while (state !== 0 && states[state].parent !== null && states[state].last > number) state = states[state].parent;
  return state;
}

function look(state, number, event) {
  const key = event === null ? `${number}` : `${number}/${event}`;
  for (let at = stateAt(state, number); at !== null; at = states[at].parent) {
    const { looks, last } = states[at];
    const view = looks[key] ?? looks[number] ?? (at ? looks[last] : undefined);
    if (view !== undefined) return (shown = text(view, at));
  }
  return null;
}

function press(state, at, phase) {
  let from = stateAt(state, at);
  if (from === 0) from = states[0].presses[`at ${at}`] ?? 0;
  const next = states[from]?.presses[phase];
  if (next === undefined) return null;
  return look(next, states[next].last, null);
}

/** What the page shows, with a sentence in place of the explanation. */
function told(sentence) {
  const page = new DOMParser().parseFromString(shown ?? document.getElementById("debugger").outerHTML, "text/html");
  page.getElementById("explanation").textContent = sentence;
  return page.getElementById("debugger").outerHTML;
}

/** A number as people type it: a comma for the point, a typographic minus, a fraction (as app/grading.py reads it). */
function numberOf(typed) {
  const [top, bottom] = typed.replaceAll("−", "-").replaceAll(",", ".").replaceAll(" ", "").split("/");
  return top === "" || bottom === "" ? NaN : bottom === undefined ? Number(top) : Number(top) / Number(bottom);
}

/** What the trace says of a prediction: the sentences are all in the file, the page only finds the one that fits. */
function predict({ answers, no_number, else_ }, typed) {
  const plain = (text) => text.toLowerCase().split(/\s+/).filter(Boolean).join(" ");
  const number = numberOf(typed);
  for (const one of answers) {
    const fits = one.number === null || Number.isNaN(number) ? plain(one.text) === plain(typed)
      : Math.abs(number - one.number) <= one.within * (1 + 1e-9);
    if (fits) return one.html;
  }
  return no_number !== null && !Number.isFinite(number) ? no_number : else_;
}

function answer(address, method, body) {
  const { pathname, searchParams } = new URL(address, "http://offline/");
  const [, state, kind, number] = pathname.match(/\/x\/(\d+)\/(\w+)(?:\/(\d+))?/) ?? [];
  if (kind === "moments" && method === "GET") return look(+state, +number, searchParams.get("e"));
  if (kind === "commands" && body.get("do") === "reset") {
    const start = Object.keys(states[0].presses)[0];
    return look(0, start ? +start.slice(3) : 0, null);
  }
  if (kind === "commands" && body.get("commands")) {
    const end = states[0].presses[body.get("commands")];
    return end === undefined ? null : look(end, states[end].last, null);
  }
  if (kind === "cards") return predict(predictions[number], body.get("answer"));
  if (kind === "commands") return press(+state, +body.get("at"), body.get("phase"));
  return null;
}

window.fetch = async (resource, options = {}) => {
  const address = resource instanceof Request ? resource.url : String(resource);
  const method = (options.method ?? "GET").toUpperCase();
  const found = answer(address, method, options.body ?? new FormData());
  return new Response(found ?? told(unforeseen), { headers: { "Content-Type": "text/html; charset=utf-8" } });
};

document.getElementById("debugger").outerHTML = look(0, +opens, null);
