import { useLayoutEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { formats } from '../../formats/catalog.ts';
import { cssVariables, DARK, LIGHT, type Theme, withFormats } from '../../render/index.ts';
import type { Preferences } from '../../state/index.ts';
import { accentOf } from '../format-color.ts';
import { useMedia } from './use-media.ts';

/** Both themes with the colours of every format. */
export const THEMES: Readonly<Record<Theme['name'], Theme>> = {
  light: withFormats(LIGHT, formats),
  dark: withFormats(DARK, formats),
};

/** The current colours, by the person's choice or else the system's. */
export function useTheme(preferences: Preferences): Theme {
  const choice = useStore(preferences.store, (state) => state.theme);
  const systemIsDark = useMedia('(prefers-color-scheme: dark)');
  const name = choice === 'system' ? (systemIsDark ? 'dark' : 'light') : choice;
  return THEMES[name];
}

/** Puts the theme, and the colour of a format as the accent, on the root element. */
export function useThemeOnRoot(theme: Theme, format: string): void {
  const variables = useMemo(() => cssVariables(theme), [theme]);
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.dataset.theme = theme.name;
    for (const [name, value] of Object.entries(variables)) root.style.setProperty(name, value);
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      meta.setAttribute('content', theme.ground);
    }
  }, [theme, variables]);
  useLayoutEffect(() => {
    const root = document.documentElement;
    for (const [name, value] of Object.entries(accentOf(format))) root.style.setProperty(name, value);
  }, [format]);
}
