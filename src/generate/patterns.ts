import type { PatternInfo } from './pattern.ts';

export type { PatternInfo, PatternOption } from './pattern.ts';

/** Every pattern, in the order of the interface. Apart from the generators, which the page does without at first. */
export const patterns: readonly PatternInfo[] = [
  {
    id: 'uniform',
    title: 'Uniform',
    options: [],
  },
  {
    id: 'magnitude',
    title: 'Magnitude-pruned',
    options: [],
  },
  {
    id: 'n-of-m',
    title: 'N:M',
    options: [
      {
        id: 'm',
        label: 'Group (M)',
        min: 2,
        max: 64,
        default: 4,
        unit: 'cells',
        whole: true,
      },
    ],
    densities: ({ m }) => Array.from({ length: m + 1 }, (_, n) => n / m),
  },
  {
    id: 'row-skewed',
    title: 'Row-skewed',
    options: [
      {
        id: 'exponent',
        label: 'Exponent',
        min: 0,
        max: 4,
        default: 1,
        whole: false,
      },
      {
        id: 'sorted',
        label: 'Sorted rows',
        min: 0,
        max: 1,
        default: 0,
        whole: true,
      },
    ],
  },
  {
    id: 'banded',
    title: 'Banded',
    options: [
      {
        id: 'fill',
        label: 'Fill of the band',
        min: 0.01,
        max: 1,
        default: 1,
        whole: false,
      },
    ],
  },
  {
    id: 'blocks',
    title: 'Clustered blocks',
    options: [
      {
        id: 'blockSize',
        label: 'Block size',
        min: 2,
        max: 4096,
        default: 16,
        unit: 'cells',
        whole: true,
      },
      {
        id: 'fill',
        label: 'Fill of a block',
        min: 0.01,
        max: 1,
        default: 1,
        whole: false,
      },
    ],
  },
  {
    id: 'planted-blocks',
    title: 'Planted blocks',
    options: [
      {
        id: 'granularity',
        label: 'Rows of a block',
        min: 1,
        max: 64,
        default: 8,
        unit: 'rows',
        whole: true,
      },
      {
        id: 'width',
        label: 'Width of a block',
        min: 1,
        max: 4096,
        default: 32,
        unit: 'columns',
        whole: true,
      },
      {
        id: 'noise',
        label: 'Noise',
        min: 0,
        max: 1,
        default: 0.05,
        whole: false,
      },
    ],
  },
  {
    id: 'shared-columns',
    title: 'Shared columns',
    options: [
      {
        id: 'groupRows',
        label: 'Rows of a group',
        min: 1,
        max: 4096,
        default: 8,
        unit: 'rows',
        whole: true,
      },
      {
        id: 'noise',
        label: 'Noise',
        min: 0,
        max: 1,
        default: 0.05,
        whole: false,
      },
    ],
  },
  {
    id: 'outlier-columns',
    title: 'Outlier columns',
    options: [
      {
        id: 'share',
        label: 'Share of outliers',
        min: 0,
        max: 0.5,
        default: 0.01,
        whole: false,
      },
      {
        id: 'denser',
        label: 'Denser by',
        min: 1,
        max: 1000,
        default: 8,
        unit: 'times',
        whole: false,
      },
      {
        id: 'larger',
        label: 'Larger by',
        min: 1,
        max: 1000,
        default: 20,
        unit: 'times',
        whole: false,
      },
    ],
  },
  {
    id: 'activations',
    title: 'Activations',
    options: [
      {
        id: 'tokenSkew',
        label: 'Token skew',
        min: 0,
        max: 3,
        default: 0.6,
        whole: false,
      },
      {
        id: 'positionDecay',
        label: 'Position decay',
        min: 0,
        max: 2,
        default: 0.2,
        whole: false,
      },
      {
        id: 'dead',
        label: 'Dead neurons',
        min: 0,
        max: 1,
        default: 0.3,
        whole: false,
      },
    ],
  },
];
