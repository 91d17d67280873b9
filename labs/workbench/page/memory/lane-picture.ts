// The picture of one memory load of a subgroup: which lanes request which words, and how the memory serves them.

import { type AccessSite, BANKS, LINE_BYTES } from '../../theory/access-steps.ts';

/** Bytes of a word, the unit of the picture. */
export const WORD_BYTES = 4;
export const WORDS_PER_LINE = LINE_BYTES / WORD_BYTES;

/**
 * A row of the picture. Storage memory: the requested words of a 128-byte cache line. Workgroup memory: the words of a
 * turn, in which every bank serves one word; further words of a bank need further turns (bank conflicts).
 */
interface PictureRow {
  /** for a line its first byte in the array, for a turn its number */
  readonly at: number;
  /** requested words of 4 bytes, by their index in the row, ascending */
  readonly words: readonly number[];
}

/** The words that a lane requests. */
export interface PictureLink {
  readonly lane: number;
  /** index of the row */
  readonly row: number;
  /** first word in it, and number of words */
  readonly word: number;
  readonly words: number;
  /** first byte in the array */
  readonly byte: number;
}

/** One load as a picture: lanes above, and below them the lines or turns that serve them. */
export interface LanePicture {
  readonly space: AccessSite['space'];
  readonly lanes: number;
  readonly rows: readonly PictureRow[];
  /** of active lanes, in order */
  readonly links: readonly PictureLink[];
}

/**
 * Returns the picture of one load. `items`: the index of the item that each lane loads, -1 for an inactive lane;
 * `itemBytes`: a multiple of 4. O(lanes log lanes).
 */
export function lanePicture(space: AccessSite['space'], itemBytes: number, items: readonly number[]): LanePicture {
  const words = itemBytes / WORD_BYTES;
  const requests = items.flatMap((item, lane) => (item < 0 ? [] : [{ lane, word: item * words }]));
  const positions =
    space === 'storage' ? linePositions(requests.map(({ word }) => word)) : turnPositions(requests, words);
  const columnsOfRow = new Map<number, Set<number>>();
  const links = requests.map(({ lane, word }) => {
    const { row, column } = positions(word);
    for (let w = word; w < word + words; w++) {
      const position = positions(w);
      columnsOfRow.set(position.row, (columnsOfRow.get(position.row) ?? new Set()).add(position.column));
    }
    return { lane, row, word: column, words, byte: word * WORD_BYTES };
  });
  const rows = [...columnsOfRow.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([row, columns]) => ({ at: positions.at(row), words: [...columns].toSorted((a, b) => a - b) }));
  return { space, lanes: items.length, rows, links };
}

/** Returns the row and column in the picture of a word of the array, by its index. */
interface WordPositions {
  (word: number): { readonly row: number; readonly column: number };
  /** the field `at` of a row */
  at(row: number): number;
}

/** In a buffer a row is a line; lines are in the order of the array. */
function linePositions(words: readonly number[]): WordPositions {
  const lineOf = (word: number): number => Math.floor(word / WORDS_PER_LINE);
  const lines = [...new Set(words.map(lineOf))].toSorted((a, b) => a - b);
  const rowOf = new Map(lines.map((line, row) => [line, row]));
  return Object.assign((word: number) => ({ row: rowOf.get(lineOf(word)) ?? 0, column: word % WORDS_PER_LINE }), {
    at: (row: number) => lines[row] * LINE_BYTES,
  });
}

/** In workgroup memory a row is a turn: every bank serves its words one after the other, in the order of lanes. */
function turnPositions(requests: readonly { readonly word: number }[], wordsPerItem: number): WordPositions {
  const turnsOfBank = new Int32Array(BANKS);
  const turnOf = new Map<number, number>();
  for (const { word } of requests) {
    for (let w = word; w < word + wordsPerItem; w++) {
      if (!turnOf.has(w)) turnOf.set(w, turnsOfBank[w % BANKS]++);
    }
  }
  return Object.assign((word: number) => ({ row: turnOf.get(word) ?? 0, column: word % BANKS }), {
    at: (row: number) => row + 1,
  });
}
