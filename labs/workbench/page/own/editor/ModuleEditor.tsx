// The editor of a custom format's JavaScript.

import { lineNumbers } from '@codemirror/view';
import { useMemo } from 'react';
import { MODULE_BOUNDS } from '../../../theory/bounds.ts';
import { CodeEditor } from '../../editor/CodeEditor.tsx';
import type { EditorSupport, EditedFile } from '../../editor/code-view.ts';
import { completionList } from './completion-list.ts';
import { arraysIn } from './completions.ts';
import type { LanguageSupport } from '@codemirror/language';
import type { ArrayClass } from '../../../../../src/core/declared/element-type.ts';
import { bracketLanguage } from '../../editor/bracket-language.ts';

const KEYWORDS = new Set(
  'export const let var function return for of in if else while do break continue switch case default new typeof null undefined true false class throw try catch finally async await yield'.split(
    ' ',
  ),
);

/** Tokenizer states: inside a comment, inside a template string. */
const COMMENT = 1;
const TEMPLATE = 2;

/** JavaScript for the editor of a format's module: highlighting, with arrays coloured by what their bytes are for. */
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

/** Editor support for a format's JavaScript module: names of its arrays in colour, and completions. */
const MODULE_SUPPORT: EditorSupport = {
  coloredNames: (text) => [...arraysIn(text)].join(),
  language(text) {
    const arrays = arraysIn(text);
    return moduleLanguage((name) => arrays.get(name));
  },
  extensions: () => [lineNumbers(), completionList],
};

/** The text of a format's module that the editor shows, with messages about its lines. */
export interface EditorContent {
  readonly text: string;
  readonly messages: readonly { readonly text: string; readonly line: number }[];
  /** lines that run in the story's current step, from 1 */
  readonly marked: readonly number[];
  readonly readOnly: boolean;
}

interface ModuleEditorProps {
  readonly content: EditorContent;
  readonly onChange: (text: string) => void;
  /** called when the text is to be stored as a version */
  readonly onSave: () => void;
}

/** The code editor for the JavaScript module of a custom format. For another module, give it another React key. */
export function ModuleEditor({ content, onChange, onSave }: ModuleEditorProps) {
  const { text, marked, readOnly } = content;
  const messages = useMemo(
    () =>
      content.messages.map((message) => ({ ...message, severity: 'error', file: null, column: 0, length: 0 }) as const),
    [content.messages],
  );
  const file = useMemo(
    (): EditedFile => ({ path: 'The module', code: text, original: text, messages, scrollTo: null, marked, readOnly }),
    [text, messages, marked, readOnly],
  );
  return (
    <CodeEditor
      support={MODULE_SUPPORT}
      file={file}
      onChange={(_, next) => onChange(next)}
      admits={(_, next) => next.length <= MODULE_BOUNDS.length}
      onSave={onSave}
    />
  );
}
