import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { memoryIdb } from '../../../test/memory-idb.ts';
import { browserRunStore, type SavedRun, type TabStorage } from './run-store.ts';

/** The entries of the store: copies, as in IndexedDB. */
const entries = new Map<string, unknown>();

const runs = memoryIdb(entries);

/** A session storage of a tab, which keeps its entries in `texts`. */
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
    // JSON has no -0: it would be read back as 0.
    rest: fc.jsonValue().filter((value) => !JSON.stringify(value).includes('-0')),
    replaces: fc.string(),
  },
  { requiredKeys: ['origin', 'name', 'text'] },
);

const RUN: SavedRun = { origin: 'measured', name: 'a run', text: '[]', rest: { waiting: [1] }, replaces: '7' };

/** Stored values that are not valid runs: other types, and runs with a field missing or of a wrong type. */
const DAMAGED: readonly unknown[] = [
  null,
  undefined,
  0,
  '',
  'text',
  true,
  [],
  [RUN],
  ...(['origin', 'name', 'text'] as const).flatMap((field) => {
    const { [field]: _, ...others } = RUN;
    return [others, ...[null, 0, true, {}, ['measured']].map((value) => ({ ...RUN, [field]: value }))];
  }),
  ...['', 'Measured', 'recorded', 'kept'].map((origin) => ({ ...RUN, origin })),
];

beforeEach(() => entries.clear());

describe('the store of saved runs', () => {
  it('returns saved runs unchanged, in the order of their keys', async () => {
    const anyCommand = fc.oneof(
      fc.record({ do: fc.constant('save' as const), key: fc.constantFrom('1', '2', '10', 'b'), run: anyRun }),
      fc.record({ do: fc.constant('remove' as const), key: fc.constantFrom('1', '2', '10', 'b') }),
      fc.record({ do: fc.constant('clear' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyCommand, { maxLength: 12 }), async (commands) => {
        entries.clear();
        const store = browserRunStore(tab, runs);
        const expected = new Map<string, SavedRun>();
        for (const command of commands) {
          if (command.do === 'save') {
            await store.save(command.key, command.run);
            expected.set(command.key, command.run);
          } else if (command.do === 'remove') {
            await store.remove(command.key);
            expected.delete(command.key);
          } else {
            await store.clear();
            expected.clear();
          }
        }
        expect(await store.load()).toEqual([...expected].toSorted(([a], [b]) => (a < b ? -1 : 1)));
      }),
    );
  });

  it('omits invalid entries', async () => {
    for (const value of DAMAGED) {
      entries.clear();
      entries.set('1', value);
      entries.set('2', RUN);
      expect([value, await browserRunStore(tab, runs).load()]).toEqual([value, [['2', RUN]]]);
    }
  });
});

describe('the store of the run in progress of a tab', () => {
  it('returns the run that was stored last once, and null after the run ended', () => {
    fc.assert(
      fc.property(fc.array(fc.option(anyRun), { maxLength: 4 }), (all) => {
        const storage = tab();
        const store = browserRunStore(() => storage, runs);
        for (const run of all) store.setRunning(run);
        expect(storage.texts.size).toBe(all.at(-1) ? 1 : 0);
        expect(browserRunStore(() => storage, runs).takeInterrupted()).toEqual(all.at(-1) ?? null);
        expect([store.takeInterrupted(), storage.texts.size]).toEqual([null, 0]);
      }),
    );
  });

  it('returns null for an invalid entry, and removes it', () => {
    for (const value of DAMAGED) {
      const storage = tab();
      storage.texts.set('sparsescope.running', JSON.stringify(value ?? null));
      const store = browserRunStore(() => storage, runs);
      expect([value, store.takeInterrupted(), storage.texts.size]).toEqual([value, null, 0]);
    }
  });

  it('uses the same key as earlier versions', () => {
    const storage = tab();
    browserRunStore(() => storage, runs).setRunning(RUN);
    expect([...storage.texts]).toEqual([['sparsescope.running', JSON.stringify(RUN)]]);
  });
});
