// The page's behaviour: each module takes care of one thing and listens on the document, so that a page which is
// morphed or replaced needs nothing done again. Without JavaScript all of it still works as plain links and forms.

import "./listing.js"; // takes clicks with Shift before they are sent
import "./requests.js";
import "./brought.js";
import "./keys.js";
import "./timeline.js";
import "./play.js";
import "./view.js";
import "./graph/main.js";
import "./tips.js";
import "./preferences.js";
import "./panels.js";
import "./lesson.js";

// The font of formulas waits for it (src/fonts.css).
const loaded = () => { document.documentElement.dataset.loaded = ""; };
if (document.readyState === "complete") loaded();
else addEventListener("load", loaded);
