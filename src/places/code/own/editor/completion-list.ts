import { EditorSelection, type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { type EditorView, keymap, showTooltip, type Tooltip, ViewPlugin } from '@codemirror/view';
import { type Completion, type Completions, completionsAt } from './completions.ts';

interface Shown extends Completions {
  readonly chosen: number;
}

const setShown = StateEffect.define<Shown | null>();

/** Options that the list has room for. */
const MAX_LISTED = 8;

const shownField = StateField.define<Shown | null>({
  create: () => null,
  update(before, transaction) {
    for (const effect of transaction.effects) if (effect.is(setShown)) return effect.value;
    if (transaction.docChanged && transaction.isUserEvent('input.type')) {
      return found(transaction.state.doc.toString(), transaction.state.selection.main.head, false);
    }
    if (transaction.docChanged && transaction.isUserEvent('delete') && before) {
      return found(transaction.state.doc.toString(), transaction.state.selection.main.head, false);
    }
    return transaction.docChanged || transaction.selection ? null : before;
  },
  provide: (field) => showTooltip.from(field, (shown) => shown && tooltip(shown)),
});

function found(text: string, at: number, isAsked: boolean): Shown | null {
  const completions = completionsAt(text, at, isAsked);
  return completions && { ...completions, options: completions.options.slice(0, MAX_LISTED), chosen: 0 };
}

function tooltip(shown: Shown): Tooltip {
  return {
    pos: shown.from,
    above: false,
    create(view) {
      const dom = document.createElement('ul');
      dom.className = 'cm-completions';
      dom.id = 'completions';
      dom.setAttribute('role', 'listbox');
      dom.setAttribute('aria-label', 'What can be written here');
      for (const [i, option] of shown.options.entries()) dom.append(itemOf(view, shown, option, i));
      return { dom };
    },
  };
}

function itemOf(view: EditorView, shown: Shown, option: Completion, i: number): HTMLElement {
  const item = document.createElement('li');
  item.id = `completion-${i}`;
  item.setAttribute('role', 'option');
  item.setAttribute('aria-selected', String(i === shown.chosen));
  const name = document.createElement('span');
  name.textContent = option.label;
  const detail = document.createElement('span');
  detail.textContent = option.detail;
  item.append(name, detail);
  // A click would take the focus from the editor first.
  item.addEventListener('mousedown', (event) => {
    event.preventDefault();
    take(view, shown, i);
  });
  return item;
}

function take(view: EditorView, { from, options }: Completions, i: number): void {
  const { label, insert = label } = options[i];
  const to = view.state.selection.main.head;
  // Into the first hole that it leaves.
  const hole = /\(\)|''|\n {2}\n/.exec(insert);
  const inside = hole ? hole.index + (hole[0].startsWith('\n') ? 3 : 1) : insert.length;
  view.dispatch({
    changes: { from, to, insert },
    selection: EditorSelection.cursor(from + (insert.endsWith('()') ? insert.length - 1 : inside)),
    effects: setShown.of(null),
    userEvent: 'input.complete',
  });
}

/** Tells who does not see the list which option is chosen. */
const spoken = ViewPlugin.define((view) => ({
  update() {
    const shown = view.state.field(shownField);
    const { contentDOM } = view;
    if (shown) {
      contentDOM.setAttribute('aria-controls', 'completions');
      contentDOM.setAttribute('aria-activedescendant', `completion-${shown.chosen}`);
    } else {
      contentDOM.removeAttribute('aria-controls');
      contentDOM.removeAttribute('aria-activedescendant');
    }
  },
}));

const withShown =
  (act: (view: EditorView, shown: Shown) => void) =>
  (view: EditorView): boolean => {
    const shown = view.state.field(shownField);
    if (shown) act(view, shown);
    return shown !== null;
  };

const move = (by: number): ((view: EditorView) => boolean) =>
  withShown((view, shown) => {
    const count = shown.options.length;
    view.dispatch({ effects: setShown.of({ ...shown, chosen: (shown.chosen + by + count) % count }) });
  });

/** A list of what can be written, as one types or on Control and Space. */
export const completionList: Extension = [
  shownField,
  spoken,
  Prec.highest(
    keymap.of([
      { key: 'ArrowDown', run: move(1) },
      { key: 'ArrowUp', run: move(-1) },
      { key: 'Enter', run: withShown((view, shown) => take(view, shown, shown.chosen)) },
      { key: 'Tab', run: withShown((view, shown) => take(view, shown, shown.chosen)) },
      { key: 'Escape', run: withShown((view) => view.dispatch({ effects: setShown.of(null) })) },
      {
        key: 'Ctrl-Space',
        run: (view) => {
          const { state } = view;
          view.dispatch({ effects: setShown.of(found(state.doc.toString(), state.selection.main.head, true)) });
          return true;
        },
      },
    ]),
  ),
];
