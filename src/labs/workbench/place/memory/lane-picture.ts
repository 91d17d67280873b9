import { type AccessSite, BANKS, LINE_BYTES } from '../../theory/access-steps.ts';

const WORD_BYTES = 4;
export const WORDS_PER_LINE = LINE_BYTES / WORD_BYTES;

/** A line of 128 bytes, or a turn of the banks: what stands in it is asked for. */
interface PictureRow {
  /** a line by its first byte in the array, a turn by its number */
  readonly at: number;
  /** words of 4 bytes that are asked for, by their place in the row, ascending */
  readonly words: readonly number[];
}

/** Where a lane gets what it asks for. */
export interface PictureLink {
  readonly lane: number;
  /** which of the rows */
  readonly row: number;
  /** first word in it, and how many */
  readonly word: number;
  readonly words: number;
  /** first byte in the array */
  readonly byte: number;
}

/** One load as a picture: lanes above, below them the lines or turns that they take. */
export interface LanePicture {
  readonly space: AccessSite['space'];
  readonly lanes: number;
  readonly rows: readonly PictureRow[];
  /** of lanes that take part, in their order */
  readonly links: readonly PictureLink[];
}

/**
 * The picture of one load, from the item of each lane, which lies inside the array; -1 for a lane that takes no part.
 * O(lanes log lanes).
 */
export function lanePicture(space: AccessSite['space'], itemBytes: number, items: readonly number[]): LanePicture {
  const words = itemBytes / WORD_BYTES;
  const asked = items.flatMap((item, lane) => (item < 0 ? [] : [{ lane, word: item * words }]));
  const place = space === 'storage' ? linePlaces(asked.map(({ word }) => word)) : turnPlaces(asked, words);
  const inRow = new Map<number, Set<number>>();
  const links = asked.map(({ lane, word }) => {
    const { row, column } = place(word);
    for (let w = word; w < word + words; w++) {
      const one = place(w);
      inRow.set(one.row, (inRow.get(one.row) ?? new Set()).add(one.column));
    }
    return { lane, row, word: column, words, byte: word * WORD_BYTES };
  });
  const rows = [...inRow.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([row, columns]) => ({ at: place.at(row), words: [...columns].toSorted((a, b) => a - b) }));
  return { space, lanes: items.length, rows, links };
}

/** Where words stand in the picture. */
interface Places {
  (word: number): { readonly row: number; readonly column: number };
  /** what a row is called by */
  at(row: number): number;
}

/** Lines in the order of the array. */
function linePlaces(words: readonly number[]): Places {
  const lineOf = (word: number): number => Math.floor(word / WORDS_PER_LINE);
  const lines = [...new Set(words.map(lineOf))].toSorted((a, b) => a - b);
  const rowOf = new Map(lines.map((line, row) => [line, row]));
  return Object.assign((word: number) => ({ row: rowOf.get(lineOf(word)) ?? 0, column: word % WORDS_PER_LINE }), {
    at: (row: number) => lines[row] * LINE_BYTES,
  });
}

/** Every bank serves the words that it holds one after the other, in the order of lanes. */
function turnPlaces(asked: readonly { readonly word: number }[], wordsPerItem: number): Places {
  const taken = new Int32Array(BANKS);
  const turnOf = new Map<number, number>();
  for (const { word } of asked) {
    for (let w = word; w < word + wordsPerItem; w++) {
      if (!turnOf.has(w)) turnOf.set(w, taken[w % BANKS]++);
    }
  }
  return Object.assign((word: number) => ({ row: turnOf.get(word) ?? 0, column: word % BANKS }), {
    at: (row: number) => row + 1,
  });
}
