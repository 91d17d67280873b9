// Sizes of SlideSparse's sliding windows, in closed form: a group of L columns is stored as overlapping windows of N
// columns, which M:N hardware can multiply. The part of `sliding-windows.ts` that the first screen needs.

/** M:N: hardware that multiplies windows of N columns with at most M non-zeros. */
export interface Hardware {
  readonly kept: number;
  readonly window: number;
}

export const HARDWARE_2_4: Hardware = { kept: 2, window: 4 };

/** Windows of a group of L columns: (L - N) / (N - M) + 1. */
export function windowsOf(group: number, { kept, window }: Hardware): number {
  return (group - window) / (window - kept) + 1;
}

/** gamma: the columns of all windows of a group, which overlap, divided by the columns of the group. */
export function expansionOf(group: number, hardware: Hardware): number {
  return (windowsOf(group, hardware) * hardware.window) / group;
}

/**
 * Bytes relative to dense if every window of a group stores M values of `valueBits` bits and their slot numbers;
 * scales and the rounding of rows are not counted. 2:4 stores two bits per value: 0.84 for 6:8 in f16.
 */
export function storedShare(group: number, hardware: Hardware, valueBits: number): number {
  const slotBits = Math.ceil(Math.log2(hardware.window));
  return (windowsOf(group, hardware) * hardware.kept * (valueBits + slotBits)) / (group * valueBits);
}
