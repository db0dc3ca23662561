// A page that needs no server: what answers its requests comes first, then htmx and the modules that need nobody else.

import "../js/recorded.js";
import "htmx.org";
import "../js/core.js";
