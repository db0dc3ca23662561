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
# object into a window above or behind this one.
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
  const right = new Map();
  api.LMSInitialize("");
  const status = "cmi.core.lesson_status";
  if (api.LMSGetValue(status) === "not attempted") api.LMSSetValue(status, "incomplete");
  const tell = (asked) => {
    const score = Math.round(100 * [...right.values()].filter(Boolean).length / Math.max(asked, 1));
    api.LMSSetValue("cmi.core.score.min", "0");
    api.LMSSetValue("cmi.core.score.max", "100");
    api.LMSSetValue("cmi.core.score.raw", String(score));
    if (right.size >= asked) api.LMSSetValue(status, "completed");
    api.LMSCommit("");
  };
  document.addEventListener("gradientflow:prediction", ({ detail }) => {
    if (!right.has(detail.card)) right.set(detail.card, detail.right); // the first answer counts
    tell(detail.asked);
  });
  addEventListener("pagehide", () => api.LMSFinish(""));
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
