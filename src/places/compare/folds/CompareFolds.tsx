import type { Compared } from '../rows/compare-row.ts';

/** What more there is to know, each loaded when it is opened: `x.fold=NAME`. */
export function CompareFolds(_props: { readonly compared: Compared }) {
  return null;
}
