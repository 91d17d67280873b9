// The styles of the code editor, with the colours and sizes of the page.

import { EditorView } from '@codemirror/view';

/** The page's colours and sizes, which the editor receives as custom properties. */
export const editorTheme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', fontSize: 'var(--size-13)' },
  '&.cm-focused': { outline: '1px solid var(--focus)', outlineOffset: '-1px' },
  '.cm-scroller': { containerType: 'inline-size', fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { padding: 'var(--space-3) 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 var(--space-4) 0 var(--space-2)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  // Long lines scroll below the gutters.
  '.cm-gutters': { border: 'none', background: 'var(--ground)', color: 'var(--text-muted)' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '2.5rem', padding: '0 var(--space-1) 0 0' },
  '.cm-changes': { width: '8px' },
  '.cm-changed': { borderInlineEnd: '2px solid var(--text)' },
  '.cm-gutter-lint': { width: '1rem' },
  '.cm-activeLine': { background: 'color-mix(in oklab, var(--text) 5%, transparent)' },
  '.cm-marked': { background: 'var(--word)' },
  '.cm-activeLineGutter': { background: 'none', color: 'var(--text)', fontWeight: '600' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in oklab, var(--focus) 28%, transparent)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    background: 'none',
    outline: '1px solid var(--text-muted)',
  },
  '.cm-searchMatch': { background: 'color-mix(in oklab, var(--focus) 18%, transparent)' },
  '.cm-searchMatch-selected': { background: 'color-mix(in oklab, var(--focus) 40%, transparent)' },
  '.cm-lintRange-error': {
    background: 'none',
    textDecoration: 'underline wavy var(--danger)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning, .cm-lintRange-info': {
    background: 'none',
    textDecoration: 'underline wavy var(--text-muted)',
    textUnderlineOffset: '3px',
  },
  '.cm-message': {
    background: 'var(--sunken)',
    fontFamily: 'var(--sans)',
    fontSize: 'var(--size-12)',
    whiteSpace: 'pre-wrap',
  },
  '.cm-message > div': {
    position: 'sticky',
    insetInlineStart: '5rem',
    boxSizing: 'border-box',
    width: 'fit-content',
    maxWidth: 'calc(100cqi - 5.5rem)',
    padding: 'var(--space-1) var(--space-4) var(--space-1) var(--space-2)',
    overflowWrap: 'anywhere',
  },
  '.cm-message--error': { background: 'var(--danger-ground)', color: 'var(--danger)' },
  '.cm-message button': {
    minHeight: '1.5rem',
    padding: '0 var(--space-1)',
    border: 'none',
    background: 'none',
    color: 'var(--text)',
    font: 'inherit',
    textDecoration: 'underline',
    cursor: 'pointer',
  },
  '.cm-panels': { background: 'var(--sunken)', color: 'var(--text)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--hairline)' },
  '.cm-panel.cm-search': { padding: 'var(--space-2) var(--space-3)', fontFamily: 'var(--sans)' },
  '.cm-textfield': {
    border: '1px solid var(--control-border)',
    borderRadius: 'var(--corner)',
    background: 'var(--control)',
    color: 'var(--text)',
    font: 'inherit',
    fontSize: 'var(--size-12)',
  },
  '.cm-button': {
    border: '1px solid var(--control-border)',
    borderRadius: 'var(--corner)',
    background: 'var(--control)',
    color: 'var(--text)',
    font: 'inherit',
    fontSize: 'var(--size-12)',
  },
  '.cm-tooltip': {
    border: '1px solid var(--hairline)',
    background: 'var(--ground)',
    color: 'var(--text)',
    fontFamily: 'var(--sans)',
  },
  '.cm-deletedChunk': { padding: '0', background: 'var(--danger-ground)' },
  '.cm-changedLine, .cm-insertedLine': { background: 'color-mix(in oklab, var(--good) 10%, transparent)' },
  '.cm-changedText': { background: 'color-mix(in oklab, var(--good) 25%, transparent)' },
  '.cm-deletedText, .cm-deletedChunk .cm-deletedText': {
    background: 'color-mix(in oklab, var(--danger) 22%, transparent)',
  },
});
