"""A SCORM 1.2 package: the offline page, its manifest, and the few calls by which it tells an LMS how it went."""

from __future__ import annotations

import io
import zipfile
from xml.sax.saxutils import escape

DATE = (2020, 1, 1, 0, 0, 0)
"""Of every file in the package, so that the same run gives the same bytes."""

MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="gradient-flow" version="1.0"
  xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
  <organizations default="lesson">
    <organization identifier="lesson"><title>{title}</title>
      <item identifier="page" identifierref="html"><title>{title}</title></item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="html" type="webcontent" adlcp:scormtype="sco" href="index.html">
      <file href="index.html"/><file href="scorm.js"/>
    </resource>
  </resources>
</manifest>
"""

# The page tells what was predicted as events (docs/embedding.md); this turns them into a score. The LMS puts its API
# object into a window above or behind this one. What was answered is kept as "1:1 2:0" (card:right), far below the 4096
# characters that an LMS must keep; it gives it back only to who leaves with "suspend".
SCRIPT = """// How a lesson went, told to an LMS (SCORM 1.2 run-time environment).
(() => {
  const find = (from) => {
    for (let at = from, depth = 0; at && depth < 20; at = at.parent === at ? null : at.parent, depth++) {
      try { if (at.API) return at.API; } catch { return null; }
    }
    return null;
  };
  const api = find(window) ?? (window.opener ? find(window.opener) : null);
  if (!api) return;
  // What does not begin keeps nothing, unless who launched the page has begun already (error 101).
  if (String(api.LMSInitialize("")) !== "true" && Number(api.LMSGetLastError?.()) !== 101) return;
  const began = Date.now();
  const get = (name) => String(api.LMSGetValue(`cmi.${name}`) ?? "");
  const set = (name, value) => api.LMSSetValue(`cmi.${name}`, String(value));
  const over = () => ["completed", "passed", "failed"].includes(get("core.lesson_status"));
  const right = new Map((get("suspend_data").match(/\\d+:[01]/g) ?? [])
    .map((text) => text.split(":").map(Number)));
  if (!over()) set("core.lesson_status", "incomplete");
  if (right.size) {
    // Read by the lesson when it begins, and told in case it has begun already.
    const card = document.documentElement.dataset.card = Math.max(...right.keys()) + 1;
    document.dispatchEvent(new CustomEvent("gradientflow:card", { detail: { card } }));
  }

  document.addEventListener("gradientflow:prediction", ({ detail: { card, right: was, asked } }) => {
    if (right.has(card)) return; // the first answer counts
    right.set(card, Number(was));
    set("suspend_data", [...right].map((pair) => pair.join(":")).join(" "));
    const score = Math.round(100 * [...right.values()].filter(Boolean).length / Math.max(asked, 1));
    if (!over() || score > Number(get("core.score.raw"))) { // what has been reached stays
      set("core.score.min", 0);
      set("core.score.max", 100);
      set("core.score.raw", score);
    }
    if (right.size >= asked && !over()) set("core.lesson_status", "completed");
    api.LMSCommit("");
  });
  addEventListener("pagehide", () => {
    const seconds = Math.round((Date.now() - began) / 1000);
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    set("core.session_time", parts.map((part) => String(part).padStart(2, "0")).join(":"));
    set("core.exit", "suspend");
    api.LMSFinish("");
  });
})();
"""


def package(page: str, title: str) -> bytes:
    """The package, as a zip file, of an offline page."""
    found = io.BytesIO()
    files = {
        "imsmanifest.xml": MANIFEST.format(title=escape(title)),
        "index.html": page.replace("</body>", '<script src="scorm.js"></script>\n</body>'),
        "scorm.js": SCRIPT,
    }
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, DATE), text.encode(), zipfile.ZIP_DEFLATED)
    return found.getvalue()
