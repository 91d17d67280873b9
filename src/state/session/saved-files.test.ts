import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATALOG, fakeSession, settle } from '../../../test/fake-engine.ts';
import { memoryIdb } from '../../../test/memory-idb.ts';
import { decodeHash, encodeHash } from '../url.ts';
import { hasSavedFiles } from './has-saved-files.ts';
import { browserSavedFiles, createSavedFiles, type FilesBrowser, type OpenedFile } from './saved-files.ts';

/** A fake browser with one tab; creating saved files again simulates a reload. `tabs`: the open tabs. */
function fakeBrowser() {
  const items = new Map<string, string>();
  const storedFiles = new Map<string, OpenedFile>();
  const tabs = new Set<string>();
  const browser: FilesBrowser = {
    storage: () => ({
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    }),
    blobs: {
      get: async (key) => storedFiles.get(key),
      set: async (key, value) => void storedFiles.set(key, value),
      remove: async (keys) => keys.forEach((key) => storedFiles.delete(key)),
      keys: async () => [...storedFiles.keys()],
    },
    newTab: () => 'tab-1',
    lock: (tab) => void tabs.add(tab),
    locked: async () => new Set(tabs),
  };
  return { browser, storedFiles, tabs };
}

/** A file that claims to have this many bytes. */
function file(name: string, bytes = 1): File {
  return Object.defineProperty(new File(['x'], name), 'size', { value: bytes });
}

const openedFile = (name: string, bytes = 1): OpenedFile => ({ file: file(name, bytes), others: [] });

describe('saved files of a tab', () => {
  it('saved files of a tab are restored after a reload, with the files that an index names', async () => {
    const { browser } = fakeBrowser();
    const index = { file: file('a.index.json'), others: [file('a-1.safetensors')] };
    expect(hasSavedFiles(browser.storage)).toBe(false);
    await createSavedFiles(browser).keep(openedFile('own.mtx'));
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
        const { browser, storedFiles, tabs } = fakeBrowser();
        let expected: { readonly name: string; readonly bytes: number; readonly sum: number }[] = [];
        for (const step of steps) {
          const files = createSavedFiles(browser);
          if (step === null) {
            await files.forget();
            expected = [];
          } else {
            const { name, bytes, others: otherBytes } = step;
            // A file that is too large is not saved; the older file of its name is removed all the same.
            expected = [...expected.filter((entry) => entry.name !== name), { name, bytes, sum: bytes + otherBytes }];
            if (bytes + otherBytes > 256e6) expected.pop();
            while (expected.reduce((sum, entry) => sum + entry.sum, 0) > 256e6) expected.shift();
            const names = await files.keep({
              file: file(name, bytes),
              others: otherBytes > 0 ? [file('part', otherBytes)] : [],
            });
            expect([names, tabs]).toEqual([expected.map((entry) => entry.name), new Set(['tab-1'])]);
          }
          const summary = expected.map(({ name, bytes, sum }) => [name, bytes, sum - bytes]);
          const loaded = await createSavedFiles(browser).load();
          const loadedFiles = [...loaded].map(([name, storedFile]) => [
            name,
            storedFile.file.size,
            storedFile.others[0]?.size ?? 0,
          ]);
          expect(loadedFiles).toEqual(summary);
          expect(new Set(storedFiles.keys())).toEqual(new Set(expected.map(({ name }) => `tab-1 ${name}`)));
          expect(hasSavedFiles(browser.storage)).toBe(step !== null);
        }
      }),
    );
  });

  it('saved files of a tab include both files if one is opened before the previous one is stored', async () => {
    const { browser } = fakeBrowser();
    const { session } = fakeSession(undefined, undefined, undefined, undefined, async () => createSavedFiles(browser));
    await session.start();
    await Promise.all(['wide', 'nan'].map((name) => session.openFile(file(name))));
    await settle();
    expect([...(await createSavedFiles(browser).load()).keys()]).toEqual(['wide', 'nan']);
    expect(session.store.getState().savedFiles).toEqual(['wide', 'nan']);
  });

  it('saved files of a tab are deleted by another tab once their tab is closed, but not while it reloads', async () => {
    const { browser, storedFiles, tabs } = fakeBrowser();
    await createSavedFiles(browser).keep(openedFile('own.mtx'));
    const otherTab = createSavedFiles(browser);
    tabs.clear();
    await otherTab.tidy(async () => void tabs.add('tab-1'));
    expect(storedFiles.size).toBe(1);
    await otherTab.tidy(async () => tabs.clear());
    expect(storedFiles.size).toBe(1);
    await otherTab.tidy(async () => {});
    expect(storedFiles.size).toBe(0);
  });

  it('saved files of a tab are none if the stored data is invalid or storage is blocked', async () => {
    const { browser, storedFiles } = fakeBrowser();
    await createSavedFiles(browser).keep(openedFile('own.mtx'));
    const ownFile = file('own.mtx');
    const invalid = [
      undefined,
      null,
      7,
      {},
      { file: ownFile },
      { file: 'own.mtx', others: [] },
      { file: ownFile, others: [7] },
    ];
    for (const value of [...invalid, { file: ownFile, others: [ownFile, 7] }, { file: ownFile, others: ownFile }]) {
      storedFiles.set('tab-1 own.mtx', value as OpenedFile);
      expect([value, (await createSavedFiles(browser).load()).size]).toEqual([value, 0]);
    }
    const blockedStorage = (): never => {
      throw new DOMException('blocked', 'SecurityError');
    };
    expect(hasSavedFiles(blockedStorage)).toBe(false);
  });
});

/** A fake of a browser for all of its tabs, with the names of held locks, and a page of one of them. */
function fakeTabs() {
  const entries = new Map<string, unknown>();
  const locks: { readonly name?: string }[] = [{}, { name: 'of another page' }];
  const open = (tab: string, sessionItems = new Map<string, string>()) => {
    const sessionStorage = {
      getItem: (key: string) => sessionItems.get(key) ?? null,
      setItem: (key: string, value: string) => void sessionItems.set(key, value),
      removeItem: (key: string) => void sessionItems.delete(key),
    };
    const request = (name: string, options: LockOptions, hold: () => Promise<void> | undefined): void => {
      expect(options).toEqual({ mode: 'shared' });
      const lock = { name };
      locks.push(lock);
      void Promise.resolve(hold()).then(() => locks.splice(locks.indexOf(lock), 1));
    };
    const navigator = { locks: { request, query: async () => ({ held: locks }) } };
    const page = { sessionStorage, crypto: { randomUUID: () => tab }, navigator } as unknown as Window;
    // The fake database stores the files themselves: Node’s structured clone of a File is no File.
    return browserSavedFiles(
      page,
      memoryIdb(entries, (value) => value),
    );
  };
  return { entries, locks, open };
}

it('browserSavedFiles keeps the files of each tab, under the keys of earlier versions, until the tab is closed', async () => {
  const { entries, locks, open } = fakeTabs();
  const sessionItems = new Map<string, string>();
  await open('first', sessionItems).keep({ file: new File(['1'], 'a.mtx'), others: [] });
  await open('second').keep({ file: new File(['2'], 'a.mtx'), others: [] });
  expect([...entries.keys()]).toEqual(['first a.mtx', 'second a.mtx']);
  expect([...sessionItems]).toEqual([['sparsescope.files', '{"tab":"first","files":[{"name":"a.mtx","bytes":1}]}']]);
  expect(locks.map(({ name }) => name).slice(2)).toEqual(['sparsescope tab first', 'sparsescope tab second']);
  expect([...(await open('other', sessionItems).load()).keys()]).toEqual(['a.mtx']);
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
