// The list of completions in the editor of a custom format.

import { EditorSelection, type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { EditorView, keymap, showTooltip, type Tooltip, ViewPlugin } from '@codemirror/view';
import { type Completion, type Completions, completionsAt } from './completions.ts';

/** The completions in the list, and the index of the one that Enter inserts. */
interface ListedCompletions extends Completions {
  readonly selected: number;
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

/** The completions at a position, with the first one selected; null if there are none. */
function listedAt(text: string, position: number, isRequested: boolean): ListedCompletions | null {
  const completions = completionsAt(text, position, isRequested);
  return completions && { ...completions, options: completions.options.slice(0, MAX_LISTED), selected: 0 };
}

/** The list as an element below the word that is being completed. */
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

/** The element of the i-th option, which a click inserts. */
function itemOf(view: EditorView, listed: ListedCompletions, option: Completion, i: number): HTMLElement {
  const item = document.createElement('li');
  item.id = `completion-${i}`;
  item.setAttribute('role', 'option');
  item.setAttribute('aria-selected', String(i === listed.selected));
  const name = document.createElement('span');
  name.textContent = option.label;
  const detail = document.createElement('span');
  detail.textContent = option.detail;
  item.append(name, detail);
  // A click would first take the focus from the editor.
  item.addEventListener('mousedown', (event) => {
    event.preventDefault();
    insertCompletion(view, listed, i);
  });
  return item;
}

/** Replaces the started word by the i-th option, and closes the list. */
function insertCompletion(view: EditorView, { from, options }: Completions, i: number): void {
  const { label, insert = label } = options[i];
  const to = view.state.selection.main.head;
  // The cursor goes to the first gap in the inserted text.
  const gap = /\(\)|''|\n {2}\n/.exec(insert);
  const cursor = gap ? gap.index + (gap[0].startsWith('\n') ? 3 : 1) : insert.length;
  view.dispatch({
    changes: { from, to, insert },
    selection: EditorSelection.cursor(from + (insert.endsWith('()') ? insert.length - 1 : cursor)),
    effects: setListed.of(null),
    userEvent: 'input.complete',
  });
}

/** Tells a screen reader which option is selected. */
const ariaAttributes = ViewPlugin.define((view) => ({
  update() {
    const listed = view.state.field(listedField);
    const { contentDOM } = view;
    if (listed) {
      contentDOM.setAttribute('aria-controls', 'completions');
      contentDOM.setAttribute('aria-activedescendant', `completion-${listed.selected}`);
    } else {
      contentDOM.removeAttribute('aria-controls');
      contentDOM.removeAttribute('aria-activedescendant');
    }
  },
}));

/** A key's command that acts only while the list is open. */
const withListed =
  (act: (view: EditorView, listed: ListedCompletions) => void) =>
  (view: EditorView): boolean => {
    const listed = view.state.field(listedField);
    if (listed) act(view, listed);
    return listed !== null;
  };

/** Selects the option `by` positions further down; the first option follows the last one. */
const move = (by: number): ((view: EditorView) => boolean) =>
  withListed((view, listed) => {
    const count = listed.options.length;
    view.dispatch({ effects: setListed.of({ ...listed, selected: (listed.selected + by + count) % count }) });
  });

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

/** The editor extension that lists completions of a format's module, while typing or on Ctrl-Space. */
export const completionList: Extension = [
  listedField,
  theme,
  ariaAttributes,
  Prec.highest(
    keymap.of([
      { key: 'ArrowDown', run: move(1) },
      { key: 'ArrowUp', run: move(-1) },
      { key: 'Enter', run: withListed((view, listed) => insertCompletion(view, listed, listed.selected)) },
      { key: 'Tab', run: withListed((view, listed) => insertCompletion(view, listed, listed.selected)) },
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
