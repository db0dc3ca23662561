// What the reader chose last time, kept in the browser; forgotten where storage is closed to us (a sandboxed frame).

const forgotten = {};

export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return forgotten[name] ?? null;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    forgotten[name] = value;
  }
}

document.addEventListener("click", ({ target }) => {
  if (!target.closest?.("#theme-switch")) return;
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  remember("theme", root.dataset.theme);
});
