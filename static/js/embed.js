// <gradient-flow>: a scenario, a run or a script of one's own on somebody else's page (docs/embedding.md). What is inside
// of the element (a picture, a sentence) is shown until the frame is there, and again when it does not come.

(() => {
  const VERSION = 1;
  const PATIENCE = 12_000; // milliseconds until a frame that does not answer is taken away again
  const here = document.currentScript?.src ? new URL(".", document.currentScript.src).href : "/";
  const OPTIONS = ["panels", "buttons", "theme", "lang"];
  const SWITCHES = ["readonly", "locked", "autoplay", "predict"];

  async function fragmentOf(source) {
    const packed = new Blob([JSON.stringify({ source })]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return `gf1=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}z`;
  }

  class GradientFlow extends HTMLElement {
    static observedAttributes = ["theme"];

    asked = [];

    heard = (event) => this.hear(event);

    connectedCallback() {
      addEventListener("message", this.heard);
      if (!this.shadowRoot) this.build();
      if (this.frame) this.wait(); // the element was moved in its page, and its frame is loaded anew
      else this.seen.observe(this);
    }

    wait() {
      this.ready = false;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.fail("the server does not answer"), PATIENCE);
    }

    build() {
      this.attachShadow({ mode: "open" }).innerHTML = `<style>
        :host { display: block; max-width: 100%; min-height: var(--least, var(--height, 480px)); }
        iframe { display: block; width: 100%; border: 0; height: var(--height, 480px); transition: height .2s; }
        iframe[data-waiting] { position: absolute; width: 1px; height: 1px; opacity: 0; pointer-events: none; }
        @media (prefers-reduced-motion: reduce) { iframe { transition: none; } }
      </style><slot></slot>`;
      if (this.hasAttribute("height")) this.style.setProperty("--height", this.getAttribute("height"));
      this.seen = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && this.load(), {
        rootMargin: "400px",
      });
    }

    disconnectedCallback() {
      this.seen.disconnect();
      clearTimeout(this.timer);
      removeEventListener("message", this.heard);
    }

    attributeChangedCallback(name, before, theme) {
      if (this.frame) this.ask("theme", { theme: theme ?? "auto" });
    }

    /** The address of the frame. Raises when the script of `src` cannot be fetched. */
    async address() {
      const server = new URL(this.getAttribute("server") ?? here, location.href);
      const query = new URLSearchParams({ v: this.getAttribute("version") ?? VERSION });
      for (const name of OPTIONS) if (this.hasAttribute(name)) query.set(name, this.getAttribute(name));
      for (const name of SWITCHES) if (this.hasAttribute(name)) query.set(name, "1");
      if (this.hasAttribute("moment")) query.set("m", this.getAttribute("moment"));
      if (this.hasAttribute("event")) query.set("e", this.getAttribute("event"));
      const name = this.getAttribute("scenario") ?? this.getAttribute("run");
      if (name) return new URL(`e/${encodeURIComponent(name)}?${query}`, server).href;
      const answer = await fetch(new URL(this.getAttribute("src"), document.baseURI));
      if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
      return new URL(`e/open?${query}#${await fragmentOf(await answer.text())}`, server).href;
    }

    async load() {
      this.seen.disconnect();
      let address;
      try {
        address = await this.address();
      } catch (error) {
        return this.fail(String(error));
      }
      this.frame = Object.assign(document.createElement("iframe"), {
        src: address, title: this.getAttribute("title") ?? "Gradient Flow",
      });
      this.frame.allow = "clipboard-write";
      this.frame.dataset.waiting = "";
      this.shadowRoot.append(this.frame);
      this.wait();
    }

    fail(reason) {
      this.frame?.remove();
      this.frame = null;
      this.shadowRoot.querySelector("slot").style.display = "";
      this.style.setProperty("--least", "0px"); // as high as what is inside
      if (!this.textContent.trim() && !this.childElementCount) {
        this.textContent = "This interactive figure cannot be shown now: its server does not answer.";
      }
      this.dispatchEvent(new CustomEvent("gradientflow:error", { bubbles: true, detail: { reason } }));
    }

    hear({ source, data }) {
      if (!this.frame || source !== this.frame.contentWindow || data?.gradientflow !== VERSION) return;
      const { gradientflow, type, ...detail } = data;
      if (type === "ready") {
        clearTimeout(this.timer);
        this.ready = true;
        for (const [kind, values] of this.asked.splice(0)) this.ask(kind, values);
        delete this.frame.dataset.waiting;
        this.shadowRoot.querySelector("slot").style.display = "none";
      }
      if (type === "height" && !this.hasAttribute("height")) this.style.setProperty("--height", `${detail.height}px`);
      if (/^\w+$/.test(type)) {
        this.dispatchEvent(new CustomEvent(`gradientflow:${type}`, { bubbles: true, composed: true, detail }));
      }
    }

    /** What is asked before the frame can hear it is kept. */
    ask(type, values) {
      if (!this.ready) return void this.asked.push([type, values]);
      this.frame?.contentWindow.postMessage({ gradientflow: VERSION, type, ...values }, "*");
    }

    /** Press a phase or a button of the frame: "forward", "next"; `phase` chooses one of several of a kind by its id. */
    press(what, phase) { this.ask("press", { do: what, phase }); }

    /** Look at a moment, and at an event inside of it. */
    look(moment, event = null) { this.ask("look", { moment, event }); }

    play() { this.ask("play"); }

    pause() { this.ask("pause"); }
  }

  if (!customElements.get("gradient-flow")) customElements.define("gradient-flow", GradientFlow);
})();
