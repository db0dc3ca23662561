// Answers the page's requests from what the file holds (app/export/offline.py), so that none leaves the page.

const { views: packed, states: { names, rows }, predictions } = window.recorded;
const { unforeseen, opens } = document.getElementById("recorded").dataset;

/** Lists of numbers: 0 stands for the next one that is new, anything else for the number before it. */
function known(told) {
  let news = 0;
  return told.map((row) => row.map((number) => {
    const found = number ? number - 1 : news;
    news = Math.max(news, found + 1);
    return found;
  }));
}
const [puts, edits] = [known(packed.puts), known(packed.edits)];

/** All views as [how far back the one is by which it is told, number of its list of edits] (app/export/packing.py). */
let edit = 0;
const views = packed.bases.map((back, number) => [number - back, edit += packed.views[number]]);
const lists = new Map();

/** The list of a view's pieces: edits of one that came before. Few lists are kept: a page shows one at a time. */
function listOf(view) {
  const chain = [];
  for (; view >= 0 && !lists.has(view); view = views[view][0]) chain.push(view);
  let list = lists.get(view) ?? [];
  if (lists.size > 200) lists.clear();
  for (const next of chain.reverse()) {
    const changes = edits[views[next][1]];
    const now = [];
    let at = 0;
    packed.gaps[views[next][1]].forEach((gap, index) => {
      now.push(...list.slice(at, at += gap), ...puts[changes[index]]);
      at += packed.drops[changes[index]];
    });
    now.push(...list.slice(at));
    list = now;
  }
  if (chain.length) lists.set(chain.at(-1), list);
  return list;
}

/** All states: number of the one before, of the last moment, views by "moment" and "moment/event", states by press. */
const states = [];
let seenLast = 0;
rows.forEach(([back, more, pressed, before, seen], number) => {
  const last = more + (back ? states[number - back].last : 0);
  const state = { parent: back ? number - back : null, last, looks: {}, presses: {} };
  for (let at = 0; at < pressed.length; at += 2) state.presses[names[pressed[at]]] = number + pressed[at + 1];
  seen.forEach((differences, index) => differences.forEach((difference, event) => {
    state.looks[last - before + index + (event ? `/${event - 1}` : "")] = seenLast += difference;
  }));
  states.push(state);
});

/** A view, with the addresses of the state that it is shown for, and its own moment where they have a "~". */
function text(view, state) {
  const page = listOf(view).map((number) => packed.pieces[number]).join("");
  const [, number] = page.match(/data-number="(\d+)"/);
  return page.replaceAll(/x\/0(\/moments\/|\?m=)~/g, `x/0$1${number}`)
    .replaceAll("x/0/", `x/${state}/`).replace('data-base="x/0"', `data-base="x/${state}"`);
}
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
    const view = looks[key] ?? (event === null && at ? looks[last] : undefined);
    if (view !== undefined) return (shown = text(view, at));
    if (looks[number] !== undefined) return null; // the inside of this statement is not in the file
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

/** The readings of what people type as numbers in a row (as app/teaching/grading.py reads it). */
function rowsOf(typed) {
  const text = typed.replaceAll(/[−–]/g, "-").trim();
  const inside = text.match(
    /^(?:[^=]*=)?\s*(?:torch\.)?tensor\(([^]*?)(?:,\s*(?:requires_grad|grad_fn|dtype|device|size)=[^]*)?\)?$/,
  );
  const told = inside ? inside[1] : text.split("=").at(-1);
  const close = (part) => part.replaceAll(/\s/g, "");
  const read = (part) => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(part) ? Number(part) : NaN);
  const number = (part) => {
    const [top, bottom = "1", ...more] = part.replaceAll(",", ".").split("/");
    return more.length || !read(bottom) ? NaN : read(top) / read(bottom);
  };
  const bare = close(told);
  const rows = /^[+-]?[1-9]\d{0,2}(,\d{3})+$/.test(bare) ? [[Number(bare.replaceAll(",", ""))]] : [];
  const parts = told.includes(";") ? told.split(";") : told.replaceAll(/[[\]()]/g, " ").trim().split(/[,\s]+/);
  rows.push([number(bare)], parts.map((part) => number(close(part.replaceAll(/[[\]()]/g, "")))));
  return rows.filter((row) => !row.some(Number.isNaN));
}

/** What is said to a prediction: the file has each sentence, and between which bounds the numbers must be for it. */
function predict({ answers, no_number, else_ }, typed) {
  const plain = (text) => text.toLowerCase().split(/\s+/).filter(Boolean).join(" ").replace(/^(["'])(.+)\1$/, "$2");
  const rows = rowsOf(typed);
  const fits = ({ text, within }) => plain(text) === plain(typed) || (within && rows.some((row) => (
    row.length === within.length && row.every((number, at) => within[at][0] <= number && number <= within[at][1]))));
  const counted = rows.some((row) => row.length === answers[0].within?.length);
  return answers.find(fits)?.html ?? (no_number !== null && !counted ? no_number : else_);
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
  if (kind === "commands") return press(+state, +body.get("at"), body.get("phase") ?? body.get("do"));
  return null;
}

window.fetch = async (resource, options = {}) => {
  const address = resource instanceof Request ? resource.url : String(resource);
  const method = (options.method ?? "GET").toUpperCase();
  const found = answer(address, method, options.body ?? new FormData());
  return new Response(found ?? told(unforeseen), { headers: { "Content-Type": "text/html; charset=utf-8" } });
};

document.getElementById("debugger").outerHTML = look(0, +opens, null);
