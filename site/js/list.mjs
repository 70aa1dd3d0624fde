// A list of any length of which only what is seen is in the document. Rows come by the page from
// whoever made the list: `want(first, count)` asks for some, `fill` brings them.

const rowHeight = 24;
const page = 200;
const pagesMost = 60;
// Browsers give up on elements much taller than this; a longer list scrolls by less than it moves.
const tallest = 8_000_000;

/** A list in `host`; `open(row)` is called when a row is chosen, with what came as the row's last cell. */
export function list(host, label, want, open) {
  const box = document.createElement('div');
  box.className = 'moments';
  box.id = 'moments';
  box.tabIndex = 0;
  box.setAttribute('role', 'listbox');
  box.setAttribute('aria-label', label);
  const space = document.createElement('div');
  space.className = 'moments-space';
  space.setAttribute('role', 'presentation');
  const view = document.createElement('div');
  view.className = 'moments-view';
  view.setAttribute('role', 'presentation');
  box.append(space, view);
  host.append(box);

  let total = 0, active = -1, opened = null, asked = -1, epoch = 0, drawn = false, mark = -1;
  const pages = new Map();
  const pool = [];

  const height = () => Math.min(total * rowHeight, tallest);
  const seen = () => Math.max(1, Math.floor(box.clientHeight / rowHeight));
  const most = () => Math.max(0, total - seen());
  // the row at the top, with a fraction
  const top = () => {
    const room = height() - box.clientHeight;
    return height() < tallest || room <= 0 ? box.scrollTop / rowHeight : box.scrollTop / room * most();
  };
  const scrollToRow = row => {
    row = Math.min(Math.max(row, 0), most());
    box.scrollTop = height() < tallest ? row * rowHeight : row / Math.max(most(), 1) * (height() - box.clientHeight);
  };

  const row = i => pages.get(Math.floor(i / page))?.[i % page];

  // What is seen is asked for at once, what may be seen next when nothing else is on its way.
  function need(from, to, ahead) {
    if (ahead && asked >= 0) return;
    const first = Math.floor(Math.max(from, 0) / page), last = Math.floor(Math.min(to, total - 1) / page);
    for (let p = first; p <= last; p++) {
      if (!pages.has(p)) {
        if (asked !== p) {
          asked = p;
          want(p * page, page, epoch);
        }
        return;
      }
    }
  }

  function element(k) {
    if (!pool[k]) {
      const el = document.createElement('div');
      el.className = 'moment';
      el.setAttribute('role', 'option');
      for (let c = 0; c < 7; c++) el.append(document.createElement('span'));
      view.append(el);
      pool[k] = el;
    }
    return pool[k];
  }

  function draw() {
    drawn = false;
    const at = top(), first = Math.max(0, Math.floor(at) - 4), last = Math.min(total, Math.ceil(at) + seen() + 5);
    view.style.transform = `translateY(${Math.round(box.scrollTop - (at - first) * rowHeight)}px)`;
    for (let i = first; i < last; i++) {
      const el = element(i - first), cells = row(i);
      el.hidden = false;
      el.dataset.row = i;
      el.id = 'moment-' + i;
      el.style.transform = `translateY(${(i - first) * rowHeight}px)`;
      el.setAttribute('aria-posinset', i + 1);
      el.setAttribute('aria-setsize', total);
      el.setAttribute('aria-selected', String(!!cells && cells[7] === opened));
      el.className = 'moment' + (i === active ? ' active' : '') + (cells ? ' ' + cells[8] : ' coming') +
        (cells && cells[7] === opened ? ' same' : '');
      for (let c = 0; c < 7; c++) {
        const text = cells ? cells[c] : c === 1 ? '…' : '';
        if (el.children[c].textContent !== text) el.children[c].textContent = text;
      }
    }
    for (let k = Math.max(last - first, 0); k < pool.length; k++) {
      pool[k].hidden = true;
      pool[k].removeAttribute('id');
    }
    if (active >= first && active < last) box.setAttribute('aria-activedescendant', 'moment-' + active);
    else box.removeAttribute('aria-activedescendant');
    need(first, last - 1, false);
    need(first - page / 2, last + page / 2, true);
  }
  const soon = () => {
    if (!drawn) {
      drawn = true;
      requestAnimationFrame(draw);
    }
  };

  const choose = i => {
    active = Math.min(Math.max(i, 0), total - 1);
    const at = top();
    if (active < at) scrollToRow(active);
    else if (active >= Math.floor(at) + seen()) scrollToRow(active - seen() + 1);
    soon();
  };
  const openRow = i => {
    const cells = row(i);
    if (cells) {
      opened = cells[7];
      open(opened);
      soon();
    }
  };

  box.addEventListener('scroll', soon, { passive: true });
  box.addEventListener('click', e => {
    const el = e.target.closest('.moment');
    if (!el) return;
    active = Number(el.dataset.row);
    openRow(active);
  });
  box.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || total === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: seen() - 1, PageUp: 1 - seen(), Home: -total, End: total }[e.key];
    if (step) {
      e.preventDefault();
      choose((active < 0 ? Math.ceil(top()) - Math.sign(step) : active) + step);
    } else if (e.key === 'Enter' || e.key === ' ') {
      e.preventDefault();
      if (active >= 0) openRow(active);
    }
  });
  new ResizeObserver(soon).observe(box);

  return {
    /** A new list of unknown length: the rows there are stay until the first new ones come. */
    reset() {
      epoch++;
      asked = 0;
      mark = epoch;
      want(0, page, epoch);
    },
    /** Rows [first, ...) of a list of `all` rows, JSON; those of a list before the last reset are dropped. */
    fill(first, all, json, of) {
      if (of !== epoch) return;
      if (mark === epoch) {
        mark = -1;
        pages.clear();
        active = -1;
        box.scrollTop = 0;
      }
      total = all;
      box.hidden = total === 0;
      box.style.height = Math.max(total, 3) * rowHeight + 'px';
      space.style.height = height() + 'px';
      pages.delete(first / page);
      pages.set(first / page, JSON.parse(json));
      if (pages.size > pagesMost) pages.delete(pages.keys().next().value);
      if (asked === first / page) asked = -1;
      soon();
    },
    /** The row's last cell whose rows are marked. */
    opened(which) {
      opened = which;
      soon();
    },
    focus() { box.focus(); },
  };
}
