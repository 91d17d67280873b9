import type { Compared } from './compare-row.ts';

/** The answer in a line or two: what A and B need, and what is smaller. */
export function CompareAnswer({ compared }: { readonly compared: Compared }) {
  return <h2 className="compare-answer">{compared.level === 'model' ? 'This model' : 'This matrix'}</h2>;
}
