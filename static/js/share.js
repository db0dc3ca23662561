// Links that carry a run: opened from the address's fragment, which is never sent by itself; and links that are copied.

import { cursor, main } from "./state.js";

const form = document.getElementById("open-form");
if (form && location.hash.length > 1) {
  form.elements.link.value = location.hash.slice(1);
  form.submit();
}

// The header stays as it was when the page was loaded: its links go to what the page shows now, which the first press
// makes a run of the visitor's own.
document.addEventListener("click", ({ target }) => {
  const link = target.closest?.("#share-link, #compare-link");
  if (!link || !main()) return;
  const { base } = main().dataset;
  const { number, event } = cursor();
  if (link.id === "share-link") link.href = `${base}/share?m=${number}${event === null ? "" : `&e=${event}`}`;
  else if (base.startsWith("/r/")) link.href = `/compare?a=${base.slice("/r/".length)}`;
}, { capture: true });

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.copied;
  } catch {
    // Not allowed here: the text is selected, so that it can be copied by key.
  }
});
