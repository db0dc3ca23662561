// "Paste your own": the example, the line at fault, and the real editor once somebody wants to type.

/** Put the editor over a script's field. */
export async function edit(area) {
  if (area.dataset.editor) return;
  area.dataset.editor = "loading";
  const nonce = document.querySelector("script[nonce]")?.nonce ?? "";
  const { createEditor } = await import("../src/editor.js");
  const editor = createEditor(area, { nonce });
  area.required = false; // a hidden field cannot be pointed at; an empty script is told of by the server
  area.editor = editor;
  if (area.dataset.line) {
    const message = document.querySelector("#problem .message")?.textContent ?? "";
    editor.setProblems([{ line: +area.dataset.line, message, severity: "error" }]);
  }
  if (document.activeElement === area || document.activeElement === document.body || area.closest("#editing")) editor.view.focus();
}

document.addEventListener("focusin", ({ target }) => target.matches?.("#source") && edit(target));
function fill(text) {
  const area = document.getElementById("source");
  area.value = text;
  area.editor?.setText(text);
  if (!area.editor) area.focus();
}

document.addEventListener("click", ({ target }) => {
  if (target.closest?.("#use-example")) fill(document.getElementById("source").dataset.example);
  if (target.closest?.("#open-file")) document.getElementById("script-file").click();
});
// What stands before a script's loop runs at once: that may take seconds.
document.addEventListener("submit", ({ target }) => {
  const button = target.matches(".paste-form") && target.querySelector("[data-starting]");
  if (!button) return;
  const words = button.textContent;
  button.textContent = button.dataset.starting;
  addEventListener("pageshow", () => { button.textContent = words; }, { once: true }); // it was gone back to
});
document.addEventListener("change", async ({ target }) => {
  if (target.id !== "script-file" || !target.files.length) return;
  fill(await target.files[0].text());
  target.value = ""; // the same file may be opened again once it has been changed
});
const area = document.getElementById("source");
if (area?.closest(".editing")) edit(area);
if (area?.dataset.line) edit(area).then(() => document.getElementById("problem").scrollIntoView({ block: "center" }));
