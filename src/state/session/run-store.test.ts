import fc from 'fast-check';
import type { UseStore } from 'idb-keyval';
import { beforeEach, describe, expect, it } from 'vitest';
import { browserRunStore, type SavedRun, type TabStorage } from './run-store.ts';

/** The entries of the store, as the browser keeps them: copies. */
const kept = new Map<string, unknown>();

/** A request of IndexedDB that succeeds at once, or a transaction that is complete. */
const done = (result?: unknown): object => ({
  result,
  set onsuccess(listen: () => void) {
    queueMicrotask(listen);
  },
  set oncomplete(listen: () => void) {
    queueMicrotask(listen);
  },
});

/** The part of an object store of IndexedDB that `idb-keyval` uses, over `kept`. */
const runs: UseStore = async (_, callback) =>
  callback({
    put: (value: unknown, key: string) => void kept.set(key, structuredClone(value)),
    delete: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
    getAll: () => done(structuredClone([...kept.values()])),
    getAllKeys: () => done([...kept.keys()]),
    transaction: done(),
  } as unknown as IDBObjectStore);

function tab(): TabStorage & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  };
}

const anyRun: fc.Arbitrary<SavedRun> = fc.record(
  {
    origin: fc.constantFrom('measured' as const, 'imported' as const),
    name: fc.string(),
    text: fc.string(),
    rest: fc.jsonValue().filter((value) => !JSON.stringify(value).includes('-0')),
    replaces: fc.string(),
  },
  { requiredKeys: ['origin', 'name', 'text'] },
);

const RUN: SavedRun = { origin: 'measured', name: 'a run', text: '[]', rest: { waiting: [1] }, replaces: '7' };

/** Values that are no stored run: each field missing, and of another kind. */
const DAMAGED: readonly (readonly [string, unknown])[] = [
  ...[null, undefined, 0, '', 'text', true, [], [RUN]].map((value): [string, unknown] => [
    JSON.stringify(value),
    value,
  ]),
  ...(['origin', 'name', 'text'] as const).flatMap((field): [string, unknown][] => {
    const { [field]: _, ...others } = RUN;
    return [
      [`no ${field}`, others],
      ...[null, 0, true, {}, ['measured']].map((value): [string, unknown] => [
        `${field} ${JSON.stringify(value)}`,
        { ...RUN, [field]: value },
      ]),
    ];
  }),
  ...['', 'Measured', 'recorded', 'kept'].map((origin): [string, unknown] => [
    `origin '${origin}'`,
    { ...RUN, origin },
  ]),
];

beforeEach(() => kept.clear());

describe('runs in this browser', () => {
  it('are read back unchanged, in the order of their keys', async () => {
    const command = fc.oneof(
      fc.record({ do: fc.constant('save' as const), key: fc.constantFrom('1', '2', '10', 'b'), run: anyRun }),
      fc.record({ do: fc.constant('remove' as const), key: fc.constantFrom('1', '2', '10', 'b') }),
      fc.record({ do: fc.constant('clear' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 12 }), async (commands) => {
        kept.clear();
        const store = browserRunStore(tab, runs);
        const expected = new Map<string, SavedRun>();
        for (const one of commands) {
          if (one.do === 'save') {
            await store.save(one.key, one.run);
            expected.set(one.key, one.run);
          } else if (one.do === 'remove') {
            await store.remove(one.key);
            expected.delete(one.key);
          } else {
            await store.clear();
            expected.clear();
          }
        }
        expect(await store.load()).toEqual([...expected].toSorted(([a], [b]) => (a < b ? -1 : 1)));
      }),
    );
  });

  it.each(DAMAGED)('are none where something else is stored: %s', async (_, value) => {
    kept.set('1', value);
    kept.set('2', RUN);
    expect(await browserRunStore(tab, runs).load()).toEqual([['2', RUN]]);
  });
});

describe('the run in progress of a tab', () => {
  it('is returned once, as last stored, and not after it ended', () => {
    fc.assert(
      fc.property(fc.array(fc.option(anyRun), { maxLength: 4 }), (all) => {
        const storage = tab();
        const store = browserRunStore(() => storage, runs);
        for (const run of all) store.setRunning(run);
        expect(browserRunStore(() => storage, runs).takeInterrupted()).toEqual(all.at(-1) ?? null);
        expect([store.takeInterrupted(), storage.texts.size]).toEqual([null, 0]);
      }),
    );
  });

  it.each(DAMAGED)('is none where something else is stored: %s', (_, value) => {
    const storage = tab();
    storage.texts.set('sparsescope.running', JSON.stringify(value ?? null));
    const store = browserRunStore(() => storage, runs);
    expect([store.takeInterrupted(), storage.texts.size]).toEqual([null, 0]);
  });

  it('has the key that earlier versions use', () => {
    const storage = tab();
    browserRunStore(() => storage, runs).setRunning(RUN);
    expect([...storage.texts]).toEqual([['sparsescope.running', JSON.stringify(RUN)]]);
  });
});
