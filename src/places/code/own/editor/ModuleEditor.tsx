import { EditorView, lineNumbers } from '@codemirror/view';
import { useMemo } from 'react';
import { MODULE_BOUNDS } from '../../../../core/bounds/bounds.ts';
import { CodeEditor } from '../../editor/CodeEditor.tsx';
import type { CodeKind, EditedFile } from '../../editor/code-view.ts';
import { completionList } from './completion-list.ts';
import { arraysIn } from './completions.ts';
import { moduleLanguage } from './module-language.ts';

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

/** Modules of formats: their arrays have colours, and what can be written is listed while one types. */
const MODULES: CodeKind = {
  names: (text) => [...arraysIn(text)].join(),
  language(text) {
    const arrays = arraysIn(text);
    return moduleLanguage((name) => arrays.get(name));
  },
  around: () => [lineNumbers(), completionList, theme],
};

/** What the editor shows. */
export interface ModuleShown {
  readonly text: string;
  readonly messages: readonly { readonly text: string; readonly line: number }[];
  /** lines of the step on the stage, from 1 */
  readonly marked: readonly number[];
  readonly readOnly: boolean;
}

interface ModuleEditorProps {
  readonly shown: ModuleShown;
  readonly onChange: (text: string) => void;
  /** somebody wants the text to be kept as a version */
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
