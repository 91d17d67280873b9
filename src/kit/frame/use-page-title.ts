import { useEffect } from 'react';

/** The title of the page; behind another tab it is all that can be seen, and says that a run waits. */
export function usePageTitle(title: string, isRunning: boolean): void {
  useEffect(() => {
    const show = (): void => {
      document.title = isRunning && document.hidden ? `Paused while hidden · ${title}` : title;
    };
    show();
    document.addEventListener('visibilitychange', show);
    return () => document.removeEventListener('visibilitychange', show);
  }, [title, isRunning]);
}
