// The editor of a kernel's WGSL.

import { lintGutter } from '@codemirror/lint';
import { Text } from '@codemirror/state';
import { highlightActiveLine, lineNumbers } from '@codemirror/view';
import { useMemo } from 'react';
import type { ByteClass } from '../../../../src/core/encoded/ledger.ts';
import { changedLines } from './changed-lines.ts';
import { CodeEditor, type CodeEditorProps } from './CodeEditor.tsx';
import type { EditorSupport } from './code-view.ts';
import type { LanguageSupport } from '@codemirror/language';
import { bracketLanguage } from './bracket-language.ts';
import { KEYWORDS } from '../../../../src/pages/code/wgsl-tokens.ts';

/** Types and address spaces that WGSL predeclares. */
const TYPES =
  /^(?:bool|[fiu](?:16|32)|vec[234][fiuh]?|mat[234]x[234][fh]?|array|atomic|ptr|function|private|workgroup|uniform|storage|read|write|read_write)$/;

/** WGSL in the editor: indentation, and highlighting in which buffers have the colour of their byte class. */
export function wgslLanguage(buffers: ReadonlyMap<string, ByteClass>): LanguageSupport {
  return bracketLanguage({
    name: 'wgsl',
    token(stream, state) {
      // Block comments nest: `inside` is their depth.
      if (state.inside > 0 || stream.match('/*')) {
        state.inside ||= 1;
        while (state.inside > 0 && !stream.eol()) {
          if (stream.match('/*')) state.inside++;
          else if (stream.match('*/')) state.inside--;
          else stream.next();
        }
        return 'comment';
      }
      if (stream.match(/^@\w+/)) return 'meta';
      return stream.match(/^(?:0[xX][\da-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)[fhiu]?/) ? 'number' : undefined;
    },
    word: /^[A-Za-z_]\w*/,
    kindOf(name) {
      if (KEYWORDS.has(name)) return 'keyword';
      return TYPES.test(name) ? 'typeName' : (buffers.get(name) ?? 'variableName');
    },
  });
}

export interface KernelEditorProps extends Omit<CodeEditorProps, 'support'> {
  /** byte class of a buffer, by its name */
  readonly buffers: ReadonlyMap<string, ByteClass>;
}

/** The code editor for a kernel in WGSL; another kernel needs another `key`. */
export function KernelEditor({ buffers, ...props }: KernelEditorProps) {
  const support = useMemo(
    (): EditorSupport => ({
      coloredNames: () => '',
      language: () => wgslLanguage(buffers),
      extensions: ({ original }) => [
        lintGutter(),
        lineNumbers(),
        changedLines(Text.of(original.split('\n'))),
        highlightActiveLine(),
      ],
    }),
    [buffers],
  );
  return <CodeEditor support={support} {...props} />;
}
