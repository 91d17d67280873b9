/** Which entries stay. `density` is the share of cells, from 0 to 1. */
export type Pruning =
  /** the largest magnitudes of the matrix, or of every row */
  | { readonly way: 'magnitude' | 'rows'; readonly density: number }
  /** of every row those with the largest |w| times the norm of their column's activations, where these are known */
  | { readonly way: 'wanda'; readonly density: number }
  /** the `kept` largest of every `group` neighbours of a row */
  | { readonly way: 'n-of-m'; readonly kept: number; readonly group: number }
  | { readonly way: 'random'; readonly density: number; readonly seed: number };
