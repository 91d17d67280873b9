import { createStore } from 'zustand/vanilla';
import { storedText, storeText, type TextStorage } from './text-storage.ts';

/** The colour schemes to choose from; system: the operating system's. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

interface PreferencesState {
  readonly theme: Theme;
  /** the origins from which the user allowed links to load matrices, the newest last */
  readonly origins: readonly string[];
}

const THEME_KEY = 'sparsescope.theme';
const ORIGINS_KEY = 'sparsescope.origins';

export type Preferences = ReturnType<typeof createPreferences>;

/** The user's theme and allowed origins, kept in `storage()`; if storage is blocked, until the page is closed. */
export function createPreferences(storage: () => TextStorage) {
  const storedTheme = storedText(storage, THEME_KEY);
  const store = createStore<PreferencesState>(() => ({
    theme: THEMES.find((theme) => theme === storedTheme) ?? 'system',
    origins: originsIn(storedText(storage, ORIGINS_KEY)),
  }));
  /** The stored origins, which another tab may have changed; if storage is blocked, the origins of this tab. */
  const currentOrigins = (): readonly string[] => {
    const text = storedText(storage, ORIGINS_KEY);
    return text === null ? store.getState().origins : originsIn(text);
  };
  const setOrigins = (origins: readonly string[]): void => {
    store.setState({ origins });
    storeText(storage, ORIGINS_KEY, JSON.stringify(origins));
  };
  return {
    store,
    origins: {
      has: (origin: string) => currentOrigins().includes(origin),
      agree(origin: string) {
        const origins = currentOrigins();
        if (!origins.includes(origin)) setOrigins([...origins, origin]);
      },
    },
    setTheme(theme: Theme) {
      store.setState({ theme });
      storeText(storage, THEME_KEY, theme);
    },
    forgetOrigin(origin: string) {
      setOrigins(currentOrigins().filter((other) => other !== origin));
    },
  };
}

function originsIn(text: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? [...new Set(value.filter(isOrigin))] : [];
  } catch {
    return [];
  }
}

function isOrigin(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value;
}
