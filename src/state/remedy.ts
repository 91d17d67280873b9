import { type AppDocument, baseOf, type Stored, withAgainst, withStored } from './document.ts';

/** What is done about a matrix that a format cannot store, so that it can. */
export type Remedy =
  | { readonly kind: 'prune'; readonly kept: number; readonly group: number }
  /** an example in its place */
  | { readonly kind: 'open'; readonly id: string; readonly what: string };

/** The document with a format as A or B, and with what it needs. */
export function withRemedy(doc: AppDocument, side: 'a' | 'b', stored: Stored, remedy: Remedy | null): AppDocument {
  const chosen = side === 'a' ? withStored(doc, stored) : withAgainst(doc, stored);
  if (remedy === null) return chosen;
  if (remedy.kind === 'open') {
    return { ...chosen, source: { kind: 'example', id: remedy.id }, window: null, step: 0 };
  }
  const { kept, group } = remedy;
  const source = { kind: 'pruned', base: baseOf(doc.source), pruning: { way: 'n-of-m', kept, group } } as const;
  return { ...chosen, source, step: 0 };
}

/** What has been done, to follow the name of the matrix: 'it is pruned to 6:8'. */
export function doneText(remedy: Remedy): string {
  return remedy.kind === 'open' ? `${remedy.what} instead` : `it is pruned to ${remedy.kept}:${remedy.group}`;
}
