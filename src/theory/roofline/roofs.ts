/** The peaks of a device, in units of a report: 10^9 bytes, and 10^9 multiply-adds, per second. */
export interface Roofs {
  readonly readGBps: number;
  /** by the kind of arithmetic; unknown if missing */
  readonly peakGMAps: Readonly<Record<string, number>>;
  /** time of an empty dispatch, in ns; 0 if unknown */
  readonly dispatchNs: number;
}

/** The work of a kernel. */
export interface Work {
  /** bytes that it must at least move */
  readonly bytes: number;
  /** its multiply-adds, including those for padding of tiles */
  readonly multiplyAdds: number;
  /** the kind of its arithmetic, a key of `peakGMAps` */
  readonly arithmetic: string;
}

/** A lower bound on a kernel's time. */
export interface Prediction {
  /** max(bytes, arithmetic) + dispatch, in ns */
  readonly ns: number;
  /** time for its bytes */
  readonly bytesNs: number;
  /** time for its arithmetic; null if that peak is unknown */
  readonly arithmeticNs: number | null;
  readonly dispatchNs: number;
  /** which of the two decides */
  readonly decides: 'bytes' | 'arithmetic';
}

/**
 * max(bytes / read speed, multiply-adds / peak) + empty dispatch: a lower bound on this device, unless the bytes come
 * from a cache. Bytes alone if the peak is unknown.
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

/** Flop per byte from which arithmetic decides; null if the peak is unknown. */
export function ridge(roofs: Roofs, arithmetic: string): number | null {
  const peak = roofs.peakGMAps[arithmetic];
  return peak === undefined ? null : (2 * peak) / roofs.readGBps;
}

/** The roof at an intensity, in 10^9 flop per second; without a known peak the slope continues. */
export function roofAt(roofs: Roofs, arithmetic: string, flopPerByte: number): number {
  const slope = flopPerByte * roofs.readGBps;
  const peak = roofs.peakGMAps[arithmetic];
  return peak === undefined ? slope : Math.min(slope, 2 * peak);
}

/**
 * The fewest tokens from which arithmetic decides, if one read of the matrix serves them all: the bytes of a token (its
 * inputs and outputs) are added to the bytes of the matrix. Null if bytes decide for any number of tokens, or the peak
 * is unknown. In closed form.
 */
export function tokensToRidge(
  roofs: Roofs,
  arithmetic: string,
  cost: { readonly tokenMultiplyAdds: number; readonly matrixBytes: number; readonly tokenBytes: number },
): number | null {
  const peak = roofs.peakGMAps[arithmetic];
  if (peak === undefined) return null;
  const perToken = cost.tokenMultiplyAdds / peak - cost.tokenBytes / roofs.readGBps;
  if (perToken <= 0) return null;
  return Math.max(1, Math.ceil(cost.matrixBytes / roofs.readGBps / perToken));
}

/** The default numbers of tokens for the points of `trail`. */
export const TRAIL_TOKENS = [1, 2, 4, 8, 16, 64, 256, 2048] as const;

/** The point of a product on the roof at this number of tokens, if the matrix is read once for all of them. */
export interface TrailPoint {
  readonly tokens: number;
  readonly flopPerByte: number;
  /** 10^9 flop per second that the roof allows */
  readonly gflops: number;
  readonly bytes: number;
}

/**
 * The points of Y = X Aᵀ along the roof for growing numbers of tokens: the matrix is read once for all of them,
 * activations and outputs for each; the empty dispatch is not included. `padding`: the ratio of all multiply-adds to
 * useful ones, so that dense with half of its factors zero reaches half of the roof; 1 for non-zeros alone. O(tokens).
 */
export function trail(
  roofs: Roofs,
  arithmetic: string,
  product: {
    readonly nnz: number;
    readonly matrixBytes: number;
    readonly tokenBytes: number;
    readonly padding: number;
  },
  tokens: readonly number[] = TRAIL_TOKENS,
): readonly TrailPoint[] {
  return tokens.map((n) => {
    const bytes = product.matrixBytes + n * product.tokenBytes;
    const { bytesNs, arithmeticNs } = predict(
      { bytes, multiplyAdds: product.nnz * n * product.padding, arithmetic },
      roofs,
    );
    const flop = 2 * product.nnz * n;
    return { tokens: n, flopPerByte: flop / bytes, gflops: flop / Math.max(bytesNs, arithmeticNs ?? 0), bytes };
  });
}
