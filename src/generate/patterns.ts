import type { PatternInfo } from './pattern.ts';

export type { PatternInfo, PatternOption } from './pattern.ts';

/** Every pattern, in the order of the interface. Apart from the generators, which the page does without at first. */
export const patterns: readonly PatternInfo[] = [
  {
    id: 'uniform',
    options: [],
  },
  {
    id: 'magnitude',
    options: [],
  },
  {
    id: 'n-of-m',
    options: [
      {
        id: 'm',
        min: 2,
        max: 64,
        default: 4,
        whole: true,
      },
    ],
    densities: ({ m }) => Array.from({ length: m + 1 }, (_, n) => n / m),
  },
  {
    id: 'row-skewed',
    options: [
      {
        id: 'exponent',
        min: 0,
        max: 4,
        default: 1,
        whole: false,
      },
      {
        id: 'sorted',
        min: 0,
        max: 1,
        default: 0,
        whole: true,
      },
    ],
  },
  {
    id: 'banded',
    options: [
      {
        id: 'fill',
        min: 0.01,
        max: 1,
        default: 1,
        whole: false,
      },
    ],
  },
  {
    id: 'blocks',
    options: [
      {
        id: 'blockSize',
        min: 2,
        max: 4096,
        default: 16,
        whole: true,
      },
      {
        id: 'fill',
        min: 0.01,
        max: 1,
        default: 1,
        whole: false,
      },
    ],
  },
  {
    id: 'planted-blocks',
    options: [
      {
        id: 'granularity',
        min: 1,
        max: 64,
        default: 8,
        whole: true,
      },
      {
        id: 'width',
        min: 1,
        max: 4096,
        default: 32,
        whole: true,
      },
      {
        id: 'noise',
        min: 0,
        max: 1,
        default: 0.05,
        whole: false,
      },
    ],
  },
  {
    id: 'shared-columns',
    options: [
      {
        id: 'groupRows',
        min: 1,
        max: 4096,
        default: 8,
        whole: true,
      },
      {
        id: 'noise',
        min: 0,
        max: 1,
        default: 0.05,
        whole: false,
      },
    ],
  },
  {
    id: 'outlier-columns',
    options: [
      {
        id: 'share',
        min: 0,
        max: 0.5,
        default: 0.01,
        whole: false,
      },
      {
        id: 'denser',
        min: 1,
        max: 1000,
        default: 8,
        whole: false,
      },
      {
        id: 'larger',
        min: 1,
        max: 1000,
        default: 20,
        whole: false,
      },
    ],
  },
  {
    id: 'activations',
    options: [
      {
        id: 'tokenSkew',
        min: 0,
        max: 3,
        default: 0.6,
        whole: false,
      },
      {
        id: 'positionDecay',
        min: 0,
        max: 2,
        default: 0.2,
        whole: false,
      },
      {
        id: 'dead',
        min: 0,
        max: 1,
        default: 0.3,
        whole: false,
      },
    ],
  },
];
