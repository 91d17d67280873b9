import { lineNumbers } from '@codemirror/view';
import { useMemo } from 'react';
import { MODULE_BOUNDS } from '../../../../../core/bounds/bounds.ts';
import { CodeEditor } from '../../editor/CodeEditor.tsx';
import type { CodeKind, EditedFile } from '../../editor/code-view.ts';
import { completionList } from './completion-list.ts';
import { arraysIn } from './completions.ts';
import { moduleLanguage } from './module-language.ts';

/** The editor's support for modules: their arrays have colours, and completions are listed during typing. */
const MODULES: CodeKind = {
  names: (text) => [...arraysIn(text)].join(),
  language(text) {
    const arrays = arraysIn(text);
    return moduleLanguage((name) => arrays.get(name));
  },
  around: () => [lineNumbers(), completionList],
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
