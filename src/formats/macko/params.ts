/* The parameters of MACKO, and texts and facts (numbers with names) that explain its size by them. */

import type { ParamSpec } from '../../core/format.ts';
import type { EntryType } from '../../core/number/index.ts';
import { fact, type NamedFact, type Stated, stated } from '../../core/text/stated.ts';

/** Bits of a stored delta, the number of columns skipped before an entry. */
export type DeltaBits = 1 | 2 | 4 | 8;

/** The parameters of MACKO. */
export interface MackoParams {
  /** k: bits per delta; the next entry is at most 2^k columns away */
  readonly deltaBits: DeltaBits;
  readonly valueType: EntryType;
}

export const DELTA_BITS: readonly DeltaBits[] = [1, 2, 4, 8];

/** The parameters as fields of a form, with labels and defaults. */
export const params: ParamSpec<MackoParams> = {
  deltaBits: {
    kind: 'choice',
    label: 'delta bits',
    meaning: 'Bits of a skip. More reach further; fewer cost less.',
    unit: 'bits',
    bitsOf: 'skips',
    default: 4,
    options: DELTA_BITS.map((value) => ({ value, label: String(value) })),
  },
  // Does not use `valueTypes`, as other formats do, so that the package of MACKO alone (src/lib/codecs) needs no further file.
  valueType: {
    kind: 'choice',
    label: 'values',
    meaning: 'i8 has a scale per row, i4 one per 32 entries.',
    default: 'f16',
    options: [
      { value: 'f16', label: 'f16' },
      { value: 'f32', label: 'f32' },
      { value: 'i8', label: 'i8, scale per row' },
      { value: 'i4', label: 'i4, scale per 32 entries', comparedWith: 'f16' },
    ],
  },
};

/** Greatest distance in columns to the next entry: 2^k. */
export function reachOf(deltaBits: DeltaBits): number {
  return 1 << deltaBits;
}

/** Fewest stored zeros per weight that a text mentions. */
export const FEW_ZEROS = 0.05;

/** The mean number of skipped columns, as a fact; `gap`: the mean distance between entries, greater by 1. */
export function meanSkip(gap: number, unit: readonly [one: string, several: string]): NamedFact {
  return fact('mean skip', gap - 1, 'mean', unit);
}

/** Stored zeros per weight, as a fact. */
export function zerosPerWeight(zeros: number): NamedFact {
  return fact('padding per non-zero', zeros, zeros < 1 ? 2 : 1);
}

/** The bits of a delta, as a fact. */
function bitsFact({ deltaBits }: Pick<MackoParams, 'deltaBits'>): NamedFact {
  return fact('delta bits', deltaBits, 'count', ['bit', 'bits']);
}

/** The longest skip that a delta stores, in words: '4 bits skip at most 15'. */
export function skipLimit(p: Pick<MackoParams, 'deltaBits'>): Stated {
  const longest = fact('longest skip', reachOf(p.deltaBits) - 1);
  return stated`${bitsFact(p)} ${p.deltaBits === 1 ? 'skips' : 'skip'} at most ${longest}`;
}

/** Why a matrix without weights has its size, in words. */
export function emptyReason(p: Pick<MackoParams, 'deltaBits'>): Stated {
  return stated`${bitsFact(p)} ${p.deltaBits === 1 ? 'stores' : 'store'} how many columns are skipped before a weight`;
}
