import type { Compared } from '../rows/compare-row.ts';

/** One chart over what is left: bytes of a matrix, tokens per second of a model. */
export function CompareChart(_props: { readonly compared: Compared }) {
  return null;
}
