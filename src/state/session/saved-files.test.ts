import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATALOG, fakeSession, settle } from '../../../test/fake-engine.ts';
import { memoryIdb } from '../../../test/memory-idb.ts';
import { decodeHash, encodeHash } from '../url.ts';
import { hasSavedFiles } from './has-saved-files.ts';
import { browserSavedFiles, createSavedFiles, type FilesBrowser, type OpenedFile } from './saved-files.ts';

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

  it('saved files of a tab are the newest ones, up to 256 MB in total, after any files that were opened', async () => {
    const anyFile = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      bytes: fc.constantFrom(1, 100e6, 156e6, 256e6, 256e6 + 1),
      others: fc.constantFrom(0, 1, 156e6),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(anyFile, { freq: 10 }), { maxLength: 10 }), async (steps) => {
        const { browser, kept, tabs } = fakeBrowser();
        let expected: { readonly name: string; readonly bytes: number; readonly sum: number }[] = [];
        for (const step of steps) {
          const files = createSavedFiles(browser);
          if (step === null) {
            await files.forget();
            expected = [];
          } else {
            const { name, bytes, others } = step;
            // A file that is too large replaces the older one of its name all the same, which is another file.
            expected = [...expected.filter((one) => one.name !== name), { name, bytes, sum: bytes + others }];
            if (bytes + others > 256e6) expected.pop();
            while (expected.reduce((sum, one) => sum + one.sum, 0) > 256e6) expected.shift();
            const names = await files.keep({
              file: file(name, bytes),
              others: others > 0 ? [file('part', others)] : [],
            });
            expect([names, tabs]).toEqual([expected.map((one) => one.name), new Set(['tab-1'])]);
          }
          const summary = expected.map(({ name, bytes, sum }) => [name, bytes, sum - bytes]);
          const loaded = await createSavedFiles(browser).load();
          const found = [...loaded].map(([name, opened]) => [name, opened.file.size, opened.others[0]?.size ?? 0]);
          expect(found).toEqual(summary);
          expect(new Set(kept.keys())).toEqual(new Set(expected.map(({ name }) => `tab-1 ${name}`)));
          expect(hasSavedFiles(browser.storage)).toBe(step !== null);
        }
      }),
    );
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
    const own = file('own.mtx');
    const invalid = [
      undefined,
      null,
      7,
      {},
      { file: own },
      { file: 'own.mtx', others: [] },
      { file: own, others: [7] },
    ];
    for (const value of [...invalid, { file: own, others: [own, 7] }, { file: own, others: own }]) {
      kept.set('tab-1 own.mtx', value as OpenedFile);
      expect([value, (await createSavedFiles(browser).load()).size]).toEqual([value, 0]);
    }
    const blocked = (): never => {
      throw new DOMException('blocked', 'SecurityError');
    };
    expect(hasSavedFiles(blocked)).toBe(false);
  });
});

/** A fake of a browser for all of its tabs, with the names of held locks, and a page of one of them. */
function fakeTabs() {
  const entries = new Map<string, unknown>();
  const locks: { readonly name?: string }[] = [{}, { name: 'of another page' }];
  const open = (tab: string, stored = new Map<string, string>()) => {
    const sessionStorage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    };
    const request = (name: string, options: LockOptions, hold: () => Promise<void> | undefined): void => {
      expect(options).toEqual({ mode: 'shared' });
      const lock = { name };
      locks.push(lock);
      void Promise.resolve(hold()).then(() => locks.splice(locks.indexOf(lock), 1));
    };
    const navigator = { locks: { request, query: async () => ({ held: locks }) } };
    const page = { sessionStorage, crypto: { randomUUID: () => tab }, navigator } as unknown as Window;
    // Node’s copy of a file is none.
    return browserSavedFiles(
      page,
      memoryIdb(entries, (value) => value),
    );
  };
  return { entries, locks, open };
}

it('browserSavedFiles keeps the files of each tab, under the keys of earlier versions, until the tab is closed', async () => {
  const { entries, locks, open } = fakeTabs();
  const stored = new Map<string, string>();
  await open('first', stored).keep({ file: new File(['1'], 'a.mtx'), others: [] });
  await open('second').keep({ file: new File(['2'], 'a.mtx'), others: [] });
  expect([...entries.keys()]).toEqual(['first a.mtx', 'second a.mtx']);
  expect([...stored]).toEqual([['sparsescope.files', '{"tab":"first","files":[{"name":"a.mtx","bytes":1}]}']]);
  expect(locks.map(({ name }) => name).slice(2)).toEqual(['sparsescope tab first', 'sparsescope tab second']);
  expect([...(await open('other', stored).load()).keys()]).toEqual(['a.mtx']);
  entries.set(7 as unknown as string, 'of another page');
  await open('third').tidy(async () => {});
  expect(entries.size).toBe(3);
  locks.splice(0, locks.length, { name: 'sparsescope tab second' });
  await open('third').tidy(async () => {});
  expect([...entries.keys()]).toEqual(['second a.mtx', 7]);
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
