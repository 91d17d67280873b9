// What the authors of TwELL published.

/** How many tiles of a row their conversion to the hybrid format (listing 4) reads: one per lane of a warp. */
export const CONVERTED_TILES = 32;

/**
 * `min` and `max`: forward speedup of whole sparse models over dense ones, of four sizes, on tensor cores of an H100.
 * Source: TwELL paper, table 1, input tokens per ms, +17.0 % to +20.5 %. `fires`: least and largest share of neurons
 * that fire, on average 24 to 39 (section 4) of 5632 (table 2). `deadShare`: more than this share of neurons never
 * fires, on average over layers, at the recommended L1 penalty (appendix C).
 */
export const WHOLE_MODELS = { min: 1.17, max: 1.205, fires: [24 / 5632, 39 / 5632], deadShare: 0.3 } as const;
