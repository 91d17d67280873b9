import type { PublishedFigures } from '../../core/format.ts';

/**
 * Speed of cuSPARSE’s CSR, y = A x in f16, by density. The paper does not say how wide its indices are: the authors’ benchmark
 * creates it with CUSPARSE_INDEX_32I, for columns and for row starts.
 */
export const published: readonly PublishedFigures[] = [
  {
    of: 'speed',
    on: 'RTX 4090',
    title: 'cuSPARSE’s CSR with 32-bit indices',
    source:
      'V. Macko and V. Boža, MACKO, 2025, arxiv.org/abs/2511.13061, benchmark data: the median speed over cuBLAS of 31 shapes of language models',
    valueType: 'f16',
    points: [
      { density: 0.05, value: 3.93, low: 2.81, high: 5.74 },
      { density: 0.1, value: 2.25, low: 1.64, high: 3.11 },
      { density: 0.2, value: 1.41, low: 0.47, high: 1.62 },
      { density: 0.3, value: 1.02, low: 0.21, high: 1.09 },
      { density: 0.4, value: 0.73, low: 0.11, high: 0.83 },
      { density: 0.5, value: 0.47, low: 0.05, high: 0.69 },
      { density: 0.6, value: 0.32, low: 0.03, high: 0.6 },
      { density: 0.7, value: 0.24, low: 0.02, high: 0.53 },
      { density: 0.8, value: 0.18, low: 0.02, high: 0.46 },
      { density: 0.9, value: 0.14, low: 0.01, high: 0.4 },
      { density: 1.0, value: 0.12, low: 0.01, high: 0.37 },
    ],
  },
  {
    of: 'speed',
    on: 'RTX 3090',
    title: 'cuSPARSE’s CSR with 32-bit indices',
    source:
      'V. Macko and V. Boža, MACKO, 2025, arxiv.org/abs/2511.13061, benchmark data: the median speed over cuBLAS of 31 shapes of language models',
    valueType: 'f16',
    points: [
      { density: 0.05, value: 4.1, low: 2.04, high: 6.06 },
      { density: 0.1, value: 2.06, low: 0.55, high: 3.1 },
      { density: 0.2, value: 0.64, low: 0.1, high: 1.38 },
      { density: 0.3, value: 0.31, low: 0.05, high: 0.72 },
      { density: 0.4, value: 0.18, low: 0.03, high: 0.43 },
      { density: 0.5, value: 0.11, low: 0.02, high: 0.29 },
      { density: 0.6, value: 0.06, low: 0.01, high: 0.21 },
      { density: 0.7, value: 0.04, low: 0.01, high: 0.15 },
      { density: 0.8, value: 0.03, low: 0.01, high: 0.12 },
      { density: 0.9, value: 0.02, low: 0.01, high: 0.09 },
      { density: 1.0, value: 0.02, low: 0.0, high: 0.08 },
    ],
  },
  {
    of: 'speed',
    on: 'RTX 2080 SUPER',
    title: 'cuSPARSE’s CSR with 32-bit indices',
    source:
      'V. Macko and V. Boža, MACKO, 2025, arxiv.org/abs/2511.13061, benchmark data: the median speed over cuBLAS of 29 shapes of language models',
    valueType: 'f16',
    points: [
      { density: 0.05, value: 4.64, low: 3.11, high: 5.35 },
      { density: 0.1, value: 2.81, low: 1.27, high: 3.12 },
      { density: 0.2, value: 1.41, low: 0.36, high: 1.68 },
      { density: 0.3, value: 0.76, low: 0.17, high: 1.16 },
      { density: 0.4, value: 0.46, low: 0.1, high: 0.84 },
      { density: 0.5, value: 0.29, low: 0.06, high: 0.62 },
      { density: 0.6, value: 0.19, low: 0.04, high: 0.46 },
      { density: 0.7, value: 0.14, low: 0.03, high: 0.36 },
      { density: 0.8, value: 0.11, low: 0.03, high: 0.29 },
      { density: 0.9, value: 0.09, low: 0.02, high: 0.23 },
      { density: 1.0, value: 0.07, low: 0.02, high: 0.2 },
    ],
  },
];
