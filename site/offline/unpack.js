// Unpacks what offline.go packed, hands the page what it would have loaded, and starts it.
(() => {
  /** The content of a stream of LZMA in its old container (13 bytes of header), whose size is known. */
  const unlzma = (src, size) => {
    const MATCH = 0, REP = 192, REP_G0 = 204, REP_G1 = 216, REP_G2 = 228, REP0_LONG = 240, SLOT = 432, SPECIAL = 688, ALIGN = 816, LEN = 832, REP_LEN = 1346, LITERAL = 1860;
    const lc = src[0] % 9, lp = (src[0] / 9 | 0) % 5, pb = src[0] / 45 | 0;
    const lpMask = (1 << lp) - 1, pbMask = (1 << pb) - 1;
    const probs = new Uint16Array(LITERAL + (0x300 << (lc + lp))).fill(1024);
    const out = new Uint8Array(size);
    let at = 18, range = 0xffffffff, code = 0;
    for (let i = 14; i < 18; i++) code = (code << 8 | src[i]) >>> 0;

    const bit = i => {
      if (range < 0x1000000) {
        range = (range << 8) >>> 0;
        code = (code << 8 | src[at++]) >>> 0;
      }
      const p = probs[i], bound = (range >>> 11) * p;
      if (code < bound) {
        range = bound;
        probs[i] = p + (2048 - p >> 5);
        return 0;
      }
      range -= bound;
      code -= bound;
      probs[i] = p - (p >> 5);
      return 1;
    };
    const tree = (base, bits) => {
      let m = 1;
      for (let i = 0; i < bits; i++) m = m << 1 | bit(base + m);
      return m - (1 << bits);
    };
    const reverse = (base, bits) => {
      let m = 1, r = 0;
      for (let i = 0; i < bits; i++) {
        const b = bit(base + m);
        m = m << 1 | b;
        r |= b << i;
      }
      return r;
    };
    const direct = bits => {
      let r = 0;
      for (; bits > 0; bits--) {
        if (range < 0x1000000) {
          range = (range << 8) >>> 0;
          code = (code << 8 | src[at++]) >>> 0;
        }
        range >>>= 1;
        r <<= 1;
        if (code >= range) {
          code -= range;
          r |= 1;
        }
      }
      return r;
    };
    const length = (base, posState) => {
      if (!bit(base)) return tree(base + 2 + posState * 8, 3);
      if (!bit(base + 1)) return 8 + tree(base + 130 + posState * 8, 3);
      return 16 + tree(base + 258, 8);
    };
    const distance = len => {
      const slot = tree(SLOT + Math.min(len, 3) * 64, 6);
      if (slot < 4) return slot;
      const bits = (slot >> 1) - 1, from = (2 | slot & 1) << bits;
      if (slot < 14) return from + reverse(SPECIAL + from - slot, bits);
      return from + (direct(bits - 4) << 4) + reverse(ALIGN, 4);
    };

    let n = 0, state = 0, rep0 = 0, rep1 = 0, rep2 = 0, rep3 = 0;
    while (n < size) {
      const posState = n & pbMask;
      if (!bit(MATCH + state * 16 + posState)) {
        const lit = LITERAL + 0x300 * (((n & lpMask) << lc) + ((n ? out[n - 1] : 0) >> 8 - lc));
        let s = 1;
        if (state >= 7) {
          let like = out[n - rep0 - 1];
          do {
            const b = like >> 7 & 1, got = bit(lit + (1 + b << 8) + s);
            like <<= 1;
            s = s << 1 | got;
            if (b !== got) break;
          } while (s < 0x100);
        }
        while (s < 0x100) s = s << 1 | bit(lit + s);
        out[n++] = s;
        state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
        continue;
      }
      let len;
      if (bit(REP + state)) {
        if (!bit(REP_G0 + state)) {
          if (!bit(REP0_LONG + state * 16 + posState)) {
            out[n] = out[n - rep0 - 1];
            n++;
            state = state < 7 ? 9 : 11;
            continue;
          }
        } else {
          let d = rep1;
          if (bit(REP_G1 + state)) {
            d = rep2;
            if (bit(REP_G2 + state)) {
              d = rep3;
              rep3 = rep2;
            }
            rep2 = rep1;
          }
          rep1 = rep0;
          rep0 = d;
        }
        len = length(REP_LEN, posState);
        state = state < 7 ? 8 : 11;
      } else {
        rep3 = rep2;
        rep2 = rep1;
        rep1 = rep0;
        len = length(LEN, posState);
        state = state < 7 ? 7 : 10;
        rep0 = distance(len);
      }
      if (rep0 >= n || at > src.length) throw new Error('a part of this file is missing or was changed');
      for (const end = Math.min(n + len + 2, size); n < end; n++) out[n] = out[n - rep0 - 1];
    }
    return out;
  };

  const take = id => {
    const element = document.getElementById(id), text = element.textContent;
    element.remove(); // frees the memory
    return text;
  };
  const bytes = text => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const plain = atob(text), b = new Uint8Array(plain.length);
    for (let i = 0; i < b.length; i++) b[i] = plain.charCodeAt(i);
    return b;
  };

  const start = () => {
    const index = JSON.parse(take('packed-index'));
    const all = unlzma(bytes(take('packed')), index.reduce((sum, part) => sum + part.size, 0));
    const files = new Map();
    let from = 0;
    for (const { name, size } of index) files.set(name, all.subarray(from, from += size));
    const text = name => new TextDecoder().decode(files.get(name));

    const worker = text('wasm_exec.js') + '\n' + text('worker.js').replace(/^importScripts.*$/m, '');
    globalThis.squallParts = {
      module: WebAssembly.compile(files.get('playground.wasm')),
      worker: URL.createObjectURL(new Blob([worker], { type: 'text/javascript' })),
    };
    globalThis.fetch = async name => files.has(name) ? new Response(files.get(name)) : new Response('', { status: 404 });
    for (const part of index.filter(part => part.run)) {
      const script = document.createElement('script');
      script.textContent = text(part.name);
      document.body.append(script);
    }
  };
  const begin = () => {
    try {
      start();
    } catch (e) {
      const box = document.getElementById('gone');
      box.textContent = 'The simulator could not be started: ' + e.message;
      box.hidden = false;
    }
  };
  requestAnimationFrame(() => setTimeout(begin)); // the page is seen before it is unpacked
})();
