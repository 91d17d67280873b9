import { rowBuffer } from '../../../core/matrix/index.ts';
import type { Random } from '../../../core/number/random.ts';
import { stepEncoded, stepStoring } from '../../../core/declared/story/trace.ts';
import type { Question } from '../../../core/story/question.ts';
import { counted, listText, say, strong } from '../../../core/story/words.ts';
import { columnAt, countAt, entryAt } from '../layout.ts';
import { encoding } from '../encoding.ts';
import { overflowOf } from '../overflow.ts';
import { capacityOf, slotsOf } from '../params.ts';
import type { TwellTrace } from './facts.ts';

const oneOf = <T>(list: readonly T[], random: Random): T | null =>
  list.length === 0 ? null : list[random.below(list.length)];

const columnsText = (columns: Iterable<number>): string => listText(Array.from(columns, String));

const rowColumns = ({ window }: TwellTrace, row: number): Uint32Array =>
  window.indices.subarray(window.indptr[row], window.indptr[row + 1]);

interface EntryAsked {
  readonly trace: TwellTrace;
  readonly row: number;
  readonly tile: number;
  /** index within its tile row */
  readonly i: number;
  /** element of words */
  readonly element: number;
}

function entriesOf(trace: TwellTrace): readonly EntryAsked[] {
  const { encoded: e } = trace;
  if (e.layout !== 'packed') return [];
  return Array.from({ length: e.rows * e.tiles }, (_, tileRow) =>
    Array.from({ length: countAt(e, tileRow) }, (__, i) => ({
      trace,
      row: Math.floor(tileRow / e.tiles),
      tile: tileRow % e.tiles,
      i,
      element: entryAt(e, tileRow, i),
    })),
  ).flat();
}

const columnOf = ({ trace, element }: EntryAsked): number => columnAt(trace.encoded, element);
const packed = ({ trace, element }: EntryAsked): number => stepStoring(trace, 'words', element);
/** The words before its tile row. */
const before = ({ trace: { encoded: e }, row, tile }: EntryAsked): number => (row * e.tiles + tile) * e.slots;
/** How many non-zeros of its row precede it. */
const ordinalInRow = (asked: EntryAsked): number => rowColumns(asked.trace, asked.row).indexOf(columnOf(asked));

/** Which word holds a non-zero. */
const wordOfColumn: Question<TwellTrace, EntryAsked> = {
  id: 'word-of-column',
  subject: (trace, random) =>
    oneOf(
      entriesOf(trace).filter(({ row, tile, i }) => row > 0 && tile > 0 && i > 0),
      random,
    ),
  ask: (asked) => {
    const { encoded: e } = asked.trace;
    return say`A token has ${counted(e.tiles, 'tile')} of ${e.tileWidth} columns. Each tile has ${strong(counted(e.slots, 'word'))}, and the first of them is its count. Tokens follow each other. Token ${asked.row} fires neurons ${columnsText(rowColumns(asked.trace, asked.row))}. Which word, from 0 on, holds neuron ${strong(columnOf(asked))}?`;
  },
  answer: ({ element }) => element,
  because: (asked) =>
    say`Token ${asked.row}, tile ${asked.tile} begins at word ${before(asked)}. That word is the count, and ${asked.i} of the tile’s non-zeros ${asked.i === 1 ? 'comes' : 'come'} first: word ${strong(asked.element)}.`,
  span: (asked) => ({ before: packed(asked) - 1, shows: packed(asked) }),
  misconceptions: [
    {
      id: 'count-word-forgotten',
      title: 'a tile begins with its first non-zero',
      answer: ({ element }) => element - 1,
      reply: (asked) =>
        say`Word ${before(asked)} is the ${strong('count')} of the tile. The non-zeros begin one word later.`,
      departs: packed,
    },
    {
      id: 'packed-through-the-row',
      title: 'the non-zeros of a row move together',
      answer: (asked) => asked.row * asked.trace.encoded.tiles * asked.trace.encoded.slots + 1 + ordinalInRow(asked),
      reply: () =>
        say`That is ELL. It would have to wait for the tiles on the left. In TwELL every tile packs ${strong('its own columns alone')}.`,
      departs: packed,
    },
    {
      id: 'a-word-for-each-column',
      title: 'a value keeps its place in the tile',
      answer: (asked) => before(asked) + 1 + (columnOf(asked) % asked.trace.encoded.tileWidth),
      reply: ({ trace: { encoded: e } }) =>
        say`Then a tile would need ${e.tileWidth} words, and there are ${e.slots}. Non-zeros ${strong('move to the left')}, and the word says the column.`,
      departs: packed,
    },
  ],
};

interface HotAsked {
  readonly trace: TwellTrace;
  /** the fullest tile, how many fired in it, and in all of its token */
  readonly row: number;
  readonly tile: number;
  readonly count: number;
  readonly ofToken: number;
}

