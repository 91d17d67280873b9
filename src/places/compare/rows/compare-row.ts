import type { ByteClass } from '../../../core/encoded/ledger.ts';
import type { AnyListedFormat } from '../../../core/format.ts';
import type { Stored } from '../../../state/index.ts';

/** What a row's bytes are for: a class of the ledger, or what stays dense in a model whatever the format. */
export type Role = ByteClass | 'kept';

export interface Part {
  readonly role: Role;
  readonly bytes: number;
}

/** What makes a refused row possible, in one click. */
export type RowRemedy =
  | { readonly kind: 'prune'; readonly kept: number; readonly group: number }
  | { readonly kind: 'params'; readonly stored: Stored; readonly label: string }
  | { readonly kind: 'open'; readonly id: string; readonly what: string };

/** One way to store the subject, at the level of a matrix or of a whole model. */
export interface CompareRow {
  /** of format and parameters */
  readonly key: string;
  readonly format: AnyListedFormat;
  /** parameters are complete, and resolved for the shape */
  readonly stored: Stored;
  /** 'f16, 4-bit' */
  readonly detail: string;
  /** null while they are not known, or where the format cannot store the subject */
  readonly bytes: number | null;
  /** `bytes` follow from a closed form, not from an encoding */
  readonly isExpected: boolean;
  /** null where only the sum is known */
  readonly parts: readonly Part[] | null;
  /** `bytes` as a share of those of dense f16; null where they are not known */
  readonly ofF16: number | null;
  /** seconds for y = A x of a matrix, or of all matrices of a model: what its bytes alone take at the device's read speed */
  readonly atMostNs: number | null;
  /** on the device that answers */
  readonly measuredNs: number | null;
  /** why it cannot store the subject, or why its bytes could not be found: one sentence */
  readonly refusal: string | null;
  readonly remedy: RowRemedy | null;
}

/** What the page compares, and all that is known about it. */
export interface Compared {
  /** a layer counts as a model of one layer */
  readonly level: 'matrix' | 'model';
  /** smallest first; those that cannot store the subject last */
  readonly rows: readonly CompareRow[];
}
