// "Edit" puts the editor in the place of the script's lines.

import { edit } from "./paste.js";

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("#edit, #edit-cancel");
  const place = document.getElementById("editing");
  if (!link || !place || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.id === "edit") {
    const answer = await fetch(`${link.getAttribute("href")}?part=1`);
    if (!answer.ok) return location.assign(link.href);
    place.innerHTML = await answer.text();
    place.hidden = false;
    await edit(place.querySelector("textarea"));
  } else {
    place.replaceChildren();
    place.hidden = true;
    document.getElementById("edit")?.focus();
  }
});