/** What is refused is stored in no step: the whole story is without it. */
const stored = ({ trace }: { readonly trace: TwellTrace }): number => stepEncoded(trace);
const withoutPlace = ({ trace, count }: HotAsked): number => count - capacityOf(trace.encoded);
const roomOfToken = ({ trace: { encoded } }: HotAsked): number => encoded.tiles * capacityOf(encoded);

/** How many non-zeros of the fullest tile do not fit. */
const withoutPlaceInTile: Question<TwellTrace, HotAsked> = {
  id: 'without-a-place',
  unit: 'non-zeros',
  subject(trace) {
    const { refused, encoded: e } = trace;
    if (!refused || e.layout !== 'packed') return null;
    const hot = overflowOf(refused, e.tileWidth, capacityOf(e))?.fullest;
    return hot ? { ...hot, trace, ofToken: refused.readRow(hot.row, rowBuffer(refused.cols)) } : null;
  },
  ask: ({ trace: { encoded: e }, row, tile, count, ofToken }) =>
    say`A tile has ${e.tileWidth} columns and ${strong(counted(slotsOf(e), 'word'))}, its count included. Token ${row} has ${counted(e.tiles, 'tile')} and ${counted(ofToken, 'non-zero')}, of which ${strong(count)} stand in tile ${tile}. How many of these find no place?`,
  answer: withoutPlace,
  because: (asked) =>
    say`One word is the count, so there are ${counted(capacityOf(asked.trace.encoded), 'place')} for ${asked.count}: ${strong(withoutPlace(asked))} too many. The encoder refuses the matrix.`,
  span: (asked) => ({ before: 0, shows: stored(asked) }),
  misconceptions: [
    {
      id: 'every-word-a-place',
      title: 'every word of a tile holds a non-zero',
      answer: ({ trace, count }) => count - slotsOf(trace.encoded),
      reply: () => say`The first word of a tile is its ${strong('count')}.`,
      departs: stored,
    },
    {
      id: 'other-tiles-lend-room',
      title: 'a tile can use its neighbours’ empty places',
      answer: (asked) => Math.max(0, asked.ofToken - roomOfToken(asked)),
      reply: (asked) =>
        say`All tiles of the token together have ${counted(roomOfToken(asked), 'place')}. But each is packed by itself, and ${strong('none knows')} what its neighbour has left.`,
      departs: stored,
    },
    {
      id: 'the-whole-tile-is-lost',
      title: 'a tile that overflows stores nothing',
      answer: ({ count }) => count,
      reply: ({ trace }) =>
        say`The first ${strong(capacityOf(trace.encoded))} would still fit. But a matrix is stored whole or not at all.`,
      departs: stored,
    },
  ],
};

interface TraceAsked {
  readonly trace: TwellTrace;
}

const firstPacked = ({ trace }: TraceAsked): number => stepStoring(trace, 'words', 0);
const totalBytes = ({ trace }: TraceAsked): number => encoding.storage(trace.encoded).totalBytes;

/** The bytes of the window, whatever it holds. */
const bytes: Question<TwellTrace, TraceAsked> = {
  id: 'bytes',
  unit: 'bytes',
  subject: (trace) => (!trace.refused && trace.window.nnz > 0 && trace.encoded.layout === 'packed' ? { trace } : null),
  ask: ({ trace: { window, encoded: e } }) =>
    say`${counted(window.rows, 'token')} fire ${strong(counted(window.nnz, 'neuron'))} in all. Each token has ${counted(e.tiles, 'tile')} of ${counted(e.slots, 'word')}, and a word takes 4 bytes. How many bytes does TwELL take?`,
  answer: totalBytes,
  because: (asked) => {
    const { rows, tiles, slots } = asked.trace.encoded;
    return say`${rows} × ${tiles} × ${slots} words of 4 bytes: ${strong(`${totalBytes(asked)} bytes`)}.`;
  },
  span: (asked) => ({ before: stored(asked) - 1, shows: stored(asked) }),
  misconceptions: [
    {
      id: 'non-zeros-alone',
      title: 'only non-zeros take room',
      answer: ({ trace }) => trace.window.nnz * 4,
      reply: () =>
        say`A tile gets its room ${strong('beforehand')}, so that no tile has to wait for another. Empty words are stored, too.`,
      departs: firstPacked,
    },
    {
      id: 'non-zeros-and-counts',
      title: 'only non-zeros and counts take room',
      answer: ({ trace: { window, encoded: e } }) => (window.nnz + e.rows * e.tiles) * 4,
      reply: () => say`${strong('Empty words')} take bytes like all others.`,
      departs: firstPacked,
    },
    {
      id: 'counts-come-on-top',
      title: 'the count is stored beside the words',
      answer: (asked) => totalBytes(asked) + asked.trace.encoded.rows * asked.trace.encoded.tiles * 4,
      reply: () => say`The count is ${strong('one of the words')}: the first of its tile.`,
      departs: firstPacked,
    },
  ],
};

/** The questions that lessons can ask about TwELL. */
export const questions: readonly Question[] = [wordOfColumn, withoutPlaceInTile, bytes] as readonly Question[];
