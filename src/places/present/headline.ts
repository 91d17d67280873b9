import type { Words } from '../../core/story/scene.ts';

interface Headline {
  /** the first sentence */
  readonly first: readonly Words[];
  /** the rest */
  readonly rest: readonly Words[];
}

/** Splits the words of a step after their first sentence. */
export function headlineOf(words: readonly Words[]): Headline {
  for (const [i, { text, strong }] of words.entries()) {
    // A full stop before a space and a capital letter, or at the end of a piece followed by another.
    const end = /[.?!](?=\s+\p{Lu})/u.exec(text);
    const cut = end ? end.index + 1 : /[.?!]\s*$/.test(text) ? text.length : -1;
    if (cut < 0) continue;
    const piece = (part: string): readonly Words[] =>
      part === '' ? [] : [{ text: part, ...(strong !== undefined && { strong }) }];
    return {
      first: [...words.slice(0, i), ...piece(text.slice(0, cut))],
      rest: [...piece(text.slice(cut).trimStart()), ...words.slice(i + 1)],
    };
  }
  return { first: words, rest: [] };
}

/** Number of letters. */
export function lengthOf(words: readonly Words[]): number {
  return words.reduce((sum, { text }) => sum + text.length, 0);
}
