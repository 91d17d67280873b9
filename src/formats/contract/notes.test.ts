import { describe, it } from 'vitest';
import { bitsOf, expectNoProblems, type Seen } from '../../../test/encodings.ts';
import { type Facts, type Statement, mismatch } from '../../../test/narrations.ts';
import { oracleOf } from '../../../test/oracles.ts';
import { plainPadding } from '../../../test/declared/padding.ts';
import { extractLevels, paddingOf } from '../../../test/plain-extraction.ts';
import { contractFormats as formats } from '../../../test/declared/formats.ts';

/**
 * Checks the texts on what padding consists of. Numbers come from the columns of the matrix and the
 * lengths of the arrays; this file shares no code with the code that writes the texts.
 */

const FILE = 'src/formats/contract/notes.test.ts';

/** The clauses that are true, joined by commas and 'and'. */
function clauses(...causes: readonly (readonly [number, string, Facts?])[]): readonly Statement[] | null {
  const trueCauses = causes.filter(([count]) => count > 0);
  if (trueCauses.length === 0) return null;
  return trueCauses.flatMap(([, rule, facts], i): Statement[] => [
    ...(i === 0 ? [] : [[i === trueCauses.length - 1 ? ' and ' : ', '] as const]),
    facts ? [rule, facts] : [rule],
  ]);
}

type Notes = Readonly<Record<string, readonly Statement[] | null>>;

const count = (rule: string, number: number): readonly [number, string, Facts] => [number, rule, { count: number }];

/** The expected text on the padding of each array; arrays that are not named have none. */
const NOTES: Readonly<Record<string, (encoding: Seen) => Notes>> = {
  bitmask: ({ rows, cols, nnz, params }) => ({
    mask: clauses([rows * (cols % 32), 'pads rows to whole words']),
    values: clauses([params.valueType === 'i4' ? nnz % 2 : 0, 'the tail']),
  }),
  bsr: ({ arrays, nnz }) => ({ data: clauses([arrays.data.length - nnz, 'zeros inside stored blocks']) }),
  csr: () => ({}),
  dense: (s) => {
    const unit = { f32: 8, f16: 8, i8: 16, i4: 32 }[s.params.valueType] ?? 1;
    const bytes = (unit * bitsOf(s)) / 8;
    return { data: clauses([s.rows * (s.cols % unit), 'pads rows to a multiple of {bytes} bytes', { bytes }]) };
  },
  'ec-csr': ({ columns, arrays, params }) => {
    const p = params as never as Parameters<typeof extractLevels>[1];
    const { gaps, tails } = paddingOf(extractLevels(columns, p), p);
    const causes = [
      [gaps, '{gaps column} {gaps:bridges|bridge} gaps', { gaps }],
      [tails, '{tails column} {tails:fills|fill} lanes', { tails }],
    ] as const;
    const { sets } = arrays;
    let words = 0;
    for (let set = 0; set < sets.length / 9; set++) words += (p.deltaBits * sets[9 * set + 2]) % 32;
    return {
      values: clauses(...causes),
      deltaIndices: clauses(...causes, [words, 'a tail fills the last word of a set']),
    };
  },
  ell: ({ arrays, nnz }) => {
    const note = clauses([arrays.values.length - nnz, 'slots of rows shorter than the longest']);
    return { values: note, indices: note };
  },
  hybrid: ({ rows, cols, nnz, columns, params, arrays }) => {
    const slots = Math.min(Number(params.rowSlots), cols);
    const longRows = columns.filter(({ length }) => length > Number(params.rowSlots));
    const inTail = longRows.reduce((sum, { length }) => sum + length, 0);
    const routed = longRows.length * slots;
    const inSlots = clauses(
      count('{count slot} of shorter rows', rows * slots - routed - (nnz - inTail)),
      count('{count slot} of rows in the tail', routed),
    );
    const ofTail = clauses(
      count('{count zero} of rows in the tail', longRows.length * cols - inTail),
      count('{count cell} of free tail rows', arrays.tail.length - longRows.length * cols),
    );
    return { values: inSlots, indices: inSlots, tail: ofTail };
  },
  macko: ({ rows, nnz, params, arrays }) => {
    const entries = arrays.indptr[rows];
    const padding = count('{count stored zero}', entries - nnz);
    const bits = Number(params.deltaBits);
    return {
      // Two values of 4 bits in a byte.
      values: clauses(padding, [arrays.values.length * (params.valueType === 'i4' ? 2 : 1) - entries, 'the tail']),
      deltas: clauses(padding, [32 * arrays.deltas.length - bits * entries, 'the tail']),
    };
  },
  slidesparse: ({ arrays, nnz }) => {
    const empty = arrays.values.length - nnz;
    const note = clauses([empty, '{count kept slot} {count:has|have} no non-zero', { count: empty }]);
    return { values: note, metadata: note };
  },
  twell: ({ rows, cols, nnz, params, arrays }) => {
    const tileRows = rows * Math.ceil(cols / Number(params.tileWidth));
    const isPacked = params.layout === 'packed';
    const empty = isPacked ? arrays.words.length - tileRows - nnz : arrays.values.length - nnz;
    const note = clauses(count('{count slot} of tile rows that are not full', empty));
    return isPacked ? { words: note } : { values: note, indices: note };
  },
};

/** The expected notes of a format that declares texts for its padding: all elements except non-zeros, with these texts. */
const derivedNotes =
  (texts: NonNullable<ReturnType<typeof plainPadding>>) =>
  ({ arrays, nnz }: Seen): Notes =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, clauses([arrays[name].length - nnz, text])]));

describe.each(formats.map((format) => [format.id, format] as const))('the notes of storage in %s', (id, format) => {
  it('name what the padding of each array is made of, and only where there is some', () => {
    const paddingTexts = plainPadding(format);
    const notesOf = paddingTexts
      ? derivedNotes(paddingTexts)
      : oracleOf(NOTES, id, `NOTES in ${FILE}`, 'what the padding of each array is made of');
    return expectNoProblems(format, (encoding, e) => {
      const notes = notesOf({ ...encoding, nnz: e.nnz });
      return format.storage(e).entries.flatMap(({ array, note }) => {
        const problem = mismatch(note ?? '', notes[array] ?? []);
        return problem ? [`${array}: ${problem}`] : [];
      });
    });
  });
});
