// What the authors of SlideSparse measured: H. Shao and others, 2026, arxiv.org/abs/2603.05232.

/**
 * Mean accuracy of Qwen3-1.7B on reasoning tests, in percent, by pattern (dense keeps all weights, 6:8 three quarters,
 * 2:4 half): figure 2 of the paper.
 */
export const PUBLISHED_ACCURACY = { dense: 54.0, '6:8': 51.6, '2:4': 15.3 } as const;

/** The pattern, stored as windows of 2:4 that slide, for which accuracy and speed are published. */
export const SLID_PATTERN = '6:8';

/**
 * Least speedup over dense of whole models that read a prompt, with 8-bit weights on the sparse tensor cores of one
 * card: section 5.3 of the paper for 6:8 (1.29 to 1.34), appendix D.4.1 for 2:4 (1.69 to 1.75 with 7B, 1.73 to 1.77
 * with 14B).
 */
export const PUBLISHED_PREFILL = { '2:4': 1.69, '6:8': 1.29, on: 'A100' } as const;
