import { f16Bits } from './f16.ts';

/** Cells of a group, which share an f16 scale: weights of 4 bits as in ggml's Q4_0. */
export const Q4_GROUP = 32;

/** Bytes of a group without its scale: cells 0 to 15 in the low halves, cells 16 to 31 in the high ones. */
export const Q4_GROUP_BYTES = Q4_GROUP / 2;

/** Bits of a cell with its part of the group's scale. */
export const Q4_SCALED_BITS = 4 + 16 / Q4_GROUP;

/** The code of 0 in every group, for any scale. */
export const Q4_ZERO = 8;

/** The smallest magnitude of a cell whose scale overflows f16. */
export const Q4_BORDER = 8 * 65_520;

/**
 * Quantises a group of cells x to 4 bits: d = m / -8 for the first cell m of the largest magnitude, and
 * q = floor(x / d + 8.5), at most 15; a cell is then (q - 8) * d with d in f16. All steps in f32, in the order of ggml,
 * so that the bits equal those of a Q4_0 block. Cells must be finite and below `Q4_BORDER` in magnitude.
 * Writes 16 bytes at `at`; returns the f16 bits of d. Source: quantize_row_q4_0_ref, ggml-org/ggml, src/ggml-quants.c.
 */
export function quantiseQ4(cells: Float32Array, into: Uint8Array, at: number): number {
  let magnitude = 0;
  let largest = 0;
  for (let i = 0; i < Q4_GROUP; i++) {
    const size = Math.abs(cells[i]);
    if (size <= magnitude) continue;
    magnitude = size;
    largest = cells[i];
  }
  const scale = Math.fround(largest / -8);
  const inverse = scale === 0 ? 0 : Math.fround(1 / scale);
  for (let i = 0; i < Q4_GROUP_BYTES; i++) {
    into[at + i] = q4Of(cells[i], inverse) | (q4Of(cells[i + Q4_GROUP_BYTES], inverse) << 4);
  }
  return f16Bits(scale);
}

/** The 4 bits of a value, given the inverse of its scale in f32. */
function q4Of(value: number, inverse: number): number {
  // A scale below 2^-128 has no inverse in f32, and is 0 in f16: the code of the cell does not matter then.
  if (value === 0) return Q4_ZERO;
  return Math.max(0, Math.min(15, Math.trunc(Math.fround(Math.fround(value * inverse) + 8.5))));
}

/** The 4 bits of cell `i` of a group. */
export function q4At(data: Uint8Array, group: number, i: number): number {
  const byte = data[group * Q4_GROUP_BYTES + (i & (Q4_GROUP_BYTES - 1))];
  return i < Q4_GROUP_BYTES ? byte & 15 : byte >> 4;
}

/** The slot of an entry, its index among the stored values; 32 slots share a scale. Called in row-major order. */
export type SlotOf = (row: number, column: number) => number;

/** The 4 bits of slot `i` as `packQ4` stores them: half i % 2 of byte floor(i / 2), the lower half first. */
export function packedQ4(data: Uint8Array, i: number): number {
  return (data[i >>> 1] >> (4 * (i & 1))) & 15;
}

/**
 * Quantises values into `data`, two slots per byte in ascending order, with an f16 per 32 slots in `scales`. `put` adds
 * a value, by ascending slot, `finish` quantises the rest; a slot without a value is 0.
 */
export function packQ4(data: Uint8Array, scales: Uint16Array) {
  const cells = new Float32Array(Q4_GROUP);
  const halves = new Uint8Array(Q4_GROUP_BYTES);
  let group = 0;
  const packUpTo = (end: number): void => {
    for (; group < end; group++) {
      const first = group * Q4_GROUP_BYTES;
      scales[group] = quantiseQ4(cells, halves, 0);
      for (let b = 0; b < Q4_GROUP_BYTES && first + b < data.length; b++)
        data[first + b] = q4At(halves, 0, 2 * b) | (q4At(halves, 0, 2 * b + 1) << 4);
      cells.fill(0);
    }
  };
  return {
    put(slot: number, value: number): void {
      packUpTo(Math.floor(slot / Q4_GROUP));
      cells[slot % Q4_GROUP] = value;
    },
    finish: (): void => packUpTo(scales.length),
  };
}
