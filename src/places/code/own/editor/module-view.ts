import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { MODULE_BOUNDS } from '../../../../core/bounds/bounds.ts';
import { editorTheme } from '../../editor/editor-theme.ts';
import { messages, withMessages } from '../../editor/messages.ts';
import { completionList } from './completion-list.ts';
import { arraysIn } from './completions.ts';
import { moduleLanguage } from './module-language.ts';

/** What the editor shows. */
export interface ModuleShown {
  readonly text: string;
  readonly messages: readonly { readonly text: string; readonly line: number }[];
  /** lines of the step on the stage, from 1 */
  readonly marked: readonly number[];
  readonly readOnly: boolean;
}

export interface ModuleEvents {
  readonly onChange: (text: string) => void;
  /** somebody wants the text to be kept as a version */
  readonly onKeep: () => void;
}

export interface ModuleView {
  show(shown: ModuleShown): void;
  destroy(): void;
}

const setMarked = StateEffect.define<readonly number[]>();
const markedLine = Decoration.line({ class: 'cm-stored' });

const marked = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { effects, state, changes }) {
    for (const effect of effects) {
      if (!effect.is(setMarked)) continue;
      const lines = effect.value.filter((line) => line >= 1 && line <= state.doc.lines);
      return Decoration.set(
        lines.map((line) => markedLine.range(state.doc.line(line).from)),
        true,
      );
    }
    return before.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const theme = EditorView.theme({
  '.cm-stored': { background: 'var(--word)' },
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

/** An editor of one module in `parent`, a shadow root, where its styles are adopted sheets, as the page's policy asks. */
export function createModuleView(parent: ShadowRoot, events: ModuleEvents): ModuleView {
  const language = new Compartment();
  const editable = new Compartment();
  let names = '';
  let shown: ModuleShown | null = null;
  let isSetting = false;
  const languageOf = (text: string) => {
    const arrays = arraysIn(text);
    names = [...arrays].join();
    return moduleLanguage((name) => arrays.get(name));
  };
  const editability = (readOnly: boolean) => [
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({
      tabindex: '0',
      'aria-label': readOnly ? 'The module, to read' : 'The module: Escape, then Tab, leaves the editor',
      ...(readOnly && { 'aria-readonly': 'true' }),
    }),
  ];
  const newState = ({ text, readOnly }: ModuleShown): EditorState =>
    EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLineGutter(),
        bracketMatching(),
        highlightSelectionMatches(),
        indentUnit.of('  '),
        indentOnInput(),
        completionList,
        language.of(languageOf(text)),
        editable.of(editability(readOnly)),
        messages,
        marked,
        editorTheme,
        theme,
        keymap.of([
          {
            key: 'Mod-s',
            preventDefault: true,
            run: () => {
              events.onKeep();
              return true;
            },
          },
          ...searchKeymap,
          ...historyKeymap,
          ...lintKeymap,
          indentWithTab,
          ...defaultKeymap,
        ]),
        EditorState.transactionFilter.of((transaction) => {
          const { docChanged, newDoc, startState } = transaction;
          if (!docChanged || isSetting || newDoc.length <= startState.doc.length) return transaction;
          return newDoc.length <= MODULE_BOUNDS.length ? transaction : [];
        }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          const text = update.state.doc.toString();
          if (!isSetting) events.onChange(text);
        }),
      ],
    });
  const view = new EditorView({ parent, root: parent });
  return {
    show(next) {
      isSetting = true;
      try {
        const text = view.state.doc.toString();
        if (shown === null) view.setState(newState(next));
        else if (text !== next.text) view.dispatch({ changes: { from: 0, to: text.length, insert: next.text } });
        if ([...arraysIn(next.text)].join() !== names) {
          view.dispatch({ effects: language.reconfigure(languageOf(next.text)) });
        }
        if (shown && shown.readOnly !== next.readOnly) {
          view.dispatch({ effects: editable.reconfigure(editability(next.readOnly)) });
        }
        if (shown?.messages !== next.messages) {
          const { lines } = view.state.doc;
          const said = next.messages
            .filter(({ line }) => line >= 1 && line <= lines)
            .map((message) => ({ ...message, severity: 'error' as const, file: null, column: 0, length: 0 }));
          view.dispatch(withMessages(view.state, said));
        }
        if (shown?.marked !== next.marked || shown?.text !== next.text) {
          view.dispatch({ effects: setMarked.of(next.marked) });
          // Where nobody writes, the editor follows the story.
          if (!view.hasFocus && next.marked.length > 0 && shown?.marked !== next.marked)
            bringIntoView(view, next.marked[0]);
        }
      } finally {
        isSetting = false;
      }
      shown = next;
    },
    destroy: () => view.destroy(),
  };
}

/** Scrolls only the editor to a line, unless it is in view. */
function bringIntoView(view: EditorView, line: number): void {
  if (line > view.state.doc.lines) return;
  const { from } = view.state.doc.line(line);
  view.requestMeasure({
    read: ({ scrollDOM: { scrollTop, clientHeight } }) => {
      const { top, bottom } = view.lineBlockAt(from);
      return top >= scrollTop && bottom <= scrollTop + clientHeight ? null : (top + bottom - clientHeight) / 2;
    },
    write: (top, { scrollDOM }) => {
      if (top !== null) scrollDOM.scrollTop = top;
    },
  });
}
