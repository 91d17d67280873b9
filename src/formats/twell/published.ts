// What the authors of TwELL published.

/** Tiles of a row that their conversion to the format hybrid (listing 4) reads: one per lane of a warp, and no more. */
export const CONVERTED_TILES = 32;

/**
 * How many times as fast whole sparse models run forward as dense ones, on tensor cores of an H100: the least and the most
 * of four sizes. Source: TwELL paper, table 1, input tokens per ms, +17.0 % to +20.5 %. `fires`: the least and the largest
 * share of neurons that fire in them. Source: section 4, 24 to 39 on average, of the 5632 of table 2. `deadShare`: more
 * than this share of the neurons never fires, on average over layers, at the recommended penalty. Source: appendix C.
 */
export const WHOLE_MODELS = { min: 1.17, max: 1.205, fires: [24 / 5632, 39 / 5632], deadShare: 0.3 } as const;
