import { describe, expect, it } from 'vitest';
import { createPreferences, type PreferenceStorage } from './preferences.ts';

function memoryStorage(entries: Record<string, string> = {}): PreferenceStorage & { entries: Record<string, string> } {
  return {
    entries,
    getItem: (key) => entries[key] ?? null,
    setItem: (key, value) => {
      entries[key] = value;
    },
  };
}

describe('preferences', () => {
  it('follow the system until a person chooses, and keep the choice', () => {
    const storage = memoryStorage();
    const preferences = createPreferences(() => storage);
    expect(preferences.store.getState().theme).toBe('system');
    preferences.setTheme('dark');
    expect(createPreferences(() => storage).store.getState().theme).toBe('dark');
  });

  it('ignore a stored theme that does not exist', () => {
    const storage = memoryStorage({ 'sparsescope.theme': 'sepia' });
    expect(createPreferences(() => storage).store.getState().theme).toBe('system');
  });

  it('hold for the page where storage is blocked or full', () => {
    const blocked = createPreferences(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    blocked.setTheme('light');
    expect(blocked.store.getState().theme).toBe('light');

    const full = createPreferences(() => ({
      getItem: () => null,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    }));
    full.setTheme('dark');
    expect(full.store.getState().theme).toBe('dark');
  });
});
