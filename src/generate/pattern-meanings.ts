/** Names of the patterns of `patterns.ts` and what they are; apart, since only their form needs it. */
interface PatternMeaning {
  readonly title: string;
  /** where the non-zeros are */
  readonly pattern: string;
  readonly options: Readonly<Record<string, OptionMeaning>>;
}

interface OptionMeaning {
  readonly label: string;
  readonly unit?: string;
  readonly meaning: string;
}

/** By the ids of patterns and of their options. */
export const PATTERN_MEANINGS: Readonly<Record<string, PatternMeaning>> = {
  uniform: {
    title: 'Uniform',
    pattern: 'Every cell is non-zero with the same probability, independent of its neighbours.',
    options: {},
  },
  magnitude: {
    title: 'Magnitude-pruned',
    pattern: 'Normally distributed weights, of which only the largest by magnitude are kept.',
    options: {},
  },
  'n-of-m': {
    title: 'N:M',
    pattern: 'Every group of M neighbours in a row holds exactly N non-zeros, so that N of M are left.',
    options: {
      m: {
        label: 'Group (M)',
        unit: 'cells',
        meaning: 'Cells in a group; a shorter group at the end of a row holds its share, rounded up or down at random.',
      },
    },
  },
  'row-skewed': {
    title: 'Row-skewed',
    pattern: 'A few rows hold most of the non-zeros: the share in a row falls as a power of its rank.',
    options: {
      exponent: {
        label: 'Exponent',
        meaning: 'The row of rank k is k^-exponent as dense as the first; 0 makes all rows alike.',
      },
      sorted: { label: 'Sorted rows', meaning: '1 puts the densest row first, 0 mixes the rows.' },
    },
  },
  banded: {
    title: 'Banded',
    pattern: 'All non-zeros lie in a band along the diagonal, as wide as their share requires.',
    options: {
      fill: { label: 'Fill of the band', meaning: 'Largest share of the cells inside the band that are non-zero.' },
    },
  },
  blocks: {
    title: 'Clustered blocks',
    pattern: 'Non-zeros are clustered in square blocks of a grid, and the cells between the chosen blocks are zero.',
    options: {
      blockSize: { label: 'Block size', unit: 'cells', meaning: 'Rows and columns of a block.' },
      fill: {
        label: 'Fill of a block',
        meaning: 'Largest share of the cells inside a chosen block that are non-zero.',
      },
    },
  },
  'planted-blocks': {
    title: 'Planted blocks',
    pattern: 'Groups of neighbouring rows share dense blocks of neighbouring columns, with noise everywhere else.',
    options: {
      granularity: {
        label: 'Rows of a block',
        unit: 'rows',
        meaning: 'Neighbouring rows that share their blocks; the last group of rows may be smaller.',
      },
      width: {
        label: 'Width of a block',
        unit: 'columns',
        meaning: 'Columns of a block; one block of each group is narrower, so that the share left is met.',
      },
      noise: { label: 'Noise', meaning: 'Share of the non-zeros that lie outside the blocks.' },
    },
  },
  'shared-columns': {
    title: 'Shared columns',
    pattern:
      'Groups of rows anywhere in the matrix share the same columns, scattered over the row, plus a little noise.',
    options: {
      groupRows: {
        label: 'Rows of a group',
        unit: 'rows',
        meaning: 'Rows that have the same columns; the last group may be smaller.',
      },
      noise: { label: 'Noise', meaning: 'Share of the non-zeros that are not in a column of their group.' },
    },
  },
  'outlier-columns': {
    title: 'Outlier columns',
    pattern: 'A few columns are much denser and hold much larger values than the rest, as in language models.',
    options: {
      share: {
        label: 'Share of outliers',
        meaning: 'Share of the columns that are outliers, rounded up to whole columns.',
      },
      denser: {
        label: 'Denser by',
        unit: 'times',
        meaning: 'How many times denser an outlier is than another column, until it is full.',
      },
      larger: { label: 'Larger by', unit: 'times', meaning: 'How many times larger the values of an outlier are.' },
    },
  },
  activations: {
    title: 'Activations',
    pattern:
      'Tokens by neurons after a rectifier: positive values, tokens that differ in how many neurons fire, denser first tokens, and dead neurons.',
    options: {
      tokenSkew: {
        label: 'Token skew',
        meaning: 'Standard deviation of the logarithm of the non-zeros of a token; 0 makes all tokens alike.',
      },
      positionDecay: {
        label: 'Position decay',
        meaning: 'The token at position k is k^-decay as dense as the first, on average; 0 makes all positions alike.',
      },
      dead: {
        label: 'Dead neurons',
        meaning: 'Share of the columns that no token fires, rounded down to whole columns.',
      },
    },
  },
};
