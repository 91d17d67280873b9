/**
 * The laws, which every format has to satisfy. 'matters': changing an element that is not padding changes what decode
 * gives. The last: encode narrates each non-zero by one call of `tell`.
 */
export const LAWS = [
  { id: 'round-trip', title: 'Gives the matrix back' },
  { id: 'cells-once', title: 'No cell twice, none outside' },
  { id: 'matters', title: 'Every element matters' },
  { id: 'arrays-suffice', title: 'The arrays are enough' },
  { id: 'same-bytes', title: 'Encoding twice gives the same bytes' },
  { id: 'told', title: 'Each non-zero is told once' },
] as const;

export type LawId = (typeof LAWS)[number]['id'];
