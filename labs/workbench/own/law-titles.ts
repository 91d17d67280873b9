/**
 * The laws that every format has to satisfy, and their titles. 'matters': changing an element that is not padding
 * changes the result of decode. 'told': encode names each non-zero in one call of `tell`, a step of the format's story.
 */
export const LAWS = [
  { id: 'round-trip', title: 'Decodes to the same matrix' },
  { id: 'cells-once', title: 'No cell twice, none outside' },
  { id: 'matters', title: 'Every element matters' },
  { id: 'arrays-suffice', title: 'The arrays are enough' },
  { id: 'same-bytes', title: 'Encoding twice gives the same bytes' },
  { id: 'told', title: 'tell names each non-zero once' },
] as const;

export type LawId = (typeof LAWS)[number]['id'];
