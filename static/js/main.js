// All behaviour: what a page can do by itself, and what needs a server that answers.

import "./core.js";
import "./live.js";
import "./charts.js";
import "./paste.js";
import "./editing.js";
import "./asking.js";
import "./compare.js";
import "./share.js";
import "./frame.js";
import "./picture.js";
