/** The bits in which a language model predicts each text, and the text's bytes: arrays in the order of the texts. */
export interface TextCosts {
  readonly bits: readonly number[];
  readonly bytes: readonly number[];
}

/** A mean over texts with its standard error. */
export interface Mean {
  readonly mean: number;
  /** NaN for fewer than two texts */
  readonly se: number;
}

/** Bits per byte of all texts together, with the standard error of this ratio of sums. NaN without texts. O(texts). */
export function bitsPerByte({ bits, bytes }: TextCosts): { readonly bitsPerByte: number; readonly se: number } {
  const n = bits.length;
  const totalBytes = sum(bytes);
  const ratio = sum(bits) / totalBytes;
  const squares = sum(bits.map((value, i) => (value - ratio * bytes[i]) ** 2));
  return { bitsPerByte: ratio, se: n < 2 ? Number.NaN : Math.sqrt((squares * n) / (n - 1)) / totalBytes };
}

/** Mean of a[i] - b[i], for the bits of the same texts under two models. O(texts). */
export function pairedDifference(a: readonly number[], b: readonly number[]): Mean {
  const n = Math.min(a.length, b.length);
  const values = Array.from({ length: n }, (_, i) => a[i] - b[i]);
  const mean = sum(values) / n;
  if (n < 2) return { mean, se: Number.NaN };
  return { mean, se: Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (n - 1) / n) };
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
