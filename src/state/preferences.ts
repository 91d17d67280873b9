import { createStore, type StoreApi } from 'zustand/vanilla';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** What a person set for this browser, apart from any document. */
export interface PreferencesState {
  readonly theme: Theme;
}

/** The part of localStorage that is used; it may throw (blocked, full, private mode). */
export type PreferenceStorage = Pick<Storage, 'getItem' | 'setItem'>;

export interface Preferences {
  readonly store: StoreApi<PreferencesState>;
  setTheme(theme: Theme): void;
}

const THEME_KEY = 'sparsescope.theme';

/**
 * Preferences kept in `storage()`, which is asked for each time since already reading `window.localStorage` can throw.
 * Where storage fails the choice holds until the page is closed.
 */
export function createPreferences(storage: () => PreferenceStorage): Preferences {
  const store = createStore<PreferencesState>(() => ({ theme: readTheme(storage) }));
  return {
    store,
    setTheme(theme) {
      store.setState({ theme });
      try {
        storage().setItem(THEME_KEY, theme);
      } catch {
        // Blocked or full storage: the theme still applies to this page.
      }
    },
  };
}

function readTheme(storage: () => PreferenceStorage): Theme {
  try {
    const stored = storage().getItem(THEME_KEY);
    return THEMES.find((theme) => theme === stored) ?? 'system';
  } catch {
    return 'system';
  }
}
