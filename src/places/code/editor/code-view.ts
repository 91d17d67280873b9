import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { ByteClass } from '../../../core/encoded/ledger.ts';
import type { DraftMessage } from '../service/drafts/draft-types.ts';
import { changedLines, DIFF_BOUNDS } from './changed-lines.ts';
import { editorTheme } from './editor-theme.ts';
import { messages, withMessages } from './messages.ts';
import { wgsl } from './wgsl-language.ts';

/** A file in the editor. */
export interface EditedFile {
  readonly path: string;
  readonly code: string;
  readonly original: string;
  readonly messages: readonly DraftMessage[];
  /** line to scroll to, from 1; each object scrolls once, so that a line can be requested again */
  readonly place: { readonly line: number } | null;
}

export interface CodeViewEvents {
  /** somebody changed the file on show */
  readonly onChange: (path: string, code: string) => void;
  /** whether the file on show may have this text; if not, it keeps its own */
  readonly admits: (path: string, code: string) => boolean;
  readonly onRun: () => void;
  readonly onSave: () => void;
  readonly onCompare: () => void;
}

/** The files of one draft in one editor: each keeps its selection and undo history while another is shown. */
export interface CodeView {
  show(file: EditedFile): void;
  /** Shows or hides the original's lines. */
  compare(on: boolean): void;
  destroy(): void;
}

/**
 * An editor in `parent`, in a shadow root: there its styles are adopted sheets, which the page's policy allows, while
 * style elements in the page's head are not allowed.
 */
export function createCodeView(
  parent: ShadowRoot,
  buffers: ReadonlyMap<string, ByteClass>,
  events: CodeViewEvents,
): CodeView {
  const comparing = new Compartment();
  const states = new Map<string, EditorState>();
  let shown: EditedFile | null = null;
  let isComparing = false;
  /** the change comes from outside, not from a person */
  let isSetting = false;
  /** scroll to the first of the next errors: somebody asked for a run from here */
  let isRunAsked = false;

  const comparison = (original: string): Extension =>
    isComparing ? unifiedMergeView({ original, mergeControls: false, gutter: false, diffConfig: DIFF_BOUNDS }) : [];
  const handled = (event: () => void) => (): boolean => {
    event();
    return true;
  };
  const newState = ({ path, code, original }: EditedFile): EditorState =>
    EditorState.create({
      doc: code,
      extensions: [
        lintGutter(),
        lineNumbers(),
        changedLines(Text.of(original.split('\n'))),
        history(),
        drawSelection(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        bracketMatching(),
        highlightSelectionMatches(),
        indentUnit.of('  '),
        indentOnInput(),
        wgsl(buffers),
        messages,
        editorTheme,
        comparing.of(comparison(original)),
        keymap.of([
          {
            key: 'Mod-Enter',
            run: handled(() => {
              isRunAsked = true;
              events.onRun();
            }),
          },
          { key: 'Mod-s', run: handled(events.onSave), preventDefault: true },
          { key: 'Mod-Shift-d', run: handled(events.onCompare), preventDefault: true },
          ...searchKeymap,
          ...historyKeymap,
          ...lintKeymap,
          indentWithTab,
          ...defaultKeymap,
        ]),
        EditorView.contentAttributes.of({
          tabindex: '0',
          'aria-label': `${path}: Escape, then Tab, leaves the editor`,
        }),
        EditorState.transactionFilter.of((transaction) => {
          const { docChanged, newDoc, startState } = transaction;
          if (!docChanged || isSetting || newDoc.length <= startState.doc.length) return transaction;
          return events.admits(path, newDoc.toString()) ? transaction : [];
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isSetting) events.onChange(path, update.state.doc.toString());
        }),
      ],
    });

  const view = new EditorView({ parent, root: parent });
  const setting = (change: () => void): void => {
    isSetting = true;
    try {
      change();
    } finally {
      isSetting = false;
    }
  };
  return {
    show(file) {
      setting(() => {
        if (shown?.path !== file.path) {
          if (shown) states.set(shown.path, view.state);
          const known = states.get(file.path);
          view.setState(known ?? newState(file));
          if (known) view.dispatch({ effects: comparing.reconfigure(comparison(file.original)) });
        }
        const { doc } = view.state;
        if (doc.toString() !== file.code) view.dispatch({ changes: changeTo(doc.toString(), file.code) });
        if (shown?.path !== file.path || shown.messages !== file.messages) {
          view.dispatch(withMessages(view.state, file.messages));
          // Messages that arrive during typing, after every change, do not scroll the editor.
          const error = file.messages.find(({ severity }) => severity === 'error');
          if (error && (isRunAsked || !view.hasFocus)) bringIntoView(view, error.line);
          if (error) isRunAsked = false;
        }
        if (file.place !== null && (shown?.path !== file.path || shown.place !== file.place)) {
          const { from } = view.state.doc.line(Math.min(file.place.line, view.state.doc.lines));
          view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
        }
      });
      shown = file;
    },
    compare(on) {
      isComparing = on;
      if (shown) view.dispatch({ effects: comparing.reconfigure(comparison(shown.original)) });
    },
    destroy: () => view.destroy(),
  };
}

/** Scrolls only the editor to a line and the message below it, unless they are in view. */
function bringIntoView(view: EditorView, line: number): void {
  const { from } = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
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

/** The range in which two texts differ, so that selection and undo history survive where possible. */
function changeTo(before: string, after: string): { from: number; to: number; insert: string } {
  let start = 0;
  const most = Math.min(before.length, after.length);
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
