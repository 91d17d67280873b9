import { useEffect, useEffectEvent, useRef } from 'react';
import type { ByteClass } from '../../../core/encoded/ledger.ts';
import { type CodeView, createCodeView, type EditedFile } from './code-view.ts';

export interface CodeEditorProps {
  readonly file: EditedFile;
  /** byte class of a buffer, by its name */
  readonly buffers: ReadonlyMap<string, ByteClass>;
  /** shows the original's lines in place */
  readonly comparing: boolean;
  readonly onChange: (path: string, code: string) => void;
  /** whether a file may have this text */
  readonly admits: (path: string, code: string) => boolean;
  readonly onRun: () => void;
  readonly onSave: () => void;
  readonly onCompare: () => void;
}

/** The editor of one draft; another draft needs another `key`. */
export function CodeEditor({ file, buffers, comparing, onChange, admits, onRun, onSave, onCompare }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<CodeView>(null);
  const change = useEffectEvent(onChange);
  const isAdmitted = useEffectEvent(admits);
  const run = useEffectEvent(onRun);
  const save = useEffectEvent(onSave);
  const compare = useEffectEvent(onCompare);
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const made = createCodeView(root, buffers, {
      onChange: (path, code) => change(path, code),
      admits: (path, code) => isAdmitted(path, code),
      onRun: () => run(),
      onSave: () => save(),
      onCompare: () => compare(),
    });
    view.current = made;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, [buffers]);
  useEffect(() => view.current?.show(file), [file, buffers]);
  useEffect(() => view.current?.compare(comparing), [comparing, buffers]);
  return <div ref={host} className="code-editor" />;
}
