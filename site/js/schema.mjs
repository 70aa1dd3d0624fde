// Completion and help from the JSON Schema of a scenario. The schema says what may stand where; the
// syntax tree says where the caret is.
import { syntaxTree, ensureSyntaxTree } from '@codemirror/language';
import { ViewPlugin, Decoration } from '@codemirror/view';

/** Comments are no JSON: they are shown as such instead of as errors. */
const faded = Decoration.mark({ attributes: { style: 'color: var(--faint); font-style: italic' } });
export const comments = ViewPlugin.fromClass(class {
  constructor(view) { this.decorations = this.find(view); }
  update(u) { if (u.docChanged || u.viewportChanged) this.decorations = this.find(u.view); }
  find(view) {
    const text = view.state.doc.toString();
    const marks = [];
    // strings are skipped so that "http://" is not taken for a comment
    const token = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g;
    for (let m; (m = token.exec(text));) if (m[0][0] === '/') marks.push(faded.range(m.index, m.index + m[0].length));
    return Decoration.set(marks);
  }
}, { decorations: v => v.decorations });

const keyOf = (state, property) => {
  const name = property.getChild('PropertyName');
  return name ? state.sliceDoc(name.from + 1, name.to - 1) : '';
};

/** The path from the root to a node of the tree: keys, and null for a place in a list. */
function pathTo(state, node) {
  const path = [];
  for (let n = node; n; n = n.parent) {
    if (n.name === 'Property') path.unshift(keyOf(state, n));
    else if (n.parent?.name === 'Array') path.unshift(null);
  }
  return path;
}

function resolve(schema, s) {
  for (let i = 0; s?.$ref && i < 16; i++) s = s.$ref.slice(2).split('/').reduce((o, k) => o?.[k.replace(/~1/g, '/').replace(/~0/g, '~')], schema);
  return s;
}

/** Every alternative of a schema: itself, or the parts of its oneOf, anyOf and allOf. */
function* parts(schema, s, depth = 0) {
  s = resolve(schema, s);
  if (!s || depth > 8) return;
  yield s;
  for (const list of [s.oneOf, s.anyOf, s.allOf]) for (const p of list ?? []) yield* parts(schema, p, depth + 1);
}

/** The schemas of what stands at a path. */
function schemasAt(schema, path) {
  let here = [schema];
  for (const step of path) {
    const next = [];
    for (const h of here) {
      for (const p of parts(schema, h)) {
        if (step === null) { if (p.items) next.push(p.items); }
        else if (p.properties?.[step]) next.push(p.properties[step]);
        else if (p.additionalProperties && typeof p.additionalProperties === 'object') next.push(p.additionalProperties);
      }
    }
    here = next;
  }
  return here;
}

const firstText = (schema, list, key) => {
  for (const s of list) for (const p of [s, ...parts(schema, s)]) if (p[key] !== undefined) return p[key];
};

