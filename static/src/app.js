// On every page: htmx with its server-sent events, the styles that come with packages, then our own modules.

import "htmx.org";
import "htmx.org/dist/ext/hx-sse.js";
import "uplot/dist/uPlot.min.css";
import "./fonts.css";
import "../js/main.js";
