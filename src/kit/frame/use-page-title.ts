import { useEffect } from 'react';

/** The title of the page. While another tab is open only the title is visible, so it also says that a run is waiting. */
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