/** What may be written at the caret. */
export function completeFrom(schema, context) {
  const { state, pos } = context;
  let node = (ensureSyntaxTree(state, pos, 200) ?? syntaxTree(state)).resolveInner(pos, -1);
  while (/^[,:{}[\]⚠]$/.test(node.name) && node.parent) node = node.parent; // signs stand for what holds them
  const word = context.matchBefore(/"?[\w.]*/);
  const inKey = node.name === 'PropertyName' || node.name === 'Object';
  if (inKey) {
    const object = node.name === 'PropertyName' ? node.parent.parent : node;
    if (node.name !== 'PropertyName' && !context.explicit && !word?.text) return null;
    const written = new Set(object.getChildren('Property').map(p => keyOf(state, p)));
    const from = node.name === 'PropertyName' ? node.from : word?.from ?? pos;
    const to = node.name === 'PropertyName' ? node.to : pos;
    const current = node.name === 'PropertyName' ? state.sliceDoc(from + 1, to - 1) : '';
    const options = [];
    const seen = new Set();
    for (const s of schemasAt(schema, pathTo(state, object))) {
      for (const p of parts(schema, s)) {
        for (const [key, value] of Object.entries(p.properties ?? {})) {
          if (seen.has(key) || (written.has(key) && key !== current)) continue;
          seen.add(key);
          const fresh = node.name !== 'PropertyName' || !/^\s*:/.test(state.sliceDoc(to, to + 8));
          options.push({
            label: `"${key}"`, apply: fresh ? `"${key}": ${example(schema, value)}` : `"${key}"`,
            info: firstText(schema, [value], 'description'), detail: shown(firstText(schema, [value], 'default')),
          });
        }
      }
    }
    return offer(context, from, to, options);
  }
  const property = node.name === 'Property' ? node : node.parent;
  if (property?.name !== 'Property' && property?.name !== 'Array') return null;
  const options = [];
  const seen = new Set();
  const path = property.name === 'Array' ? [...pathTo(state, property), null] : pathTo(state, property);
  for (const s of schemasAt(schema, path)) {
    for (const p of parts(schema, s)) {
      for (const v of [...(p.enum ?? []), ...(p.const !== undefined ? [p.const] : []), ...(p.examples ?? []), ...(p.type === 'boolean' ? [true, false] : []), ...(p.default !== undefined && p.default !== null && typeof p.default !== 'object' ? [p.default] : [])]) {
        const label = JSON.stringify(v);
        if (seen.has(label)) continue;
        seen.add(label);
        options.push({ label, info: p.description });
      }
      const empty = p.type === 'object' ? '{  }' : p.type === 'array' ? '[  ]' : null;
      if (empty && !seen.has(empty)) {
        seen.add(empty);
        options.push({ label: empty, info: p.description });
      }
    }
  }
  const from = node.name === 'String' || node.name === 'Number' ? node.from : word?.from ?? pos;
  const to = node.name === 'String' || node.name === 'Number' ? node.to : pos;
  return offer(context, from, to, options);
}

/** What of the options fits what was typed before the caret; the rest of the word is replaced too. */
function offer({ state, pos }, from, to, options) {
  const typed = state.sliceDoc(from, pos).replace(/"/g, '').toLowerCase();
  const at = o => o.label.replace(/"/g, '').toLowerCase().indexOf(typed);
  const fit = options.filter(o => at(o) >= 0).sort((a, b) => Math.min(at(a), 1) - Math.min(at(b), 1));
  return fit.length ? { from, to, options: fit, filter: false } : null;
}

function shown(value) { return value === undefined ? undefined : JSON.stringify(value); }

function example(schema, value) {
  const d = firstText(schema, [value], 'default');
  if (d !== undefined && d !== null) return JSON.stringify(d);
  const e = firstText(schema, [value], 'examples');
  if (e?.length) return JSON.stringify(e[0]);
  const t = firstText(schema, [value], 'type');
  return t === 'object' ? '{  }' : t === 'array' ? '[  ]' : t === 'string' ? '""' : t === 'boolean' ? 'true' : '';
}

/** What the key under the pointer means. */
export function helpFrom(schema, view, pos) {
  const node = syntaxTree(view.state).resolveInner(pos, 1);
  if (node.name !== 'PropertyName') return null;
  const found = schemasAt(schema, pathTo(view.state, node.parent));
  const about = firstText(schema, found, 'description');
  if (!about) return null;
  const usual = firstText(schema, found, 'default');
  return {
    pos: node.from, end: node.to, above: true,
    create() {
      const dom = document.createElement('div');
      dom.className = 'squall-help';
      const p = dom.appendChild(document.createElement('p'));
      p.textContent = about;
      if (usual !== undefined) {
        const d = dom.appendChild(document.createElement('p'));
        d.append('Default: ', Object.assign(document.createElement('code'), { textContent: JSON.stringify(usual) }));
      }
      return { dom };
    },
  };
}
