// What the authors of TwELL published.

/** How many tiles of a row their conversion to the hybrid format (listing 4) reads: one per lane of a warp. */
export const CONVERTED_TILES = 32;

/** Whole sparse models of four sizes. Source: TwELL paper, table 1, tensor cores of an H100, and the named places. */
export const WHOLE_MODELS = {
  /** forward speedup over dense models: input tokens per ms, +17.0 % to +20.5 % */
  min: 1.17,
  max: 1.205,
  /** share of neurons that fire in the model where most do, on average 39 (section 4) of 5632 (table 2) */
  maxFiringShare: 39 / 5632,
  /** more than this share of neurons never fires, on average over layers, at the recommended L1 penalty (appendix C) */
  deadShare: 0.3,
} as const;
