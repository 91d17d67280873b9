/** What the paper's kernels do, and how fast its models are. */

/** Lanes of a warp: listing 4 gives one to each tile of a row, and has none for further tiles. */
export const CONVERTED_TILES = 32;

/**
 * How many times as fast whole sparse models run forward as dense ones, on tensor cores of an H100: the least and the most
 * of four sizes. Source: TwELL paper, table 1, input tokens per ms, +17.0 % to +20.5 %.
 */
export const WHOLE_MODELS = { min: 1.17, max: 1.205 } as const;
