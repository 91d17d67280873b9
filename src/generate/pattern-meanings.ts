/** What the patterns of `patterns.ts` are, and their options, in a sentence each; apart, since only their form needs it. */
interface PatternMeaning {
  /** where the non-zeros are */
  readonly pattern: string;
  readonly options: Readonly<Record<string, string>>;
}

/** By the ids of patterns and of their options. */
export const PATTERN_MEANINGS: Readonly<Record<string, PatternMeaning>> = {
  uniform: {
    pattern: 'Every cell is non-zero with the same probability, independent of its neighbours.',
    options: {},
  },
  magnitude: {
    pattern: 'Normally distributed weights, of which only the largest by magnitude are kept.',
    options: {},
  },
  'n-of-m': {
    pattern: 'Every group of M neighbours in a row holds exactly N non-zeros, with N = density x M.',
    options: {
      m: 'Cells in a group; a shorter group at the end of a row holds its share, rounded up or down at random.',
    },
  },
  'row-skewed': {
    pattern: 'A few rows hold most of the non-zeros: the density of a row falls as a power of its rank.',
    options: {
      exponent: 'The row of rank k is k^-exponent as dense as the first; 0 makes all rows alike.',
      sorted: '1 puts the densest row first, 0 mixes the rows.',
    },
  },
  banded: {
    pattern: 'All non-zeros lie in a band along the diagonal, as wide as the density requires.',
    options: {
      fill: 'Largest share of the cells inside the band that are non-zero.',
    },
  },
  blocks: {
    pattern: 'Non-zeros are clustered in square blocks of a grid, and the cells between the chosen blocks are zero.',
    options: {
      blockSize: 'Rows and columns of a block.',
      fill: 'Largest share of the cells inside a chosen block that are non-zero.',
    },
  },
  'planted-blocks': {
    pattern: 'Groups of neighbouring rows share dense blocks of neighbouring columns, with noise everywhere else.',
    options: {
      granularity: 'Neighbouring rows that share their blocks; the last group of rows may be smaller.',
      width: 'Columns of a block; one block of each group is narrower, so that the density is met.',
      noise: 'Share of the non-zeros that lie outside the blocks.',
    },
  },
  'shared-columns': {
    pattern:
      'Groups of rows anywhere in the matrix share the same columns, scattered over the row, plus a little noise.',
    options: {
      groupRows: 'Rows that have the same columns; the last group may be smaller.',
      noise: 'Share of the non-zeros that are not in a column of their group.',
    },
  },
  'outlier-columns': {
    pattern: 'A few columns are much denser and hold much larger values than the rest, as in language models.',
    options: {
      share: 'Share of the columns that are outliers, rounded up to whole columns.',
      denser: 'How many times denser an outlier is than another column, until it is full.',
      larger: 'How many times larger the values of an outlier are.',
    },
  },
  activations: {
    pattern:
      'Tokens by neurons after a rectifier: positive values, tokens that differ in how many neurons fire, denser first tokens, and dead neurons.',
    options: {
      tokenSkew: 'Standard deviation of the logarithm of the non-zeros of a token; 0 makes all tokens alike.',
      positionDecay:
        'The token at position k is k^-decay as dense as the first, on average; 0 makes all positions alike.',
      dead: 'Share of the columns that no token fires, rounded down to whole columns.',
    },
  },
};
