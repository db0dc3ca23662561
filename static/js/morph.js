// An element of the page becomes another, in place: what has the focus, is scrolled or moves stays what it is. The page's
// panels change so at every press; htmx does the same for any answer, but looks through the whole page for it.

import htmx from "htmx.org";

const SKIPPED = "[hx-morph-skip]";
const CHILDREN_SKIPPED = "[hx-morph-skip-children]";
const OURS = "data-htmx-powered"; // htmx's own mark

let fresh = []; // elements that htmx does not know yet, or not as what they are now

const alike = (old, now) => old.nodeType === now.nodeType && old.nodeName === now.nodeName && (old.id ?? "") === (now.id ?? "");

function setAttributes(old, now) {
  let bare = false; // whether htmx has to forget what the element asked for
  for (const { name, value } of now.attributes) {
    const before = old.getAttribute(name);
    if (before === value) continue;
    if (before === null && name.startsWith("hx-")) fresh.push(old);
    old.setAttribute(name, value);
    if (name === "value" && old instanceof HTMLInputElement && document.activeElement !== old) old.value = value;
  }
  for (const { name } of [...old.attributes]) {
    if (now.hasAttribute(name) || name === OURS) continue;
    bare ||= name.startsWith("hx-");
    old.removeAttribute(name);
  }
  if (bare) htmx.process(old, true);
}

/** The element after `from` that `now` is another state of: told by its id. */
function later(from, now) {
  if (!now.id) return null;
  let one = from.nextSibling;
  while (one && !alike(one, now)) one = one.nextSibling;
  return one;
}

function change(old, now) {
  if (old.isEqualNode(now)) return; // most of a panel is as it was
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== now.nodeValue) old.nodeValue = now.nodeValue;
    return;
  }
  if (old.matches(SKIPPED)) return;
  setAttributes(old, now);
  if (old.matches(CHILDREN_SKIPPED)) return;
  let place = old.firstChild;
  for (const child of [...now.childNodes]) {
    const found = place && (alike(place, child) ? place : later(place, child));
    if (!found) {
      old.insertBefore(child, place);
      if (child.nodeType === Node.ELEMENT_NODE) fresh.push(child);
      continue;
    }
    if (found === place) place = place.nextSibling;
    else old.insertBefore(found, place);
    change(found, child);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/** Make the elements of the page that are called so into what their texts say: [[id, text], ...]. */
export function morph(changed) {
  const holder = document.createElement("template");
  holder.innerHTML = changed.map(([, text]) => text).join("");
  for (const now of [...holder.content.children]) {
    const old = document.getElementById(now.id);
    if (old) change(old, now);
  }
  for (const element of fresh) htmx.process(element);
  fresh = [];
}
