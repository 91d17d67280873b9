import { useEffect, useEffectEvent, useRef } from 'react';
import {
  type EditorSupport,
  type CodeView,
  type CodeViewEvents,
  createCodeView,
  type EditedFile,
} from './code-view.ts';

export interface CodeEditorProps extends CodeViewEvents {
  readonly support: EditorSupport;
  readonly file: EditedFile;
  /** whether the lines of `file.original` that differ are displayed inline */
  readonly comparing?: boolean;
}

/** A code editor for the files of one draft, a changed kernel or format; another draft needs another `key`. */
export function CodeEditor({ support, file, comparing = false, onRun, onCompare, ...events }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<CodeView>(null);
  const change = useEffectEvent(events.onChange);
  const isSupported = useEffectEvent(events.admits);
  const run = useEffectEvent(() => onRun?.());
  const save = useEffectEvent(events.onSave);
  const compare = useEffectEvent(() => onCompare?.());
  const [runs, compares] = [onRun !== undefined, onCompare !== undefined];
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const created = createCodeView(root, support, {
      onChange: (path, code) => change(path, code),
      admits: (path, code) => isSupported(path, code),
      onSave: () => save(),
      ...(runs && { onRun: () => run() }),
      ...(compares && { onCompare: () => compare() }),
    });
    view.current = created;
    return () => {
      view.current = null;
      created.destroy();
    };
  }, [support, runs, compares]);
  useEffect(() => view.current?.show(file), [file, support]);
  useEffect(() => view.current?.compare(comparing), [comparing, support]);
  return <div ref={host} className="code-editor min-h-0 flex-1 border-t border-hairline" />;
}
