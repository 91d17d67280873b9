/**
 * For tests: the norm of the difference of logits, in units of their norm, that formats and kernels have to stay below.
 */
const LOGITS_BOUND = 1e-4;

/** The comparison of logits with an oracle's. */
export interface SavedLogits {
  readonly ok: boolean;
  /** the norm of the difference, in units of the norm of the expected logits; NaN if some logit is no number */
  readonly relativeError: number;
  /** the token whose largest logit is another one, although the oracle's is ahead by more than the bound; null: none */
  readonly firstOther: { readonly token: number; readonly found: number; readonly expected: number } | null;
}

/**
 * For tests: whether logits of several tokens, `vocabulary` for each, equal an oracle's: the relative norm of the
 * difference is below `bound`, and every largest logit is the oracle's, except where that is ahead of another by less
 * than `bound` times the norm of the token's logits.
 */
export function savedLogits(
  found: ArrayLike<number>,
  expected: ArrayLike<number>,
  vocabulary: number,
  bound = LOGITS_BOUND,
): SavedLogits {
  if (found.length !== expected.length || expected.length % vocabulary !== 0) {
    throw new RangeError(`logits: found ${found.length}, expected ${expected.length}, a multiple of ${vocabulary}`);
  }
  let difference = 0;
  let norm = 0;
  let firstOther: SavedLogits['firstOther'] = null;
  for (let from = 0; from < expected.length; from += vocabulary) {
    let ofToken = 0;
    let foundAt = 0;
    let expectedAt = 0;
    for (let id = 0; id < vocabulary; id++) {
      const value = expected[from + id];
      difference += (found[from + id] - value) ** 2;
      ofToken += value ** 2;
      if (found[from + id] > found[from + foundAt]) foundAt = id;
      if (value > expected[from + expectedAt]) expectedAt = id;
    }
    norm += ofToken;
    const ahead = expected[from + expectedAt] - expected[from + foundAt];
    if (firstOther === null && !(ahead <= bound * Math.sqrt(ofToken))) {
      firstOther = { token: from / vocabulary, found: foundAt, expected: expectedAt };
    }
  }
  const relativeError = norm === 0 ? Math.sqrt(difference) : Math.sqrt(difference / norm);
  return { ok: relativeError < bound && firstOther === null, relativeError, firstOther };
}
