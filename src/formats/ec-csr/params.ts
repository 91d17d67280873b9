import type { ParamSpec } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { fact, type Stated, stated } from '../../core/text/stated.ts';
import { valueTypeParam } from '../../theory/shared-params.ts';

/** Where the last columns of a block go, which do not fill a vector in every lane; see `params.remainder`. */
export type Remainder = 'same-block' | 'short-block';

/** How many similar rows (witnesses) decide which shared columns stay in their rows; see `params.witnesses`. */
type Witnesses = 'two' | 'none';

/** The order in which the blocks of a set (all with equally many rows) are stored; see `params.order`. */
type BlockOrder = 'longest-first' | 'as-found';

/** The parameters of EC-SpMV. */
export interface EcCsrParams {
  /** L: lanes that share a block; each processes a contiguous range of its columns */
  readonly lanes: (typeof LANES)[number];
  /** v: columns that a lane loads at once */
  readonly vectorSize: (typeof VECTOR_SIZES)[number];
  readonly deltaBits: (typeof DELTA_BITS)[number];
  /** largest number of matrix rows in a block; 1 turns extraction (rows that share columns become blocks) off */
  readonly maxGranularity: 1 | 2 | 4 | 8;
  /** rounds of matching per level (rows pair into blocks, these into larger blocks); 0: until nothing is extracted */
  readonly maxRounds: number;
  /** which shared columns stay in their rows if not all fit a block: those that a similar row lacks, or the last */
  readonly witnesses: Witnesses;
  /** blocks with more columns are split; 0: so that no block has more than about a 4096th of all values */
  readonly clipColumns: number;
  /** where the columns of a block or a row beyond a multiple of L v go: to the same block, or to a short one */
  readonly remainder: Remainder;
  /** blocks of a set by their number of columns, descending, or in the order of the search */
  readonly order: BlockOrder;
  readonly valueType: 'f16' | 'f32';
}

export const LANES = [2, 4, 8, 16, 32] as const;
export const VECTOR_SIZES = [1, 2, 4] as const;
export const DELTA_BITS = [4, 8, 16] as const;

const choices = <T extends number>(values: readonly T[]): { value: T; label: string }[] =>
  values.map((value) => ({ value, label: String(value) }));

/** The parameters as fields of a form, with labels and defaults. */
export const params: ParamSpec<EcCsrParams> = {
  lanes: {
    kind: 'choice',
    label: 'lanes',
    meaning: 'Lanes that share a block. Fewer suit small matrices.',
    default: 32,
    storyDefault: 2,
    options: choices(LANES),
  },
  vectorSize: {
    kind: 'choice',
    label: 'vector',
    meaning: 'Columns that a lane loads at once. Blocks take multiples of lanes × vector.',
    default: 4,
    storyDefault: 2,
    options: choices(VECTOR_SIZES),
  },
  deltaBits: {
    kind: 'choice',
    label: 'delta bits',
    meaning: 'Bits for the distance to the lane’s previous column.',
    unit: 'bits',
    bitsOf: 'steps',
    default: 8,
    options: choices(DELTA_BITS),
  },
  maxGranularity: {
    kind: 'choice',
    label: 'rows per block',
    meaning: 'Most rows of a block. 1 turns the extraction off.',
    default: 8,
    options: choices([1, 2, 4, 8]),
  },
  maxRounds: {
    kind: 'integer',
    label: 'rounds',
    meaning: 'Rounds of matching per level; 0: until one extracts nothing.',
    default: 0,
    min: 0,
    max: 1000,
  },
  witnesses: {
    kind: 'choice',
    label: 'witnesses',
    meaning: 'Which shared columns stay if not all can leave: those that similar rows lack, or the last.',
    default: 'two',
    options: [
      { value: 'two', label: 'two' },
      { value: 'none', label: 'none, as published' },
    ],
  },
  clipColumns: {
    kind: 'integer',
    label: 'clip',
    meaning: 'Longer blocks are split; 0: at about 1/4096 of all values.',
    unit: 'columns',
    default: 0,
    min: 0,
    max: 2 ** 20,
  },
  remainder: {
    kind: 'choice',
    label: 'remainder',
    meaning: 'Where columns that fill no vector go; as published, to their own block.',
    default: 'same-block',
    options: [
      { value: 'same-block', label: 'same block' },
      { value: 'short-block', label: 'own block' },
    ],
  },
  order: {
    kind: 'choice',
    label: 'order',
    meaning: 'The longest blocks first, so that none ends late.',
    default: 'longest-first',
    options: [
      { value: 'longest-first', label: 'longest first' },
      { value: 'as-found', label: 'as found' },
    ],
  },
  valueType: valueTypeParam('How each value is stored.', ['f16', 'f32']),
};

/** An extracted block has a multiple of this many columns, which its rows share: L v. */
export function blockColumns({ lanes, vectorSize }: EcCsrParams): number {
  return lanes * vectorSize;
}

/** Stored blocks are padded to a multiple of this many columns: lanes are full, and blocks begin where vectors do. */
export function columnStep({ lanes, vectorSize }: EcCsrParams): number {
  return Math.max(lanes, vectorSize);
}

/** The widest distance between neighbouring columns of a lane: 2^deltaBits - 1. */
export function reachOf({ deltaBits }: EcCsrParams): number {
  return 2 ** deltaBits - 1;
}

/** Bits per stored value. */
export function valueBits({ valueType }: EcCsrParams): number {
  return VALUE_BITS[valueType];
}

/** Why a matrix that was not encoded has its expected size, in words; how much blocks save is not known. */
export function expectedReason(_density: number, { deltaBits, maxGranularity }: EcCsrParams): Stated {
  return deltasReason(deltaBits, maxGranularity);
}

/** Why a matrix whose largest block has `granularity` rows has its size, in words. */
export function deltasReason(deltaBits: number, granularity: number): Stated {
  const bits = fact('delta bits', deltaBits, 'count', ['bit', 'bits']);
  return granularity === 1
    ? stated`${bits} from column to column, and where each lane starts`
    : stated`up to ${fact('rows of the largest block', granularity)} rows with the same columns share one list of them`;
}
