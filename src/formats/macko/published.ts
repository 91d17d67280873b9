import type { PublishedFigures } from '../../core/format.ts';

/** Speed of the authors’ CUDA kernel, y = A x in f16, by density. */
export const published: readonly PublishedFigures[] = [
  {
    of: 'speed',
    on: 'RTX 4090',
    title: 'MACKO',
    source:
      'V. Macko and V. Boža, MACKO, 2025, arxiv.org/abs/2511.13061, benchmark data: the median speed over cuBLAS of 31 shapes of language models',
    valueType: 'f16',
    points: [
      { density: 0.05, value: 5.62, low: 4.49, high: 6.57 },
      { density: 0.1, value: 4.34, low: 3.73, high: 5.19 },
      { density: 0.2, value: 2.8, low: 2.67, high: 3.46 },
      { density: 0.3, value: 2.07, low: 1.91, high: 2.49 },
      { density: 0.4, value: 1.62, low: 1.51, high: 1.92 },
      { density: 0.5, value: 1.33, low: 1.23, high: 1.59 },
      { density: 0.6, value: 1.15, low: 1.04, high: 1.37 },
      { density: 0.7, value: 1.01, low: 0.9, high: 1.2 },
      { density: 0.8, value: 0.89, low: 0.81, high: 1.07 },
      { density: 0.9, value: 0.81, low: 0.72, high: 0.97 },
      { density: 1.0, value: 0.73, low: 0.64, high: 0.91 },
    ],
  },
  {
    of: 'speed',
    on: 'RTX 3090',
    title: 'MACKO',
    source:
      'V. Macko and V. Boža, MACKO, 2025, arxiv.org/abs/2511.13061, benchmark data: the median speed over cuBLAS of 31 shapes of language models',
    valueType: 'f16',
    points: [
      { density: 0.05, value: 5.44, low: 3.18, high: 10.03 },
      { density: 0.1, value: 4.47, low: 2.84, high: 7.81 },
      { density: 0.2, value: 3.08, low: 2.25, high: 5.03 },
      { density: 0.3, value: 2.24, low: 1.86, high: 3.57 },
      { density: 0.4, value: 1.76, low: 1.5, high: 2.7 },
      { density: 0.5, value: 1.48, low: 1.3, high: 2.18 },
      { density: 0.6, value: 1.26, low: 1.08, high: 1.83 },
      { density: 0.7, value: 1.09, low: 0.95, high: 1.56 },
      { density: 0.8, value: 0.98, low: 0.84, high: 1.37 },
      { density: 0.9, value: 0.87, low: 0.75, high: 1.22 },
      { density: 1.0, value: 0.81, low: 0.68, high: 0.92 },
    ],
  },
  {
    of: 'speed',
    on: 'RTX 2080 SUPER',
    title: 'MACKO',
    source:
      'V. Macko and V. Boža, MACKO, 2025, arxiv.org/abs/2511.13061, benchmark data: the median speed over cuBLAS of 29 shapes of language models',
    valueType: 'f16',
    points: [
      { density: 0.05, value: 4.2, low: 3.11, high: 4.82 },
      { density: 0.1, value: 3.43, low: 2.64, high: 3.82 },
      { density: 0.2, value: 2.7, low: 2.1, high: 3.01 },
      { density: 0.3, value: 2.16, low: 1.72, high: 2.41 },
      { density: 0.4, value: 1.79, low: 1.46, high: 1.96 },
      { density: 0.5, value: 1.49, low: 1.26, high: 1.6 },
      { density: 0.6, value: 1.28, low: 1.12, high: 1.36 },
      { density: 0.7, value: 1.1, low: 0.99, high: 1.18 },
      { density: 0.8, value: 0.99, low: 0.9, high: 1.04 },
      { density: 0.9, value: 0.88, low: 0.8, high: 0.92 },
      { density: 1.0, value: 0.83, low: 0.75, high: 0.85 },
    ],
  },
];
