// What the authors of TwELL published.

/** How many tiles of a row their conversion to the hybrid format (listing 4) reads: one per lane of a warp. */
export const CONVERTED_TILES = 32;

/**
 * Forward speedup of whole sparse models over dense ones, on tensor cores of an H100: `min` and `max` of four sizes.
 * Source: TwELL paper, table 1, input tokens per ms, +17.0 % to +20.5 %. `fires`: least and largest share of neurons
 * that fire. Source: section 4, 24 to 39 on average, of the 5632 of table 2. `deadShare`: more than this share of the
 * neurons never fires, on average over layers, at the recommended L1 penalty. Source: appendix C.
 */
export const WHOLE_MODELS = { min: 1.17, max: 1.205, fires: [24 / 5632, 39 / 5632], deadShare: 0.3 } as const;
