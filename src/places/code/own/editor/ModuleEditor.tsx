import { useEffect, useEffectEvent, useRef } from 'react';
import { createModuleView, type ModuleEvents, type ModuleShown, type ModuleView } from './module-view.ts';

/** The editor of one module; another module needs another `key`. */
export function ModuleEditor({ shown, onChange, onKeep }: ModuleEvents & { readonly shown: ModuleShown }) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<ModuleView>(null);
  const change = useEffectEvent(onChange);
  const keep = useEffectEvent(onKeep);
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const made = createModuleView(root, { onChange: (text) => change(text), onKeep: () => keep() });
    view.current = made;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, []);
  useEffect(() => view.current?.show(shown), [shown]);
  return <div ref={host} className="code-editor own-editor" />;
}
