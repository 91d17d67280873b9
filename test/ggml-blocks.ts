/**
 * For tests: blocks of 32 values as ggml stores them, written and read byte by byte. Shares no code with the application.
 * Source: block_q4_0 and block_q8_0 in ggml-org/ggml, src/ggml-common.h and src/ggml-quants.c.
 */

const BLOCK = 32;

/** Bits of the f16 nearest to a finite value, ties to even. */
export function halfBits(value: number): number {
  const sign = Object.is(value, -0) || value < 0 ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  const exponent = magnitude < 2 ** -14 ? -14 : Math.floor(Math.log2(magnitude));
  // The significand is 1024 to 2048, or less for a subnormal number. Adding it to the exponent's field adds its implicit bit to
  // the exponent, and 2048, to which it may be rounded, adds one more.
  const significand = roundToEven(magnitude / 2 ** (exponent - 10));
  const bits = magnitude < 2 ** -14 ? significand : (exponent + 14) * 1024 + significand;
  return sign | Math.min(0x7c00, bits);
}

/** Returns the finite value of an f16 with these bits. */
export function halfValue(bits: number): number {
  const exponent = (bits >> 10) % 32;
  const fraction = bits % 1024;
  const magnitude = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return bits >= 0x8000 ? -magnitude : magnitude;
}

/** Rounds to a whole number, ties to even. */
function roundToEven(x: number): number {
  const below = Math.floor(x);
  const isUp = x - below > 0.5 || (x - below === 0.5 && below % 2 === 1);
  return isUp ? below + 1 : below;
}

/** Returns a block of q4_0, 18 bytes: the scale in f16, then 16 bytes with values 0 to 15 in their low and 16 to 31 in their high halves. */
export function q4Block(values: readonly number[]): Uint8Array {
  const cells = Array.from({ length: BLOCK }, (_, i) => values[i] ?? 0);
  const largest = cells.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
  const d = Math.fround(largest / -8);
  const inverse = d === 0 ? 0 : Math.fround(1 / d);
  const q = cells.map((value) => {
    if (value === 0) return 8;
    const scaled = Math.fround(Math.fround(value * inverse) + 8.5);
    return Math.min(15, Math.max(0, Math.floor(scaled)));
  });
  const scale = halfBits(d);
  return q4Bytes(scale, q);
}

/** Like `q4Block`, from a scale's bits and 32 numbers from 0 to 15. */
export function q4Bytes(scale: number, q: readonly number[]): Uint8Array {
  const pairs = Array.from({ length: BLOCK / 2 }, (_, i) => q[i] + 16 * q[i + BLOCK / 2]);
  return Uint8Array.of(scale % 256, scale >> 8, ...pairs); // bounded: 16 bytes
}

/** Returns the 32 values of a block of q4_0. */
export function q4BlockValues(block: Uint8Array): number[] {
  const d = halfValue(block[0] + 256 * block[1]);
  return Array.from({ length: BLOCK }, (_, i) => {
    const byte = block[2 + (i % 16)];
    return ((i < 16 ? byte % 16 : byte >> 4) - 8) * d;
  });
}

/** Up to 32 values after rounding to 4 bits. */
export function q4Values(values: readonly number[]): number[] {
  return q4BlockValues(q4Block(values)).slice(0, values.length);
}

/**
 * The largest distance between stored entries of a row, in columns, for formats in which 32 stored entries share a scale:
 * a larger gap is bridged by a stored zero.
 */
const REACH: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => number>> = {
  macko: ({ deltaBits }) => 2 ** Number(deltaBits),
  bitmask: () => Infinity,
};

/**
 * Returns every cell of a matrix after rounding to 4 bits. 32 columns of a row share a scale; in the formats of REACH, 32
 * stored entries.
 */
export function q4Cells(
  cells: ArrayLike<number>,
  [rows, cols]: readonly [rows: number, cols: number],
  format: string,
  params: Readonly<Record<string, unknown>>,
): readonly number[] {
  const reach = REACH[format]?.(params);
  // Indices of cells in stored order; null: a zero that bridges a gap or fills a block.
  const slots: (number | null)[] = [];
  for (let row = 0; row < rows; row++) {
    let previous = -1;
    for (let col = 0; col < cols; col++) {
      const cell = row * cols + col;
      if (reach === undefined) slots.push(cell);
      else if (cells[cell] !== 0) {
        for (; col - previous > reach; previous += reach) slots.push(null);
        slots.push(cell);
        previous = col;
      }
    }
    while (reach === undefined && slots.length % BLOCK > 0) slots.push(null);
  }
  const rounded = Array.from({ length: rows * cols }, () => 0);
  for (let from = 0; from < slots.length; from += BLOCK) {
    const block = slots.slice(from, from + BLOCK);
    const values = q4Values(block.map((cell) => (cell === null ? 0 : cells[cell])));
    for (const [i, cell] of block.entries()) if (cell !== null) rounded[cell] = values[i];
  }
  return rounded;
}

/** Returns a block of q8_0, 34 bytes: the bits of the scale, then a signed byte for each value. */
export function q8Bytes(scale: number, q: readonly number[]): Uint8Array {
  return Uint8Array.of(scale % 256, scale >> 8, ...q.map((n) => n & 255)); // bounded: 32 bytes
}
