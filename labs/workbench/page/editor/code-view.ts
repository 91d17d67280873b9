// Creates a CodeMirror editor in a shadow root, with the keys of the page.

import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLineGutter,
  type KeyBinding,
  keymap,
} from '@codemirror/view';
import type { CompileMessage } from '../service/drafts/draft-types.ts';
import { DIFF_BOUNDS } from './changed-lines.ts';
import { editorTheme } from './editor-theme.ts';
import { messageLines, withMessages } from './message-lines.ts';

/** Marks lines, from 1, instead of the previous ones. */
const setMarked = StateEffect.define<readonly number[]>();
const markedLine = Decoration.line({ class: 'cm-marked' });

/** Highlights the lines that `setMarked` sets. */
const markedLines: Extension = StateField.define<DecorationSet>({
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

/** A file in the editor. */
export interface EditedFile {
  readonly path: string;
  readonly code: string;
  readonly original: string;
  readonly messages: readonly CompileMessage[];
  /** line to scroll to, from 1; each object scrolls once, so that a line can be requested again */
  readonly scrollTo: { readonly line: number } | null;
  /** lines that ran in the current step of a format's story, from 1; the editor scrolls to them unless it has focus */
  readonly marked?: readonly number[];
  /** first and last line of the kernel's inner loop: marked, without scrolling; null if the loop is in another file */
  readonly loop?: readonly [first: number, last: number] | null;
  readonly readOnly?: boolean;
}

/** The extensions of the editor for one language, WGSL or JavaScript. */
export interface EditorSupport {
  /** The names in a text that get a separate colour: if they change, the highlighting is built again. */
  readonly coloredNames: (text: string) => string;
  readonly language: (text: string) => Extension;
  /** gutters, lists and other extensions of a file */
  readonly extensions: (file: EditedFile) => Extension;
}

/** Events of the editor, and the check of a text that the user enters. */
export interface CodeViewEvents {
  /** called when the user changes the current file */
  readonly onChange: (path: string, code: string) => void;
  /** whether a change may make the current file longer, with `code` as its text; if not, the change is dropped */
  readonly admits: (path: string, code: string) => boolean;
  readonly onRun?: () => void;
  readonly onSave: () => void;
  readonly onCompare?: () => void;
}

/** An editor for files of a kernel or a format: each keeps its selection and undo history while another is shown. */
export interface CodeView {
  show(file: EditedFile): void;
  /** Shows or hides the original's lines. */
  compare(isComparing: boolean): void;
  destroy(): void;
}

/**
 * Creates an editor in a shadow root: there its styles are adopted sheets, which the page's policy allows, unlike style
 * elements in the page's head.
 */
export function createCodeView(parent: ShadowRoot, support: EditorSupport, events: CodeViewEvents): CodeView {
  // Parts of the editor's configuration that change while it is open.
  const comparing = new Compartment();
  const language = new Compartment();
  const editing = new Compartment();
  /** states of files that are not visible now, by path: text, selection and undo history */
  const states = new Map<string, EditorState>();
  let visibleFile: EditedFile | null = null;
  let coloredNames = '';
  let isComparing = false;
  /** whether the page, and not the user, makes the current change */
  let isSetByPage = false;
  /** whether the user has requested a run from the editor, which then scrolls to the first error */
  let isRunRequested = false;

  const comparison = (original: string): Extension =>
    isComparing ? unifiedMergeView({ original, mergeControls: false, gutter: false, diffConfig: DIFF_BOUNDS }) : [];
  const languageOf = (text: string): Extension => {
    coloredNames = support.coloredNames(text);
    return support.language(text);
  };
  const newState = (file: EditedFile): EditorState =>
    EditorState.create({
      doc: file.code,
      extensions: [
        support.extensions(file),
        history(),
        drawSelection(),
        highlightActiveLineGutter(),
        bracketMatching(),
        highlightSelectionMatches(),
        indentUnit.of('  '),
        indentOnInput(),
        language.of(languageOf(file.code)),
        editing.of(editability(file)),
        messageLines,
        markedLines,
        editorTheme,
        comparing.of(comparison(file.original)),
        keysOf(events, () => {
          isRunRequested = true;
        }),
        // Drops a change of the user that would make the file too long.
        EditorState.transactionFilter.of((transaction) => {
          const { docChanged, newDoc, startState } = transaction;
          if (!docChanged || isSetByPage || newDoc.length <= startState.doc.length) return transaction;
          return events.admits(file.path, newDoc.toString()) ? transaction : [];
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isSetByPage) events.onChange(file.path, update.state.doc.toString());
        }),
      ],
    });

  const view = new EditorView({ parent, root: parent });
  /** Runs a change of the page, which is not reported as a change by the user. */
  const setByPage = (change: () => void): void => {
    isSetByPage = true;
    try {
      change();
    } finally {
      isSetByPage = false;
    }
  };
  return {
    show(file) {
      setByPage(() => {
        // Another file: restores its earlier state, or creates one.
        if (visibleFile?.path !== file.path) {
          if (visibleFile) states.set(visibleFile.path, view.state);
          const savedState = states.get(file.path);
          view.setState(savedState ?? newState(file));
          if (savedState) view.dispatch({ effects: comparing.reconfigure(comparison(file.original)) });
        }
        const { doc } = view.state;
        // The same file with another text, other array names, or another permission to edit.
        if (doc.toString() !== file.code) view.dispatch({ changes: changeTo(doc.toString(), file.code) });
        if (support.coloredNames(file.code) !== coloredNames) {
          view.dispatch({ effects: language.reconfigure(languageOf(file.code)) });
        }
        if (visibleFile?.path === file.path && visibleFile.readOnly !== file.readOnly) {
          view.dispatch({ effects: editing.reconfigure(editability(file)) });
        }
        if (visibleFile?.path !== file.path || visibleFile.messages !== file.messages) {
          view.dispatch(withMessages(view.state, file.messages));
          // Messages that arrive during typing, after every change, do not scroll the editor.
          const error = file.messages.find(({ severity }) => severity === 'error');
          if (error && !file.marked && (isRunRequested || !view.hasFocus)) bringIntoView(view, error.line);
          if (error) isRunRequested = false;
        }
        showMarked(view, file, visibleFile);
        const { scrollTo } = file;
        if (scrollTo !== null && (visibleFile?.path !== file.path || visibleFile.scrollTo !== scrollTo)) {
          const { from } = view.state.doc.line(Math.min(scrollTo.line, view.state.doc.lines));
          view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
        }
      });
      visibleFile = file;
    },
    compare(isOn) {
      isComparing = isOn;
      if (visibleFile) view.dispatch({ effects: comparing.reconfigure(comparison(visibleFile.original)) });
    },
    destroy: () => view.destroy(),
  };
}

/** Whether the file can be edited, with the label for screen readers. */
function editability({ path, readOnly = false }: EditedFile): Extension {
  return [
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({
      tabindex: '0',
      'aria-label': readOnly ? `${path}, to read` : `${path}: Escape, then Tab, leaves the editor`,
      ...(readOnly && { 'aria-readonly': 'true' }),
    }),
  ];
}

/** The key bindings of the editor, with those for running, saving and comparing. */
function keysOf({ onRun, onSave, onCompare }: CodeViewEvents, beforeRun: () => void): Extension {
  const handled = (event: () => void) => (): boolean => {
    event();
    return true;
  };
  const bindings: KeyBinding[] = [{ key: 'Mod-s', run: handled(onSave), preventDefault: true }];
  if (onRun) bindings.push({ key: 'Mod-Enter', run: handled(() => (beforeRun(), onRun())) });
  if (onCompare) bindings.push({ key: 'Mod-Shift-d', run: handled(onCompare), preventDefault: true });
  return keymap.of([...bindings, ...searchKeymap, ...historyKeymap, ...lintKeymap, indentWithTab, ...defaultKeymap]);
}

/** Marks the story's lines, and scrolls to them unless the editor has focus; without a story, marks the inner loop. */
function showMarked(view: EditorView, { path, marked, loop, code }: EditedFile, before: EditedFile | null): void {
  if (loop !== undefined && (before?.path !== path || before.code !== code)) {
    const [first, last] = loop ?? [1, 0];
    view.dispatch({ effects: setMarked.of(Array.from({ length: last - first + 1 }, (_, i) => first + i)) });
  }
  if (!marked || (before?.marked === marked && before.code === code)) return;
  view.dispatch({ effects: setMarked.of(marked) });
  if (!view.hasFocus && marked.length > 0 && before?.marked !== marked) bringIntoView(view, marked[0]);
}

/** Scrolls only the editor to a line and the message below it, unless they are visible. */
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

/**
 * A change from one text to another that replaces only the range in which they differ, so that the selection and the
 * undo history stay where possible.
 */
function changeTo(before: string, after: string): { from: number; to: number; insert: string } {
  let start = 0;
  const max = Math.min(before.length, after.length);
  while (start < max && before[start] === after[start]) start++;
  let end = 0;
  while (end < max - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
