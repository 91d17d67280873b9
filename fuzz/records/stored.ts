// Fuzz targets for records in the browser's storage: records with malicious contents are read or rejected.

import type { TabStorage } from '../../src/state/index.ts';
import type { Random } from '../../src/core/number/random.ts';
import { type Json, JSON_PIECES, mutatedJson, nestedLists, smallerJson } from '../json.ts';
import { mutatedText, pick } from '../pieces.ts';
import { defineTarget, type Fault, SILENT_STEPS, type Target } from '../target.ts';

/** A stored record as text: objects of IndexedDB are written as JSON here. */
interface RecordCase {
  readonly store: string;
  readonly text: string;
}

/** A store of the browser: a valid record, and the check of a record's text. */
export interface KnownStore {
  readonly valid: unknown;
  readonly check: (text: string) => Fault | null | Promise<Fault | null>;
}

/** Values that mutations put into a record. */
const HOSTILE: readonly ((random: Random) => Json)[] = [
  () => null,
  () => [],
  () => ({}),
  () => [null],
  () => true,
  (random) => pick(random, [0, -0, -1, 1, 0.5, 5e-324, 1e308, 2 ** 31, 2 ** 53, 1e21]),
  (random) =>
    pick(random, ['', 'NaN', 'here', 'csr/scratch', 'checked', '__proto__', 'toString', '1', '\u202e', '\u0000']),
  (random) => pick(random, ['x', '[', 'a b', '\ud800']).repeat(pick(random, [100, 10_000, 100_000])),
  (random) => Array.from({ length: pick(random, [3, 1000, 10_000]) }, () => pick(random, [0, null, 'x'])),
  (random) => Object.fromEntries(Array.from({ length: pick(random, [3, 1000, 10_000]) }, (_, i) => [`A${i}`, i])),
  (random) => nestedLists(pick(random, [3, 200, 3000])),
];

/** Returns a target that mutates the valid records of stores, by their names. */
export function storedTarget(id: string, share: number, stores: Readonly<Record<string, KnownStore>>): Target {
  return defineTarget<RecordCase>({
    id,
    unit: id,
    share,
    maxSteps: SILENT_STEPS,
    generate(random) {
      const store = pick(random, Object.keys(stores));
      const text = JSON.stringify(stores[store].valid);
      if (random.below(5) === 0) return { store, text: mutatedText(random, text, JSON_PIECES) };
      return {
        store,
        // Without '{"whole":' and '}', so that the mutation may replace the whole record.
        text: JSON.stringify(mutatedJson(random, { whole: JSON.parse(text) as Json }, HOSTILE)).slice(9, -1),
      };
    },
    check: ({ store, text }) => stores[store].check(text),
    *smaller({ store, text }) {
      for (const smallerText of smallerJson(text)) yield { store, text: smallerText };
    },
    toJson: (c) => c,
    fromJson(value) {
      const { store, text } = Object(value) as Partial<Record<keyof RecordCase, unknown>>;
      const storeName = Object.keys(stores).find((name) => name === store);
      if (storeName === undefined)
        throw new RangeError(`store: found '${String(store)}', expected one of ${Object.keys(stores).join(', ')}`);
      return { store: storeName, text: String(text) };
    },
  });
}

/** Returns a fault if a record differs after being written and read again, else null. */
export function differenceFault(expected: unknown, found: unknown): Fault | null {
  const [a, b] = [JSON.stringify(expected), JSON.stringify(found)];
  return a === b
    ? null
    : { law: 'a stored record is read unchanged', message: `found ${b}, expected ${a}`.slice(0, 400) };
}

/** A storage that returns the same text for every key. */
export function storageOf(text: string): TabStorage {
  let stored: string | null = text;
  return {
    getItem: () => stored,
    setItem(_, value) {
      stored = value;
    },
    removeItem() {
      stored = null;
    },
  };
}
