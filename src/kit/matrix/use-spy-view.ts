import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import type { SpyView, SpyViewOptions } from '../../render/index.ts';

/**
 * A spy view inside the container, null until its code has loaded, shortly after the first picture, into space reserved
 * for it. `options` are read when it is created; later changes are passed to the view itself.
 */
export function useSpyView(container: RefObject<HTMLElement | null>, options: () => SpyViewOptions): SpyView | null {
  const [view, setView] = useState<SpyView | null>(null);
  const current = useEffectEvent(options);
  const failed = useEffectEvent((error: unknown) => options().onError?.(error));
  useEffect(() => {
    let created: SpyView | null = null;
    let gone = false;
    import('../../render/spy/spy-view.ts').then(
      (module) => {
        if (gone || !container.current) return;
        created = new module.SpyView(container.current, current());
        setView(created);
      },
      (error: unknown) => failed(error),
    );
    return () => {
      gone = true;
      created?.dispose();
      setView(null);
    };
  }, [container]);
  return view;
}
