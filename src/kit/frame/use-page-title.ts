import { useEffect } from 'react';

/** Sets the title of the browser tab. While the tab is hidden, the title reports that a running benchmark is paused. */
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
