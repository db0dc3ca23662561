// "Paste your own": the example, a file, the line at fault, and the real editor once somebody wants to type.

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
/** A notebook without what its cells showed, which may be megabytes of pictures; errors say where it goes on. */
function lean(text) {
  try {
    return JSON.stringify(JSON.parse(text, (key, value) => {
      if (key === "outputs" && Array.isArray(value)) return value.filter((one) => /^(error|pyerr)$/.test(one?.output_type));
      return key === "attachments" ? undefined : value;
    }));
  } catch {
    return text; // the server says what is wrong with it
  }
}

/** The script in a file, or of a notebook's cells, in the field; what is wrong with it above. Where the server does not
 * answer so, the notebook itself is in the field: it may be sent as it is. */
async function open(file) {
  const text = await file.text();
  document.getElementById("problem")?.remove();
  if (!file.name.endsWith(".ipynb")) return fill(text);
  const answer = await fetch("/script", { method: "POST", body: lean(text) }).catch(() => null);
  const said = await answer?.text();
  if (answer?.ok) return fill(said);
  const problem = said && new DOMParser().parseFromString(said, "text/html").getElementById("problem");
  if (problem) document.querySelector(".paste-form").before(problem);
  else fill(text);
}

document.addEventListener("change", async ({ target }) => {
  if (target.id !== "script-file" || !target.files.length) return;
  await open(target.files[0]);
  target.value = ""; // the same file may be opened again once it has been changed
});
document.addEventListener("dragover", (event) => {
  if (event.target.closest?.(".paste-form") && event.dataTransfer.types.includes("Files")) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  if (!event.target.closest?.(".paste-form") || !event.dataTransfer.files.length) return;
  event.preventDefault();
  event.stopPropagation(); // the editor would put in a notebook's JSON
  open(event.dataTransfer.files[0]);
}, true);
const area = document.getElementById("source");
if (area?.closest(".editing")) edit(area);
if (area?.dataset.line) edit(area).then(() => document.getElementById("problem").scrollIntoView({ block: "center" }));
