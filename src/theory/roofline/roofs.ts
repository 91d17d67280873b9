/** What a device can do at most, in units of a report: 10^9 bytes, and 10^9 multiply-adds, per second. */
export interface Roofs {
  readonly readGBps: number;
  /** by the kind of arithmetic; a kind that is missing is not known */
  readonly peakGMAps: Readonly<Record<string, number>>;
  /** time of a dispatch that does nothing, in ns; 0 where it is not known */
  readonly dispatchNs: number;
}

/** What a kernel needs of them. */
export interface Work {
  /** that it must at least move */
  readonly bytes: number;
  /** that it does, those for empty places of tiles included */
  readonly multiplyAdds: number;
  /** what it multiplies and adds with */
  readonly arithmetic: string;
}

/** What a kernel takes at least. */
export interface Prediction {
  /** max(bytes, arithmetic) + dispatch, in ns */
  readonly ns: number;
  /** time for its bytes, and for its arithmetic; null where that roof is not known */
  readonly bytesNs: number;
  readonly arithmeticNs: number | null;
  readonly dispatchNs: number;
  /** which of the two decides */
  readonly decides: 'bytes' | 'arithmetic';
}

/**
 * max(bytes / read speed, multiply-adds / peak) + empty dispatch: what nothing on this device can beat, unless its bytes
 * come from a cache. Where the peak is not known, bytes alone.
 */
export function predict({ bytes, multiplyAdds, arithmetic }: Work, roofs: Roofs): Prediction {
  const peak = roofs.peakGMAps[arithmetic];
  const bytesNs = bytes / roofs.readGBps;
  const arithmeticNs = peak === undefined ? null : multiplyAdds / peak;
  const decides = arithmeticNs !== null && arithmeticNs > bytesNs ? 'arithmetic' : 'bytes';
  return {
    ns: Math.max(bytesNs, arithmeticNs ?? 0) + roofs.dispatchNs,
    bytesNs,
    arithmeticNs,
    dispatchNs: roofs.dispatchNs,
    decides,
  };
}

/** Flop per byte: two for every non-zero of the matrix and every token, over the bytes that have to be moved. */
export function intensity(nnz: number, tokens: number, bytes: number): number {
  return (2 * nnz * tokens) / bytes;
}

/** Flop per byte from which arithmetic decides; null where the peak is not known. */
export function ridge(roofs: Roofs, arithmetic: string): number | null {
  const peak = roofs.peakGMAps[arithmetic];
  return peak === undefined ? null : (2 * peak) / roofs.readGBps;
}

/** The roof over an intensity, in 10^9 flop per second; without a known peak the slope goes on. */
export function roofAt(roofs: Roofs, arithmetic: string, flopPerByte: number): number {
  const slope = flopPerByte * roofs.readGBps;
  const peak = roofs.peakGMAps[arithmetic];
  return peak === undefined ? slope : Math.min(slope, 2 * peak);
}

/**
 * The fewest tokens from which arithmetic decides, if one read of the matrix serves them all: the bytes of a token (its
 * inputs and outputs) come on top of those of the matrix. Null where bytes decide for any number of them, or the peak is
 * not known. In closed form.
 */
export function tokensToRidge(
  roofs: Roofs,
  arithmetic: string,
  of: { readonly multiplyAdds: number; readonly matrixBytes: number; readonly tokenBytes: number },
): number | null {
  const peak = roofs.peakGMAps[arithmetic];
  if (peak === undefined) return null;
  const perToken = of.multiplyAdds / peak - of.tokenBytes / roofs.readGBps;
  if (perToken <= 0) return null;
  return Math.max(1, Math.ceil(of.matrixBytes / roofs.readGBps / perToken));
}

/** Tokens at which trails have their points. */
export const TRAIL_TOKENS = [1, 2, 4, 8, 16, 64, 256, 2048] as const;

/** A point of a trail: where a kernel would stand on its roof with so many tokens, if one read served them all. */
export interface TrailPoint {
  readonly tokens: number;
  readonly flopPerByte: number;
  /** 10^9 flop per second that the roof allows */
  readonly gflops: number;
  readonly bytes: number;
}

/**
 * Where Y = X Aᵀ lies on the roof for more and more tokens: the matrix is read once for all of them, activations and
 * outputs for each. `padding`: multiply-adds that are done for each useful one, so that dense with half of its factors
 * zero reaches half of the roof; 1 for a format that multiplies non-zeros alone. O(tokens).
 */
export function trail(
  roofs: Roofs,
  arithmetic: string,
  of: { readonly nnz: number; readonly matrixBytes: number; readonly tokenBytes: number; readonly padding: number },
  tokens: readonly number[] = TRAIL_TOKENS,
): readonly TrailPoint[] {
  return tokens.map((n) => {
    const bytes = of.matrixBytes + n * of.tokenBytes;
    const { bytesNs, arithmeticNs } = predict({ bytes, multiplyAdds: of.nnz * n * of.padding, arithmetic }, roofs);
    const flop = 2 * of.nnz * n;
    return {
      tokens: n,
      flopPerByte: flop / bytes,
      gflops: flop / Math.max(bytesNs, arithmeticNs ?? 0),
      bytes,
    };
  });
}
