// Defines <squall-scenario>, a live run of a scenario in any page:
//
//   <script src="https://squall.example/squall-embed.js" defer></script>
//   <squall-scenario src="retries.json" height="640" view="all"></squall-scenario>
//   <squall-scenario view="load"><script type="application/json">{ ... }</script></squall-scenario>
//
// src is a scenario's address, or a link that the playground shared; without src the scenario stands inside.
// What is shown runs in a sandboxed frame without an origin, which cannot read anything of the page.
(() => {
  const home = new URL('.', document.currentScript.src);
  const light = window.matchMedia('(prefers-color-scheme: dark)');

  class SquallScenario extends HTMLElement {
    static observedAttributes = ['src', 'height', 'view', 'theme'];
    #frame;
    #ready = false;
    #cleanup;

    connectedCallback() {
      const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
      const style = new CSSStyleSheet();
      style.replaceSync(':host { display: block } iframe { display: block; width: 100%; border: 1px solid #8886; border-radius: 8px; background: transparent; box-sizing: border-box }');
      shadow.adoptedStyleSheets = [style];

      const hear = event => this.#hear(event);
      const recolour = () => this.#show({ theme: this.#theme() });
      const observer = new MutationObserver(recolour);
      addEventListener('message', hear);
      light.addEventListener('change', recolour);
      for (const element of [document.documentElement, document.body]) observer.observe(element, { attributes: true, attributeFilter: ['class', 'style', 'data-theme', 'data-color-mode'] });
      this.#cleanup = () => {
        removeEventListener('message', hear);
        light.removeEventListener('change', recolour);
        observer.disconnect();
      };
      this.#open();
    }

    disconnectedCallback() {
      this.#cleanup?.();
      this.#frame?.remove();
      this.#frame = undefined;
    }

    attributeChangedCallback(name) {
      if (!this.#frame) return;
      if (name === 'src') this.#open();
      else if (name === 'height') this.#resize(this.#height());
      else this.#show({ theme: this.#theme(), view: this.getAttribute('view') ?? 'all' });
    }

    #open() {
      const address = new URL('embed.html', home);
      const src = this.getAttribute('src');
      const shared = src?.includes('#s') ? src.slice(src.indexOf('#')) : '';
      address.searchParams.set('theme', this.#theme());
      if (this.hasAttribute('view')) address.searchParams.set('view', this.getAttribute('view'));
      address.hash = shared;

      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts allow-popups allow-popups-to-escape-sandbox');
      frame.loading = 'lazy';
      frame.referrerPolicy = 'no-referrer';
      frame.title = this.getAttribute('title') ?? 'A run of a scenario, by Squall';
      frame.src = address;
      this.#ready = false;
      this.#frame?.remove();
      this.#frame = frame;
      this.#resize(this.#height());
      this.shadowRoot.append(frame);
    }

    /** Without a height attribute the frame is as high as what it shows. */
    #height() {
      const height = Number(this.getAttribute('height'));
      return height > 0 ? height : 480;
    }

    #resize(height) { this.#frame.style.height = `${Math.min(Math.max(height, 80), 4000)}px`; }

    /** The colours of the page at this place: what it says, else what the system asks for. */
    #theme() {
      const said = this.getAttribute('theme');
      if (said === 'light' || said === 'dark') return said;
      const scheme = getComputedStyle(this).colorScheme.split(' ').filter(word => word === 'light' || word === 'dark');
      if (scheme.length === 1) return scheme[0];
      return scheme.length === 2 && light.matches ? 'dark' : 'light';
    }

    // The frame has no origin that could be named; only this frame can receive the message.
    #show(message) { if (this.#ready) this.#frame.contentWindow.postMessage({ squall: 'show', ...message }, '*'); }

    #hear(event) {
      if (event.source !== this.#frame?.contentWindow || event.origin !== 'null') return;
      if (event.data?.squall === 'ready') {
        this.#ready = true;
        this.#scenario().then(scenario => this.#show({ theme: this.#theme(), view: this.getAttribute('view') ?? 'all', ...scenario }));
      } else if (event.data?.squall === 'height' && Number.isFinite(event.data.height) && !this.hasAttribute('height')) {
        this.#resize(event.data.height + 2);
        this.dispatchEvent(new CustomEvent('squall-height', { detail: event.data.height, bubbles: true }));
      }
    }

    async #scenario() {
      const src = this.getAttribute('src');
      if (src === null) return { text: (this.querySelector('script') ?? this).textContent.trim() };
      if (src.includes('#s')) return {};
      try {
        const response = await fetch(src, { referrerPolicy: 'no-referrer' });
        if (!response.ok) throw new Error(`status ${response.status}`);
        return { text: await response.text() };
      } catch (e) {
        return { error: `The scenario ${src} could not be loaded: ${e.message}` };
      }
    }
  }

  if (!customElements.get('squall-scenario')) customElements.define('squall-scenario', SquallScenario);
})();
