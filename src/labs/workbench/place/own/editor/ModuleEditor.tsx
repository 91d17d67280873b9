import { EditorView, keymap, lineNumbers, showTooltip, type Tooltip, ViewPlugin } from '@codemirror/view';
import { useMemo } from 'react';
import { MODULE_BOUNDS } from '../../../../../core/bounds/bounds.ts';
import { CodeEditor } from '../../editor/CodeEditor.tsx';
import type { CodeKind, EditedFile } from '../../editor/code-view.ts';
import { arraysIn, type Completion, type Completions, completionsAt } from './completions.ts';
import type { LanguageSupport } from '@codemirror/language';
import { bracketLanguage } from '../../editor/bracket-language.ts';
import type { ArrayClass } from '../../../../../core/declared/element-type.ts';
import { EditorSelection, type Extension, Prec, StateEffect, StateField } from '@codemirror/state';

interface ListedCompletions extends Completions {
  readonly chosen: number;
}

const setListed = StateEffect.define<ListedCompletions | null>();

/** Maximum number of options in the list. */
const MAX_LISTED = 8;

const listedField = StateField.define<ListedCompletions | null>({
  create: () => null,
  update(before, transaction) {
    for (const effect of transaction.effects) if (effect.is(setListed)) return effect.value;
    if (transaction.docChanged && transaction.isUserEvent('input.type')) {
      return listedAt(transaction.state.doc.toString(), transaction.state.selection.main.head, false);
    }
    if (transaction.docChanged && transaction.isUserEvent('delete') && before) {
      return listedAt(transaction.state.doc.toString(), transaction.state.selection.main.head, false);
    }
    return transaction.docChanged || transaction.selection ? null : before;
  },
  provide: (field) => showTooltip.from(field, (listed) => listed && tooltip(listed)),
});

function listedAt(text: string, at: number, isAsked: boolean): ListedCompletions | null {
  const completions = completionsAt(text, at, isAsked);
  return completions && { ...completions, options: completions.options.slice(0, MAX_LISTED), chosen: 0 };
}

function tooltip(listed: ListedCompletions): Tooltip {
  return {
    pos: listed.from,
    above: false,
    create(view) {
      const dom = document.createElement('ul');
      dom.className = 'cm-completions';
      dom.id = 'completions';
      dom.setAttribute('role', 'listbox');
      dom.setAttribute('aria-label', 'What can be written here');
      for (const [i, option] of listed.options.entries()) dom.append(itemOf(view, listed, option, i));
      return { dom };
    },
  };
}

function itemOf(view: EditorView, listed: ListedCompletions, option: Completion, i: number): HTMLElement {
  const item = document.createElement('li');
  item.id = `completion-${i}`;
  item.setAttribute('role', 'option');
  item.setAttribute('aria-selected', String(i === listed.chosen));
  const name = document.createElement('span');
  name.textContent = option.label;
  const detail = document.createElement('span');
  detail.textContent = option.detail;
  item.append(name, detail);
  // A click would first take the focus from the editor.
  item.addEventListener('mousedown', (event) => {
    event.preventDefault();
    take(view, listed, i);
  });
  return item;
}

function take(view: EditorView, { from, options }: Completions, i: number): void {
  const { label, insert = label } = options[i];
  const to = view.state.selection.main.head;
  // To the first gap in the inserted text.
  const hole = /\(\)|''|\n {2}\n/.exec(insert);
  const inside = hole ? hole.index + (hole[0].startsWith('\n') ? 3 : 1) : insert.length;
  view.dispatch({
    changes: { from, to, insert },
    selection: EditorSelection.cursor(from + (insert.endsWith('()') ? insert.length - 1 : inside)),
    effects: setListed.of(null),
    userEvent: 'input.complete',
  });
}

/** Tells a screen reader which option is chosen. */
const announced = ViewPlugin.define((view) => ({
  update() {
    const listed = view.state.field(listedField);
    const { contentDOM } = view;
    if (listed) {
      contentDOM.setAttribute('aria-controls', 'completions');
      contentDOM.setAttribute('aria-activedescendant', `completion-${listed.chosen}`);
    } else {
      contentDOM.removeAttribute('aria-controls');
      contentDOM.removeAttribute('aria-activedescendant');
    }
  },
}));

const withListed =
  (act: (view: EditorView, listed: ListedCompletions) => void) =>
  (view: EditorView): boolean => {
    const listed = view.state.field(listedField);
    if (listed) act(view, listed);
    return listed !== null;
  };

const move = (by: number): ((view: EditorView) => boolean) =>
  withListed((view, listed) => {
    const count = listed.options.length;
    view.dispatch({ effects: setListed.of({ ...listed, chosen: (listed.chosen + by + count) % count }) });
  });

