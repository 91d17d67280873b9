/** What the first screen is about: one matrix of a model that everybody knows, of which half is left. */
export const FIRST_VISIT = {
  source: {
    kind: 'pruned',
    base: { kind: 'model', model: 'llama-3.1-8b', layer: 12, matrix: 'down' },
    pruning: { way: 'magnitude', density: 0.5 },
  },
  // As many columns as the moving picture has at most, of the first row in which a weight follows more than 15 empty
  // columns: the story has to bridge them with a stored zero.
  window: { row: 11, col: 3169, rows: 5, cols: 32 },
} as const;
