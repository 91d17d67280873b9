import { createContext, useContext } from 'react';
import type { Theme } from '../../render/theme.ts';

/** What belongs to the page as a whole: dialogs, files, the clipboard, the colours. */
export interface ShellActions {
  readonly theme: Theme;
  readonly openFile: () => void;
  readonly openChooser: () => void;
  readonly openPalette: () => void;
  readonly openShortcuts: () => void;
  readonly share: () => void;
  readonly runBench: () => void;
  readonly exportScene: (kind: 'svg' | 'png') => void;
}

export const ShellContext = createContext<ShellActions | null>(null);

/** The page's actions. Throws Error outside of the page. */
export function useShell(): ShellActions {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error('useShell: found no page, expected a component below ShellContext');
  return shell;
}
