import { describe, expect, it } from 'vitest';
import { createPreferences, THEMES } from './preferences.ts';
import type { TextStorage } from './text-storage.ts';

function memoryStorage(entries: Record<string, string> = {}): TextStorage & { entries: Record<string, string> } {
  return {
    entries,
    getItem: (key) => entries[key] ?? null,
    setItem: (key, value) => {
      entries[key] = value;
    },
  };
}

describe('preferences', () => {
  it('follow the system until the user chooses, and keep the choice', () => {
    const storage = memoryStorage();
    const preferences = createPreferences(() => storage);
    expect(preferences.store.getState().theme).toBe('system');
    preferences.setTheme('dark');
    expect(createPreferences(() => storage).store.getState().theme).toBe('dark');
  });

  it('keep only valid origins of the stored ones, each once', () => {
    const stored = [
      'https://a.org',
      'https://a.org',
      'https://a.org/x',
      'a',
      '\u202e',
      7,
      'data:,x',
      'http://b.org:8080',
    ];
    const storage = memoryStorage({ 'sparsescope.origins': JSON.stringify(stored) });
    const { origins } = createPreferences(() => storage).store.getState();
    expect(origins).toEqual(['https://a.org', 'http://b.org:8080']);
  });

  it('preferences are read back as chosen, and stay under the keys of earlier versions', () => {
    for (const theme of THEMES) {
      const storage = memoryStorage({ 'sparsescope.theme': 'sepia', other: 'x' });
      const first = createPreferences(() => storage);
      first.setTheme(theme);
      first.origins.agree('https://a.org');
      first.origins.agree('https://a.org');
      first.origins.agree('http://b.org:8080');
      const again = createPreferences(() => storage).store.getState();
      expect([again, first.store.getState()]).toEqual([
        { theme, origins: ['https://a.org', 'http://b.org:8080'] },
        { theme, origins: ['https://a.org', 'http://b.org:8080'] },
      ]);
      expect(storage.entries).toEqual({
        other: 'x',
        'sparsescope.theme': theme,
        'sparsescope.origins': '["https://a.org","http://b.org:8080"]',
      });
    }
  });

  it('ignore a stored theme that does not exist', () => {
    const storage = memoryStorage({ 'sparsescope.theme': 'sepia' });
    expect(createPreferences(() => storage).store.getState().theme).toBe('system');
  });

  it('keep the origins that links may open until they are forgotten', () => {
    const storage = memoryStorage();
    const { origins, forgetOrigin } = createPreferences(() => storage);
    expect(origins.has('https://a.org')).toBe(false);
    for (const origin of ['https://a.org', 'https://b.org', 'https://a.org']) origins.agree(origin);
    const again = createPreferences(() => storage);
    expect(again.store.getState().origins).toEqual(['https://a.org', 'https://b.org']);
    forgetOrigin('https://a.org');
    expect(origins.has('https://a.org')).toBe(false);
    expect(createPreferences(() => storage).store.getState().origins).toEqual(['https://b.org']);
  });

  it('neither bring back an origin that another tab forgot, nor drop one that it agreed to', () => {
    const storage = memoryStorage({ 'sparsescope.origins': '["https://a.org"]' });
    const [tab, other] = [createPreferences(() => storage), createPreferences(() => storage)];
    other.forgetOrigin('https://a.org');
    expect(tab.origins.has('https://a.org')).toBe(false);
    tab.origins.agree('https://b.org');
    other.origins.agree('https://c.org');
    expect(createPreferences(() => storage).store.getState().origins).toEqual(['https://b.org', 'https://c.org']);
  });

  it('agree to no origin where something else is stored', () => {
    for (const text of ['{', '7', '{"a":1}', 'null', '[[], 7, null]']) {
      const preferences = createPreferences(() => memoryStorage({ 'sparsescope.origins': text }));
      expect(preferences.store.getState().origins).toEqual([]);
    }
  });

  it('last for the page where storage is blocked or full', () => {
    const blocked = createPreferences(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    blocked.setTheme('light');
    for (const origin of ['https://a.org', 'https://b.org', 'https://a.org']) blocked.origins.agree(origin);
    blocked.forgetOrigin('https://b.org');
    expect(blocked.store.getState()).toEqual({ theme: 'light', origins: ['https://a.org'] });
    expect(['https://a.org', 'https://b.org'].map(blocked.origins.has)).toEqual([true, false]);

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
