/** The purpose of stored bytes. Each byte of an encoding is counted in exactly one class. */
export type ByteClass = 'values' | 'indices' | 'metadata' | 'padding';

export const BYTE_CLASSES: readonly ByteClass[] = ['values', 'indices', 'metadata', 'padding'];

/** One named array of an encoded matrix, split by purpose. In bits, since a byte can contain two 4-bit deltas. */
export interface LedgerEntry {
  /** the array's name in the encoded object */
  readonly array: string;
  /** element type, for display: 'f16', 'u32', '4-bit' */
  readonly dtype: string;
  readonly length: number; // in elements
  /** the array's byteLength */
  readonly bytes: number;
  /** bits per class; they add up to bytes * 8 */
  readonly bits: Readonly<Record<ByteClass, number>>;
  /** contents of the padding, in words, if there is any */
  readonly note?: string;
  /** bits of the padding that only align rows for kernels, and do not count as the size of the format; default 0 */
  readonly alignmentBits?: number;
}

/** The bytes of an encoded matrix, array by array and by purpose. */
export interface StorageLedger {
  readonly entries: readonly LedgerEntry[];
  readonly totalBytes: number;
  readonly totalBits: Readonly<Record<ByteClass, number>>;
  /** totalBytes * 8 / (rows * cols * valueBits): 1 is the size of the dense matrix in the same value type */
  readonly effectiveDensity: number;
}

/** The ledger of these arrays. `denseBits`: rows * cols * valueBits of the same matrix stored dense. */
export function ledger(entries: readonly LedgerEntry[], denseBits: number): StorageLedger {
  const totalBits = { values: 0, indices: 0, metadata: 0, padding: 0 };
  let totalBytes = 0;
  for (const entry of entries) {
    totalBytes += entry.bytes;
    for (const c of BYTE_CLASSES) totalBits[c] += entry.bits[c];
  }
  return { entries, totalBytes, totalBits, effectiveDensity: denseBits === 0 ? 0 : (totalBytes * 8) / denseBits };
}

/**
 * The size of a matrix in a format, in bytes: those of its arrays without padding that only aligns rows for kernels, so
 * that dense f16 takes 2 bytes a cell.
 */
export function sizeOf({ entries, totalBytes }: Pick<StorageLedger, 'entries' | 'totalBytes'>): number {
  return totalBytes - entries.reduce((bits, { alignmentBits = 0 }) => bits + alignmentBits, 0) / 8;
}

/** `sizeOf`, relative to the cells of the matrix in the same value type; 0 without cells. */
export function sizeShareOf(ledger: StorageLedger): number {
  const { effectiveDensity, totalBytes } = ledger;
  return effectiveDensity === 0 ? 0 : (effectiveDensity * sizeOf(ledger)) / totalBytes;
}

/** Bits of one array, all in one class except for `paddingBits`. */
export function bitsOf(main: ByteClass, totalBits: number, paddingBits = 0): Record<ByteClass, number> {
  const bits = { values: 0, indices: 0, metadata: 0, padding: 0 };
  bits[main] += totalBits - paddingBits;
  bits.padding += paddingBits;
  return bits;
}

/** Shape, parameters and storage of a whole matrix in a format, when a story draws only a region of the matrix. */
export interface StoredWhole {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly params: unknown;
  readonly ledger: StorageLedger;
  /** reason for the size, as a clause; null if the format has none */
  readonly reason: string | null;
}
