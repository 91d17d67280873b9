import fc from 'fast-check';
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
  it('follow the system until the user chooses one of the themes', () => {
    for (const stored of [{}, { 'sparsescope.theme': 'sepia' }, { 'sparsescope.theme': '' }])
      expect(createPreferences(() => memoryStorage(stored)).store.getState().theme).toBe('system');
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

  it('keep the origins that the user agreed to and did not forget, in any tab', () => {
    const anyStep = fc.record({
      tab: fc.nat({ max: 1 }),
      forgets: fc.boolean(),
      origin: fc.constantFrom('https://a.org', 'https://b.org', 'http://c.org:8080'),
    });
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 12 }), (steps) => {
        const storage = memoryStorage();
        const tabs = [createPreferences(() => storage), createPreferences(() => storage)];
        let agreed: readonly string[] = [];
        for (const { tab, forgets, origin } of steps) {
          const page = tabs[tab];
          if (forgets) page.forgetOrigin(origin);
          else page.origins.agree(origin);
          if (forgets) agreed = agreed.filter((other) => other !== origin);
          else if (!agreed.includes(origin)) agreed = [...agreed, origin];
          for (const { origins } of tabs) expect(origins.has(origin)).toBe(!forgets);
          expect(createPreferences(() => storage).store.getState().origins).toEqual(agreed);
        }
      }),
    );
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
