import { lintGutter } from '@codemirror/lint';
import { Text } from '@codemirror/state';
import { highlightActiveLine, lineNumbers } from '@codemirror/view';
import { useMemo } from 'react';
import type { ByteClass } from '../../../core/encoded/ledger.ts';
import { changedLines } from './changed-lines.ts';
import { CodeEditor, type CodeEditorProps } from './CodeEditor.tsx';
import type { CodeKind } from './code-view.ts';
import { wgsl } from './wgsl-language.ts';

export interface KernelEditorProps extends Omit<CodeEditorProps, 'kind'> {
  /** byte class of a buffer, by its name */
  readonly buffers: ReadonlyMap<string, ByteClass>;
}

/** The editor of one kernel in WGSL; another kernel needs another `key`. */
export function KernelEditor({ buffers, ...props }: KernelEditorProps) {
  const kind = useMemo(
    (): CodeKind => ({
      names: () => '',
      language: () => wgsl(buffers),
      around: ({ original }) => [
        lintGutter(),
        lineNumbers(),
        changedLines(Text.of(original.split('\n'))),
        highlightActiveLine(),
      ],
    }),
    [buffers],
  );
  return <CodeEditor kind={kind} {...props} />;
}
