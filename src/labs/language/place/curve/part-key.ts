/** Names what was pruned alone: a layer, a kind, or a matrix. */
export function partKey(layer: number | null, kind: string | null): string {
  return `${layer ?? 'all'} ${kind ?? 'all'}`;
}
