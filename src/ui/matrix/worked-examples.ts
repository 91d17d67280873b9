import type { FormatParams } from '../../state/index.ts';

/** An example of a paper that one can follow by hand, with the parameters that it was worked out for. */
export interface WorkedExample {
  /** id of the format on whose page it stands */
  readonly format: string;
  /** id in the gallery */
  readonly example: string;
  readonly title: string;
  readonly params: FormatParams;
}

export const WORKED_EXAMPLES: readonly WorkedExample[] = [
  {
    format: 'macko',
    example: 'macko-fig-3',
    title: 'Figure 3 of the paper, 2-bit deltas',
    params: { deltaBits: 2, valueType: 'f16' },
  },
  {
    format: 'macko',
    example: 'macko-authors-test',
    title: 'The authors’ own test, 4-bit deltas',
    params: { deltaBits: 4, valueType: 'f16' },
  },
  {
    format: 'ec-csr',
    example: 'planted-blocks',
    title: 'Planted blocks, 2 lanes of 4: here blocks pay',
    params: {
      lanes: 2,
      vectorSize: 4,
      deltaBits: 8,
      maxGranularity: 8,
      maxRounds: 0,
      clipColumns: 0,
      valueType: 'f16',
    },
  },
];
