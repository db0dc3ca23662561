// Before anything is painted: the theme that the reader chose last. A plain script, so that no page flashes.
try {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed to us (a sandboxed frame): the system's theme it is.
}
