/**
 * What the authors of SlideSparse measured.
 * Source: H. Shao and others, SlideSparse, 2026, arxiv.org/abs/2603.05232.
 */

/**
 * Mean accuracy of Qwen3-1.7B on reasoning tests, in percent, by the share of its weights that is left: figure 2 of the
 * paper.
 */
export const PUBLISHED_ACCURACY = { dense: 54.0, '6:8': 51.6, '2:4': 15.3 } as const;

/** The pattern of which they published both, what it keeps and how fast it is. */
export const PUBLISHED_PATTERN = '6:8';

/**
 * How many times as fast as dense whole models read a prompt with 6:8, on sparse tensor cores and with 8-bit weights:
 * section 5.3 of the paper, the least on an RTX 4090 (1.18 to 1.19) and the most on an A100 (1.29 to 1.34).
 */
export const PUBLISHED_PREFILL = { min: 1.18, max: 1.34, on: 'RTX 4090 and A100' } as const;
