import { describe, expect, it } from 'vitest';
import { CATALOG, fakeSession, settle } from '../../../test/fake-engine.ts';
import { decodeHash, encodeHash } from '../url.ts';
import { hasSavedFiles } from './has-saved-files.ts';
import { createSavedFiles, type FilesBrowser, type OpenedFile } from './saved-files.ts';

/** A fake browser with one tab; creating saved files again simulates a reload. `kept`: stored files; `tabs`: open tabs. */
function fakeBrowser() {
  const items = new Map<string, string>();
  const kept = new Map<string, OpenedFile>();
  const tabs = new Set<string>();
  const browser: FilesBrowser = {
    storage: () => ({
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    }),
    blobs: {
      get: async (key) => kept.get(key),
      set: async (key, value) => void kept.set(key, value),
      remove: async (keys) => keys.forEach((key) => kept.delete(key)),
      keys: async () => [...kept.keys()],
    },
    newTab: () => 'tab-1',
    lock: (tab) => void tabs.add(tab),
    locked: async () => new Set(tabs),
  };
  return { browser, kept, tabs };
}

/** A file that claims to have this many bytes. */
function file(name: string, bytes = 1): File {
  return Object.defineProperty(new File(['x'], name), 'size', { value: bytes });
}

const opened = (name: string, bytes = 1): OpenedFile => ({ file: file(name, bytes), others: [] });

describe('saved files of a tab', () => {
  it('saved files of a tab are restored after a reload, with the files that an index names', async () => {
    const { browser } = fakeBrowser();
    const index = { file: file('a.index.json'), others: [file('a-1.safetensors')] };
    expect(hasSavedFiles(browser.storage)).toBe(false);
    await createSavedFiles(browser).keep(opened('own.mtx'));
    expect(await createSavedFiles(browser).keep(index)).toEqual(['own.mtx', 'a.index.json']);
    expect(hasSavedFiles(browser.storage)).toBe(true);
    const loaded = await createSavedFiles(browser).load();
    expect([...loaded.keys()]).toEqual(['own.mtx', 'a.index.json']);
    expect(loaded.get('a.index.json')?.others.map(({ name }) => name)).toEqual(['a-1.safetensors']);
  });

  it('saved files of a tab are the newest ones, up to 256 MB in total', async () => {
    const { browser, kept } = fakeBrowser();
    const files = createSavedFiles(browser);
    await files.keep(opened('old.mtx', 100e6));
    await files.keep(opened('exact.mtx', 156e6));
    expect([...kept.keys()]).toEqual(['tab-1 old.mtx', 'tab-1 exact.mtx']);
    expect(await files.keep(opened('new.mtx', 1))).toEqual(['exact.mtx', 'new.mtx']);
    expect([...kept.keys()]).toEqual(['tab-1 exact.mtx', 'tab-1 new.mtx']);
    // A second file with the same name is too large to be saved; the first one must not be restored in its place.
    expect(await files.keep(opened('new.mtx', 256e6 + 1))).toEqual(['exact.mtx']);
    expect([...kept.keys()]).toEqual(['tab-1 exact.mtx']);
    expect(await files.keep(opened('exact.mtx', 2))).toEqual(['exact.mtx']);
    expect(kept.get('tab-1 exact.mtx')?.file.size).toBe(2);
  });

  it('include both files if one is opened before the previous one is stored', async () => {
    const { browser } = fakeBrowser();
    const { session } = fakeSession(undefined, undefined, undefined, undefined, async () => createSavedFiles(browser));
    await session.start();
    await Promise.all(['wide', 'nan'].map((name) => session.openFile(file(name))));
    await settle();
    expect([...(await createSavedFiles(browser).load()).keys()]).toEqual(['wide', 'nan']);
    expect(session.store.getState().savedFiles).toEqual(['wide', 'nan']);
  });

  it('saved files of a tab are deleted by forget', async () => {
    const { browser, kept } = fakeBrowser();
    await createSavedFiles(browser).keep(opened('own.mtx'));
    await createSavedFiles(browser).forget();
    expect([kept.size, hasSavedFiles(browser.storage)]).toEqual([0, false]);
  });

  it('saved files of a tab are deleted by another tab once their tab is closed, but not while it reloads', async () => {
    const { browser, kept, tabs } = fakeBrowser();
    await createSavedFiles(browser).keep(opened('own.mtx'));
    const other = createSavedFiles(browser);
    tabs.clear();
    await other.tidy(async () => void tabs.add('tab-1'));
    expect(kept.size).toBe(1);
    await other.tidy(async () => tabs.clear());
    expect(kept.size).toBe(1);
    await other.tidy(async () => {});
    expect(kept.size).toBe(0);
  });

  it('saved files of a tab are none if the stored data is invalid or storage is blocked', async () => {
    const { browser, kept } = fakeBrowser();
    await createSavedFiles(browser).keep(opened('own.mtx'));
    kept.set('tab-1 own.mtx', { file: 'own.mtx' } as unknown as OpenedFile);
    expect((await createSavedFiles(browser).load()).size).toBe(0);
    const blocked = (): never => {
      throw new DOMException('blocked', 'SecurityError');
    };
    expect(hasSavedFiles(blocked)).toBe(false);
  });
});

describe('an address with a file that is not open', () => {
  it('an address with a file that is not open is restored completely once the user opens a file of this name', async () => {
    const { session, document } = fakeSession();
    await session.start();
    const doc = document.getState();
    const window = { row: 1, col: 2, rows: 3, cols: 4 };
    const source = { kind: 'file', name: 'wide' } as const;
    const hash = encodeHash({ ...doc, source, window, view: 'measure' }, CATALOG);
    const { notOpenFile, problems } = decodeHash(hash, CATALOG);
    expect(notOpenFile).toEqual({
      name: 'wide',
      problem: 'This link was made for a file on another computer (wide). You see an example instead.',
    });
    expect(decodeHash(hash, CATALOG, new Set(['wide'])).notOpenFile).toBeUndefined();
    session.store.setState({ problems, notOpenFile: notOpenFile ? { ...notOpenFile, hash } : null });
    await session.openFile(new File(['x'], 'diagonal'));
    expect(document.getState()).toMatchObject({ view: 'watch', source: { name: 'diagonal' } });
    session.store.setState({ problems, notOpenFile: notOpenFile ? { ...notOpenFile, hash } : null });
    await session.openFile(new File(['x'], 'wide'));
    await settle();
    expect(document.getState()).toMatchObject({ view: 'measure', source, window });
    expect(session.store.getState().problems).toEqual([]);
  });
});
