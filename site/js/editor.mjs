// The text of the scenario: CodeMirror with JSON and comments, the engine's problems as squiggles,
// completion and help from the published schema. The page owns the text's meaning; this file only
// shows and edits it.
import { EditorState, Annotation } from '@codemirror/state';
import {
  EditorView, keymap, lineNumbers, drawSelection, highlightActiveLine, highlightActiveLineGutter, hoverTooltip,
} from '@codemirror/view';
import { history, historyKeymap, defaultKeymap, undo, redo } from '@codemirror/commands';
import { searchKeymap, highlightSelectionMatches } from '@codemirror/search';
import { jsonLanguage } from '@codemirror/lang-json';
import {
  LanguageSupport, syntaxHighlighting, HighlightStyle, bracketMatching, indentOnInput, foldGutter, foldKeymap, indentUnit,
} from '@codemirror/language';
import { setDiagnostics, lintGutter, lintKeymap } from '@codemirror/lint';
import { autocompletion, completionKeymap, closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { tags } from '@lezer/highlight';
import { completeFrom, helpFrom, comments } from './schema.mjs';

const fromOutside = Annotation.define();

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '0.93rem', color: 'var(--ink)', backgroundColor: 'var(--field)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)', paddingBlock: '8px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--field)', color: 'var(--faint)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--active)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--selection)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--active)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--selection)' },
  '.cm-tooltip': { backgroundColor: 'var(--panel)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '6px', maxWidth: '44ch' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 6px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionInfo': { padding: '6px 8px', maxWidth: '36ch' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--warn)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warn)', textUnderlineOffset: '3px' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--ink)' },
  '.cm-panels input, .cm-panels button': { font: 'inherit' },
  '.squall-help': { padding: '6px 10px' },
  '.squall-help code': { fontFamily: 'var(--mono)' },
  '.squall-help p': { margin: '2px 0' },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--key)' },
  { tag: tags.string, color: 'var(--string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--number)' },
  { tag: tags.comment, color: 'var(--faint)', fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--warn)' },
]);

/**
 * An editor in `host`. `onText(text)` is called for every change a person makes, undo included;
 * `onLeave()` when Escape asks to leave the editor.
 */
export function editor(host, text, onText, onLeave) {
  const root = host.attachShadow({ mode: 'open' }); // its styles are then adopted sheets, which a strict CSP allows
  let schema = null;
  const state = EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(), foldGutter(), highlightActiveLineGutter(), highlightActiveLine(), history(), drawSelection(), indentOnInput(), indentUnit.of('  '),
      bracketMatching(), closeBrackets(), highlightSelectionMatches(), lintGutter(), comments,
      new LanguageSupport(jsonLanguage), syntaxHighlighting(colours), look,
      EditorState.tabSize.of(2), EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': 'Scenario as text', spellcheck: 'false', tabindex: '0' }),
      autocompletion({ override: [context => schema && completeFrom(schema, context)], icons: false }),
      hoverTooltip((view, pos) => schema && helpFrom(schema, view, pos)),
      keymap.of([
        { key: 'Escape', run: () => { onLeave(); return true; } },
        ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap,
      ]),
      EditorView.updateListener.of(u => {
        if (u.docChanged && !u.transactions.some(t => t.annotation(fromOutside))) onText(u.state.doc.toString());
      }),
    ],
  });
  const view = new EditorView({ state, parent: root, root });
  const clamp = n => Math.max(0, Math.min(n, view.state.doc.length));
  return {
    /** Another document: nothing of the old one is kept but the undo history. */
    replace(next) {
      if (next === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next }, annotations: fromOutside.of(true), selection: { anchor: 0 }, scrollIntoView: true });
    },
    /** One change made elsewhere (the form); a drag is one step of undo. */
    change(from, to, insert) {
      view.dispatch({ changes: { from: clamp(from), to: clamp(to), insert }, annotations: fromOutside.of(true), userEvent: 'input.type.form' });
    },
    /** Problems as [{from, to, message}] (JSON, UTF-16 offsets). */
    problems(json) {
      const found = JSON.parse(json).map(p => ({ from: clamp(p.from), to: clamp(Math.max(p.to, p.from)), severity: 'error', message: p.message }));
      view.dispatch(setDiagnostics(view.state, found));
    },
    /** Puts the caret somewhere and shows it. */
    go(offset) {
      view.dispatch({ selection: { anchor: clamp(offset) }, effects: EditorView.scrollIntoView(clamp(offset), { y: 'center' }) });
      view.focus();
    },
    schema(json) { schema = JSON.parse(json); },
    undo() { return undo(view); },
    redo() { return redo(view); },
    text() { return view.state.doc.toString(); },
    focus() { view.focus(); },
  };
}
