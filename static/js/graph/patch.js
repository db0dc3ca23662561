// An element of the picture becomes another by what differs in their texts: what stays the same is not laid out anew.
// The texts are the server's own (app/drawing/markup.py): one element each, without < or > in attributes, and without
// words between elements but in <text> and <title>, which are replaced as a whole.

const TAG = /<(\/?)[a-z][^>]*?(\/?)>/gi;
const ATTRIBUTE = / ([\w-]+)(?:="([^"]*)")?/g;
const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };

/** An element's text as its opening tag and the texts of its children. */
function split(markup) {
  const parts = [];
  let depth = 0, start = 0;
  for (const { 0: tag, 1: closes, 2: empty, index } of markup.matchAll(TAG)) {
    if (closes) depth -= 1;
    else if (!empty) depth += 1;
    if (depth === 1 && !closes && !empty && !parts.length) parts.push(tag);
    else if (depth === 1 && (closes || empty)) parts.push(markup.slice(start, index + tag.length));
    else continue;
    start = index + tag.length;
  }
  return parts;
}

const nameOf = (markup) => markup.match(/^<(\w+)/)[1];
const attributes = (tag) => new Map([...tag.matchAll(ATTRIBUTE)].map(([, name, value]) => [name, value ?? ""]));

function setAttributes(element, before, after) {
  if (before === after) return;
  const [old, now] = [attributes(before), attributes(after)];
  for (const name of old.keys()) if (!now.has(name)) element.removeAttribute(name);
  for (const [name, value] of now) {
    if (old.get(name) !== value) element.setAttribute(name, value.replace(/&[#\w]+;/g, (entity) => ENTITIES[entity]));
  }
}

/** Make `element`, whose text was `before`, into `after`. What has to be made anew is left to be `made` with all the
 *  others at once: [text, what to do with the element made of it]. False: this is the way to make all of it anew. */
export function patch(element, before, after, made) {
  if (before === after) return true;
  const name = nameOf(after);
  if (name !== nameOf(before)) return false;
  if (before.endsWith("/>") && !before.includes("><")) {
    if (!after.endsWith("/>") || after.includes("><")) return false;
    setAttributes(element, before, after);
    return true;
  }
  if (name !== "g") return false;
  const [[head, ...old], [newHead, ...now]] = [split(before), split(after)];
  const children = [...element.children];
  if (children.length !== old.length) return false;
  setAttributes(element, head, newHead);
  if (old.length === now.length) {
    children.forEach((child, index) => {
      if (!patch(child, old[index], now[index], made)) made.push([now[index], (fresh) => child.replaceWith(fresh)]);
    });
    return true;
  }
  let first = 0, last = 0; // how many at the beginning and at the end stay
  while (first < Math.min(old.length, now.length) && old[first] === now[first]) first += 1;
  while (last < Math.min(old.length, now.length) - first && old.at(-1 - last) === now.at(-1 - last)) last += 1;
  const following = children[old.length - last] ?? null;
  for (const child of children.slice(first, old.length - last)) child.remove();
  for (const text of now.slice(first, now.length - last)) {
    made.push([text, (fresh) => element.insertBefore(fresh, following)]);
  }
  return true;
}
