/** The index of the word that an arrow key leads to from one of `count`: the ends lead to each other. */
export function nextWord(at: number, count: number, key: string): number {
  if (key === 'ArrowRight') return (at + 1) % count;
  return key === 'ArrowLeft' ? (at - 1 + count) % count : at;
}
