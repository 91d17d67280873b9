import { rowBuffer } from '../../../core/matrix/index.ts';
import { stepEncoded, stepStoring } from '../../../story/declared/trace.ts';
import { oneOf, type Question, type TraceCase } from '../../../story/question.ts';
import { counted, listText, say, strong } from '../../../core/text/words.ts';
import { minus, of, plus, times } from '../../../story/computed.ts';
import { columnAt, countAt, entryAt } from '../layout.ts';
import { encoding } from '../encoding.ts';
import { overflowOf } from '../overflow.ts';
import { capacityOf, slotsOf } from '../params.ts';
import type { TwellTrace } from './facts.ts';

const columnsText = (columns: Iterable<number>): string => listText(Array.from(columns, String));

const rowColumns = ({ window }: TwellTrace, row: number): Uint32Array =>
  window.indices.subarray(window.indptr[row], window.indptr[row + 1]);

interface EntryCase {
  readonly trace: TwellTrace;
  readonly row: number;
  readonly tile: number;
  /** index within its tile row */
  readonly i: number;
  /** element of words */
  readonly element: number;
}

function entriesOf(trace: TwellTrace): readonly EntryCase[] {
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

const columnOf = ({ trace, element }: EntryCase): number => columnAt(trace.encoded, element);
const packingStep = ({ trace, element }: EntryCase): number => stepStoring(trace, 'words', element);
/** The number of words before the entry's tile row. */
const wordsBefore = ({ trace: { encoded: e }, row, tile }: EntryCase): number => (row * e.tiles + tile) * e.slots;
/** How many non-zeros of its row precede the entry. */
const ordinalInRow = (s: EntryCase): number => rowColumns(s.trace, s.row).indexOf(columnOf(s));

/** A question about the word that contains a non-zero. */
const wordOfColumn: Question<TwellTrace, EntryCase> = {
  id: 'word-of-column',
  findCase: (trace, random) =>
    oneOf(
      entriesOf(trace).filter(({ row, tile, i }) => row > 0 && tile > 0 && i > 0),
      random,
    ),
  needs: ({ encoded: e }) => `a row after row 0 has two non-zeros in a tile of ${e.tileWidth} columns after the first`,
  ask: (questionCase) => {
    const { encoded: e } = questionCase.trace;
    return say`A token has ${counted(e.tiles, 'tile')} of ${e.tileWidth} columns. Each tile has ${strong(counted(e.slots, 'word'))}, and the first of them is its count. Tokens follow each other. Token ${questionCase.row} fires neurons ${columnsText(rowColumns(questionCase.trace, questionCase.row))}. Which word, counted from 0, contains neuron ${strong(columnOf(questionCase))}?`;
  },
  answer: ({ element }) => element,
  reason: (questionCase) =>
    say`Token ${questionCase.row}, tile ${questionCase.tile} begins at word ${wordsBefore(questionCase)}. That word is the count, and ${questionCase.i} of the tile’s non-zeros ${questionCase.i === 1 ? 'comes' : 'come'} first: word ${strong(questionCase.element)}.`,
  steps: (questionCase) => ({ before: packingStep(questionCase) - 1, shows: packingStep(questionCase) }),
  misconceptions: [
    {
      id: 'count-word-forgotten',
      title: 'a tile begins with its first non-zero',
      answer: (questionCase) => plus(of(wordsBefore(questionCase), 'words before'), questionCase.i),
      reply: (questionCase) =>
        say`Word ${wordsBefore(questionCase)} is the ${strong('count')} of the tile. The non-zeros begin one word later.`,
    },
    {
      id: 'packed-through-the-row',
      title: 'the non-zeros of a row move together',
      answer: (questionCase) =>
        plus(of(wordsBefore({ ...questionCase, tile: 0 }), 'words before'), 1, ordinalInRow(questionCase)),
      reply: () =>
        say`That is ELL. It would have to wait for the tiles on the left. In TwELL every tile packs ${strong('its own columns alone')}.`,
    },
    {
      id: 'a-word-for-each-column',
      title: 'a value keeps its position in the tile',
      answer: (questionCase) => {
        const place = columnOf(questionCase) % questionCase.trace.encoded.tileWidth;
        return plus(of(wordsBefore(questionCase), 'words before'), 1, place);
      },
      reply: ({ trace: { encoded: e } }) =>
        say`Then a tile would need ${e.tileWidth} words, and there are ${e.slots}. Non-zeros ${strong('move to the left')}, and the word contains the column.`,
    },
  ],
};

/** The fullest tile of a rejected matrix. */
interface FullestTile {
  readonly trace: TwellTrace;
  /** the tile's token and number, how many neurons fired in it, and how many in all tiles of the token */
  readonly row: number;
  readonly tile: number;
  readonly count: number;
  readonly ofToken: number;
}

/** The step after which everything is stored; no step stores a non-zero that does not fit. */
const encodedStep = ({ trace }: { readonly trace: TwellTrace }): number => stepEncoded(trace);
const withoutSlot = ({ trace, count }: FullestTile): number => count - capacityOf(trace.encoded);
const slotsOfToken = ({ trace: { encoded } }: FullestTile): number => encoded.tiles * capacityOf(encoded);

/** How many non-zeros of the fullest tile do not fit. */
const withoutSlotInTile: Question<TwellTrace, FullestTile> = {
  id: 'without-a-place',
  unit: 'non-zeros',
  findCase(trace) {
    const { rejected, encoded: e } = trace;
    if (!rejected || e.layout !== 'packed') return null;
    const fullest = overflowOf(rejected, e.tileWidth, capacityOf(e))?.fullest;
    return fullest ? { ...fullest, trace, ofToken: rejected.readRow(fullest.row, rowBuffer(rejected.cols)) } : null;
  },
  needs: ({ encoded: e }) => `a row has more than ${capacityOf(e)} non-zeros in a tile of ${e.tileWidth} columns`,
  ask: ({ trace: { encoded: e }, row, tile, count, ofToken }) =>
    say`A tile has ${e.tileWidth} columns and ${strong(counted(slotsOf(e), 'word'))}, its count included. Token ${row} has ${counted(e.tiles, 'tile')} and ${counted(ofToken, 'non-zero')}; ${strong(count)} of these are in tile ${tile}. How many of these do not fit?`,
  answer: withoutSlot,
  reason: (questionCase) =>
    say`One word is the count, so ${counted(capacityOf(questionCase.trace.encoded), 'word')} ${capacityOf(questionCase.trace.encoded) === 1 ? 'remains' : 'remain'} for ${questionCase.count}: ${strong(withoutSlot(questionCase))} too many. The encoder rejects the matrix.`,
  steps: (questionCase) => ({ before: 0, shows: encodedStep(questionCase) }),
  misconceptions: [
    {
      id: 'every-word-a-place',
      title: 'every word of a tile contains a non-zero',
      answer: ({ trace, count }) => minus(of(count, 'non-zeros'), of(slotsOf(trace.encoded), 'words')),
      reply: () => say`The first word of a tile is its ${strong('count')}.`,
    },
    {
      id: 'other-tiles-lend-room',
      title: 'a tile can use its neighbours’ empty words',
      answer: (questionCase) => Math.max(0, questionCase.ofToken - slotsOfToken(questionCase)),
      reply: (questionCase) =>
        say`All tiles of the token together have ${counted(slotsOfToken(questionCase), 'word')} for non-zeros. But each is packed by itself, and ${strong('none knows')} how many words of its neighbour are free.`,
    },
    {
      id: 'the-whole-tile-is-lost',
      title: 'a tile that overflows stores nothing',
      answer: ({ count }) => of(count, 'non-zeros'),
      reply: ({ trace }) =>
        say`The first ${strong(capacityOf(trace.encoded))} would still fit. But a matrix is stored whole or not at all.`,
    },
  ],
};

const firstPackingStep = ({ trace }: TraceCase<TwellTrace>): number => stepStoring(trace, 'words', 0);
const totalBytes = ({ trace }: TraceCase<TwellTrace>): number => encoding.storage(trace.encoded).totalBytes;

/** The bytes of the window, with any cells. */
const bytes: Question<TwellTrace, TraceCase<TwellTrace>> = {
  id: 'bytes',
  unit: 'bytes',
  findCase: (trace) =>
    !trace.rejected && trace.window.nnz > 0 && trace.encoded.layout === 'packed' ? { trace } : null,
  needs: ({ encoded: e }) =>
    `some cell is not zero, and no row has more than ${capacityOf(e)} non-zeros in a tile of ${e.tileWidth} columns`,
  ask: ({ trace: { window, encoded: e } }) =>
    say`${counted(window.rows, 'token')} fire ${strong(counted(window.nnz, 'neuron'))} in all. Each token has ${counted(e.tiles, 'tile')} of ${counted(e.slots, 'word')}, and a word takes 4 bytes. How many bytes does TwELL take?`,
  answer: totalBytes,
  reason: (questionCase) => {
    const { rows, tiles, slots } = questionCase.trace.encoded;
    return say`${rows} × ${tiles} × ${slots} words of 4 bytes: ${strong(`${totalBytes(questionCase)} bytes`)}.`;
  },
  steps: (questionCase) => ({ before: encodedStep(questionCase) - 1, shows: encodedStep(questionCase) }),
  misconceptions: [
    {
      id: 'non-zeros-alone',
      title: 'only non-zeros take memory',
      answer: ({ trace }) => times(of(trace.window.nnz, 'neurons'), of(4, 'bytes')),
      reply: () =>
        say`A tile gets its words ${strong('in advance')}, so that no tile has to wait for another. Empty words are stored, too.`,
      falseAt: firstPackingStep,
    },
    {
      id: 'non-zeros-and-counts',
      title: 'only non-zeros and counts take memory',
      answer: ({ trace: { window, encoded: e } }) =>
        times(plus(window.nnz, of(e.rows * e.tiles, 'counts')), of(4, 'bytes')),
      reply: () => say`${strong('Empty words')} take bytes like all others.`,
      falseAt: firstPackingStep,
    },
    {
      id: 'counts-come-on-top',
      title: 'the count is stored in addition to the words',
      answer: ({ trace: { encoded: e } }) =>
        times(e.rows, of(e.tiles, 'tiles'), plus(of(e.slots, 'words'), 1), of(4, 'bytes')),
      reply: () => say`The count is ${strong('one of the words')}: the first of its tile.`,
      falseAt: firstPackingStep,
    },
  ],
};

/** The questions about TwELL for lessons. */
export const questions: readonly Question[] = [wordOfColumn, withoutSlotInTile, bytes] as readonly Question[];
