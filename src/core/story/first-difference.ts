import { type NamedArray, namedArrays } from '../encoded/encoded.ts';
import type { ByteClass, LedgerEntry, StorageLedger } from '../encoded/ledger.ts';
import { bf16Value, f16Value, Q4_GROUP, Q4_GROUP_BYTES, Q4_ZERO, q4At } from '../number/index.ts';

import type { TracedStory } from './step-kind.ts';
import type { Trace } from './trace.ts';

/** A stored number: an element of an array, or some of its bits. */
interface Slot {
  readonly array: string;
  /** counted in slots, of which a word may hold several */
  readonly index: number;
  /** the step that stores it, or, if it stays 0, the next one that stores something in this array */
  readonly step: number | null;
}

/** The first slot that two formats fill differently. */
export interface FirstDifference {
  readonly a: Slot;
  readonly b: Slot;
}

/**
 * The first slot in which two encodings of one window differ. Their values come first: a zero that one of them stores
 * and the other does not. If the values agree as far as both go, it is the first slot of their indices; null if these
 * agree too, or one of the two has none. Values are equal if they differ by less than rounding to the coarser type; of
 * quantised ones only zeros count. O(stored elements).
 */
export function firstDifference(a: TracedStory, b: TracedStory): FirstDifference | null {
  const ledgers = [a, b].map(({ story, trace }) => story.ledger?.(trace));
  if (!ledgers[0] || !ledgers[1]) return null;
  for (const byteClass of ['values', 'indices'] as const) {
    const [first, second] = [slotsOf(a.trace, ledgers[0], byteClass), slotsOf(b.trace, ledgers[1], byteClass)];
    if (!first || !second) continue;
    const index = differingSlot(first, second);
    if (index !== null) {
      return { a: slotAt(a.trace, first, index), b: slotAt(b.trace, second, index) };
    }
  }
  return null;
}

/** The numbers of an array. */
interface Slots {
  readonly array: string;
  readonly length: number;
  /** the element that holds a slot */
  elementOf(index: number): number;
  /** significant bits; 0 for quantised values, whose scales are elsewhere */
  readonly precision: number;
  at(index: number): number;
}

/** The array that holds most of a class; null if none holds any. */
function slotsOf({ encoded }: Trace, { entries }: StorageLedger, byteClass: ByteClass): Slots | null {
  const max = entries.toSorted((x, y) => y.bits[byteClass] - x.bits[byteClass])[0];
  const data = namedArrays(Object(encoded)).get(max?.array ?? '');
  return data && max.bits[byteClass] > 0 ? readSlots(max, data) : null;
}

function readSlots({ array, dtype }: LedgerEntry, data: NamedArray): Slots {
  if (dtype === '4-bit in u8' && data instanceof Uint8Array) {
    return {
      array,
      length: 2 * data.length,
      precision: 0,
      elementOf: (i) => Math.floor(i / Q4_GROUP) * Q4_GROUP_BYTES + (i % Q4_GROUP_BYTES),
      at: (i) => q4At(data, Math.floor(i / Q4_GROUP), i % Q4_GROUP) - Q4_ZERO,
    };
  }
  const width = Number(/^(\d+)-bit\b/.exec(dtype)?.[1] ?? 0);
  if (width > 0) {
    const perElement = (8 * data.BYTES_PER_ELEMENT) / width;
    const elementOf = (i: number): number => Math.floor(i / perElement);
    const at = (i: number): number => (data[elementOf(i)] >>> (width * (i % perElement))) & (2 ** width - 1);
    return { array, length: data.length * perElement, precision: EXACT, elementOf, at };
  }
  const read = dtype === 'f16' ? f16Value : dtype === 'bf16' ? bf16Value : (raw: number): number => raw;
  const precision = PRECISIONS[dtype] ?? EXACT;
  return { array, length: data.length, precision, elementOf: (i) => i, at: (i) => read(data[i]) };
}

const EXACT = 53;
const PRECISIONS: Readonly<Record<string, number>> = { f32: 24, f16: 11, bf16: 8, i8: 0 };

function differingSlot(a: Slots, b: Slots): number | null {
  const precision = Math.min(a.precision, b.precision);
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (!areAlike(a.at(i), b.at(i), precision)) return i;
  return null;
}

function areAlike(x: number, y: number, precision: number): boolean {
  if (Object.is(x, y) || x === y) return true;
  if (x === 0 || y === 0) return false;
  if (precision === 0 || (Number.isNaN(x) && Number.isNaN(y))) return true;
  return Math.abs(x - y) <= 2 ** (1 - precision) * Math.max(Math.abs(x), Math.abs(y));
}

function slotAt({ steps }: Trace, { array, elementOf }: Slots, index: number): Slot {
  const element = elementOf(index);
  const firstFrom = (isWanted: (stored: number) => boolean): number =>
    steps.findIndex(({ effects }) =>
      effects.some((effect) => effect.kind === 'store' && effect.array === array && isWanted(effect.index)),
    );
  const own = firstFrom((stored) => stored === element);
  const step = own >= 0 ? own : firstFrom((stored) => stored > element);
  return { array, index, step: step < 0 ? null : step };
}
