import { useEffect, useEffectEvent, useRef } from 'react';
import { type CodeKind, type CodeView, type CodeViewEvents, createCodeView, type EditedFile } from './code-view.ts';

export interface CodeEditorProps extends CodeViewEvents {
  readonly kind: CodeKind;
  readonly file: EditedFile;
  /** shows the original's lines in place */
  readonly comparing?: boolean;
}

/** The editor of one draft; another draft needs another `key`. */
export function CodeEditor({ kind, file, comparing = false, onRun, onCompare, ...events }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<CodeView>(null);
  const change = useEffectEvent(events.onChange);
  const isAdmitted = useEffectEvent(events.admits);
  const run = useEffectEvent(() => onRun?.());
  const save = useEffectEvent(events.onSave);
  const compare = useEffectEvent(() => onCompare?.());
  const [runs, compares] = [onRun !== undefined, onCompare !== undefined];
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const made = createCodeView(root, kind, {
      onChange: (path, code) => change(path, code),
      admits: (path, code) => isAdmitted(path, code),
      onSave: () => save(),
      ...(runs && { onRun: () => run() }),
      ...(compares && { onCompare: () => compare() }),
    });
    view.current = made;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, [kind, runs, compares]);
  useEffect(() => view.current?.show(file), [file, kind]);
  useEffect(() => view.current?.compare(comparing), [comparing, kind]);
  return <div ref={host} className="code-editor min-h-0 grow line-above" />;
}