/** A list of completions, during typing or on Control and Space. */
const completionList: Extension = [
  listedField,
  announced,
  Prec.highest(
    keymap.of([
      { key: 'ArrowDown', run: move(1) },
      { key: 'ArrowUp', run: move(-1) },
      { key: 'Enter', run: withListed((view, listed) => take(view, listed, listed.chosen)) },
      { key: 'Tab', run: withListed((view, listed) => take(view, listed, listed.chosen)) },
      { key: 'Escape', run: withListed((view) => view.dispatch({ effects: setListed.of(null) })) },
      {
        key: 'Ctrl-Space',
        run: (view) => {
          const { state } = view;
          view.dispatch({ effects: setListed.of(listedAt(state.doc.toString(), state.selection.main.head, true)) });
          return true;
        },
      },
    ]),
  ),
];

const KEYWORDS = new Set(
  'export const let var function return for of in if else while do break continue switch case default new typeof null undefined true false class throw try catch finally async await yield'.split(
    ' ',
  ),
);

const COMMENT = 1;
const TEMPLATE = 2;

/** JavaScript as in modules of formats: highlighting of keywords, texts, comments, and arrays by their contents. */
function moduleLanguage(classOf: (name: string) => ArrayClass | undefined): LanguageSupport {
  return bracketLanguage({
    name: 'format',
    token(stream, state) {
      if (state.inside === COMMENT || stream.match('/*')) {
        state.inside = stream.skipTo('*/') ? 0 : COMMENT;
        if (state.inside === COMMENT) stream.skipToEnd();
        else stream.match('*/');
        return 'comment';
      }
      if (state.inside === TEMPLATE || stream.match('`')) {
        state.inside = stream.match(/^(?:\\.|[^`\\])*`/) ? 0 : TEMPLATE;
        if (state.inside === TEMPLATE) stream.skipToEnd();
        return 'string';
      }
      if (stream.match(/^(?:'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?)/)) return 'string';
      return stream.match(/^\d[\w.]*/) ? 'number' : undefined;
    },
    word: /^[A-Za-z_$][\w$]*/,
    kindOf: (name) => (KEYWORDS.has(name) ? 'keyword' : (classOf(name) ?? 'variableName')),
  });
}

const theme = EditorView.theme({
  '.cm-tooltip.cm-completions': {
    margin: '0',
    padding: 'var(--space-1)',
    listStyle: 'none',
    border: '1px solid var(--control-border)',
    borderRadius: 'var(--corner)',
    boxShadow: 'var(--float-shadow)',
    maxWidth: 'min(26rem, 90vw)',
  },
  '.cm-completions li': {
    display: 'flex',
    gap: 'var(--space-4)',
    justifyContent: 'space-between',
    padding: 'var(--space-1) var(--space-2)',
    borderRadius: '4px',
    fontFamily: 'var(--mono)',
    fontSize: 'var(--size-12)',
    cursor: 'pointer',
  },
  '.cm-completions li[aria-selected="true"]': { background: 'var(--word)' },
  '.cm-completions li span:last-child': { color: 'var(--text-muted)', fontFamily: 'var(--sans)' },
});

/** The editor's support for modules: their arrays have colours, and completions are listed during typing. */
const MODULES: CodeKind = {
  names: (text) => [...arraysIn(text)].join(),
  language(text) {
    const arrays = arraysIn(text);
    return moduleLanguage((name) => arrays.get(name));
  },
  around: () => [lineNumbers(), completionList, theme],
};

/** The content of the editor. */
export interface EditorContent {
  readonly text: string;
  readonly messages: readonly { readonly text: string; readonly line: number }[];
  /** lines of the current step, from 1 */
  readonly marked: readonly number[];
  readonly readOnly: boolean;
}

interface ModuleEditorProps {
  readonly shown: EditorContent;
  readonly onChange: (text: string) => void;
  /** called to store the text as a version */
  readonly onKeep: () => void;
}

/** The editor of one module; another module needs another `key`. */
export function ModuleEditor({ shown, onChange, onKeep }: ModuleEditorProps) {
  const { text, messages: said, marked, readOnly } = shown;
  const messages = useMemo(
    () => said.map((message) => ({ ...message, severity: 'error', file: null, column: 0, length: 0 }) as const),
    [said],
  );
  const file = useMemo(
    (): EditedFile => ({ path: 'The module', code: text, original: text, messages, place: null, marked, readOnly }),
    [text, messages, marked, readOnly],
  );
  return (
    <CodeEditor
      kind={MODULES}
      file={file}
      onChange={(_, next) => onChange(next)}
      admits={(_, next) => next.length <= MODULE_BOUNDS.length}
      onSave={onKeep}
    />
  );
}
