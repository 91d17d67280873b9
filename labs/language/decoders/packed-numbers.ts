// Numbers that take two bytes each in memory where that is exact, and are read as f32.

import { Halves } from './halves.ts';

/** Numbers in memory: as f32, or in two bytes each (halves.ts). */
export type PackedNumbers = Float32Array | Halves;

/** For every object that `withNumbers` has made: its numbers as stored, by name. */
const packedByOwner = new WeakMap<object, Readonly<Record<string, PackedNumbers>>>();

/** The numbers in two bytes each, if all stay exact; else unchanged. O(n). */
export function packNumbers(values: Float32Array): PackedNumbers {
  return Halves.from(values) ?? values;
}

/**
 * An object with the properties of `others`, and `numbers` as f32. Numbers in two bytes are widened at every access,
 * into new memory: read each of them once, and release it soon. Spreading the object widens all of them.
 */
export function withNumbers<Name extends string, Others extends object>(
  numbers: Readonly<Record<Name, PackedNumbers>>,
  others: Others,
): Readonly<Record<Name, Float32Array>> & Others {
  const owner = { ...others };
  for (const [name, packed] of Object.entries<PackedNumbers>(numbers)) {
    Object.defineProperty(owner, name, {
      enumerable: true,
      ...(packed instanceof Halves ? { get: () => packed.widen() } : { value: packed }),
    });
  }
  packedByOwner.set(owner, numbers);
  return owner as Readonly<Record<Name, Float32Array>> & Others;
}

/** An object's numbers as stored, without widening. */
export function packedOf<Name extends string>(owner: Readonly<Record<Name, Float32Array>>, name: Name): PackedNumbers {
  return packedByOwner.get(owner)?.[name] ?? owner[name];
}

/** Numbers `from` to `to` as f32: a view, or a widened copy. */
export function widenedPart(packed: PackedNumbers, from: number, to: number): Float32Array {
  return packed instanceof Halves ? packed.widen(from, to) : packed.subarray(from, to);
}
