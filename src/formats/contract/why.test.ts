import { describe, expect, it } from 'vitest';
import { expectNoProblems, expectNoProblemsOf, type Seen, statisticsOf } from '../../../test/encodings.ts';
import { decimals, type Facts, listed, name, type Statement, mismatch } from '../../../test/narrations.ts';
import { oracleOf } from '../../../test/oracles.ts';
import { extractLevels, paddingOf } from '../../../test/plain-extraction.ts';
import { declarationOf } from '../../core/declared/declarations.ts';
import { hasOpenLengths, plainPadding } from '../../../test/declared/padding.ts';
import { type EncodedMatrix, namedArrays } from '../../core/format.ts';
import { type Matrix, toCsr } from '../../core/matrix/index.ts';
import type { MatrixStatistics } from '../../core/statistics/matrix-statistics.ts';
import { contractFormats as formats } from '../../../test/declared/formats.ts';

/**
 * Checks the texts in which Compare explains the size of a matrix in a format, or why it does not fit,
 * before anything is encoded. Numbers are counted in the columns of the matrix and read from the encoded arrays; which clause
 * is expected depends on them.
 */

/** The properties of a matrix from which a test counts, without the encoded arrays. */
type Counted = Pick<Seen, 'rows' | 'cols' | 'nnz' | 'columns' | 'params'>;

/** A share in percent as the page writes it: without meaningless digits; 0 and 100 only if they are exact. */
function share(part: number): { readonly text: string } {
  const percent = 100 * part;
  const digits = (percent >= 10 && percent < 90) || percent >= 200 ? 0 : 1;
  const exact = Number.isInteger(percent) && (percent === 0 || percent >= 100);
  const text = exact
    ? String(percent)
    : percent < 0.05
      ? '<0.1'
      : percent > 99.95 && percent < 100
        ? '>99.9'
        : percent.toFixed(digits);
  return { text: `${text}\u202f%` };
}

/** A mean as the page writes it: a whole number if it is one or has three digits, else with one decimal or its first non-zero ones. */
function mean(value: number): ReturnType<typeof name> {
  if (Number.isInteger(value) || value >= 100) return name(String(Math.round(value)));
  if (value >= 0.05) return name(value.toFixed(1));
  return name(value < 0.0005 ? '<0.001' : value.toFixed(value < 0.0095 ? 3 : 2));
}

const gapsOf = ({ columns }: Pick<Counted, 'columns'>): readonly number[] =>
  columns.flatMap((row) => row.map((column, i) => column - (i === 0 ? -1 : row[i - 1])));
const longestOf = ({ columns }: Counted): number => columns.reduce((max, { length }) => Math.max(max, length), 0);

/** Non-zeros of every group of `width` columns of every row. */
const inGroups = ({ columns, cols }: Counted, width: number): readonly number[] =>
  columns.flatMap((row) => {
    const counts = Array.from({ length: Math.ceil(cols / width) }, () => 0);
    for (const column of row) counts[Math.floor(column / width)]++;
    return counts;
  });

/** Blocks that contain a non-zero. */
function storedBlocks({ columns }: Counted, size: number): number {
  const contained = new Set<string>();
  for (const [row, inRow] of columns.entries()) {
    for (const column of inRow) contained.add(`${Math.floor(row / size)} ${Math.floor(column / size)}`);
  }
  return contained.size;
}

/** Non-zeros that fit in a tile row of TwELL. */
const capacityOf = ({ tileWidth, compression, layout }: Seen['params']): number =>
  Number(tileWidth) / Number(compression) - (layout === 'packed' ? 1 : 0);

/** Columns that each pair of a sampled row with any other row shares. */
function sharedBy({ columns }: Counted, { shared: { sampled } }: MatrixStatistics): readonly number[] {
  return sampled.flatMap((sampledRow) => {
    const sampledColumns = new Set(columns[sampledRow]);
    return columns.flatMap((other, row) => {
      const isCounted = row === sampledRow || (sampled.includes(row) && row < sampledRow);
      return isCounted ? [] : [other.filter((column) => sampledColumns.has(column)).length];
    });
  });
}

const average = (counts: readonly number[]): number =>
  counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length);

const BITS: Readonly<Record<string, number>> = { f32: 32, f16: 16, bf16: 16, i8: 8, i4: 4 };

/**
 * Returns the reason for the size of a matrix, from its cells and arrays. `storedNonZeros`: non-zeros of the encoding. `isEncoded`:
 * whether the text includes what is known only once the matrix is encoded.
 */
type Why = (
  encoding: Seen & { readonly storedNonZeros: number },
  s: MatrixStatistics,
  isEncoded: boolean,
) => readonly Statement[];

const EMPTY = 'No non-zeros: only row starts.';

/**
 * The clause that is derived for a declared format without its own text. `padded`: arrays in which all elements except
 * non-zeros are padding.
 */
const derivedWhy =
  (padded: readonly string[], isOpen: boolean): Why =>
  ({ nnz, storedNonZeros, arrays }, _, isEncoded) => {
    if (isOpen && !isEncoded) return [['Known once the matrix is encoded.']];
    const bytes = Object.values(arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (nnz === 0) return [['Without non-zeros it takes {bytes byte}.', { bytes }]];
    const each = name(((8 * bytes) / nnz).toFixed(1));
    const fills = padded.map(
      (array) => arrays[array].byteLength * (1 - storedNonZeros / Math.max(1, arrays[array].length)),
    );
    const padding = Math.round(fills.reduce((sum, fill) => sum + fill, 0));
    return padding > 0 && isEncoded
      ? [['It takes {each} bits for each non-zero, {padding} bytes of it padding.', { each, padding }]]
      : [['It takes {each} bits for each non-zero.', { each }]];
  };

const WHY: Readonly<Record<string, Why>> = {
  bitmask: ({ rows, cols, nnz }) => {
    if (nnz === 0) return [['There are no non-zeros, and every column still takes a bit.']];
    const bits = (rows * cols) / nnz;
    const next = bits < 4 ? 'less than' : bits === 4 ? 'as much as' : 'more than';
    const rule = 'One bit per column is {bits} per non-zero: ';
    return bits <= 16
      ? [[`${rule}${next} a gap of {gap} bits.`, { bits: mean(bits), gap: 4 }]]
      : [[`${rule}more than a column number of {number} bits.`, { bits: mean(bits), number: 16 }]];
  },
  bsr: (encoding) => {
    const size = Number(encoding.params.blockSize);
    const contained = storedBlocks(encoding, size);
    const blocks = Math.ceil(encoding.rows / size) * Math.ceil(encoding.cols / size);
    if (contained === 0) return [['All of the {size} × {size} blocks are empty.', { size }]];
    const which: Statement =
      contained === blocks
        ? ['All {size} × {size} blocks contain non-zeros', { size }]
        : ['{share} of the {size} × {size} blocks contain non-zeros', { share: share(contained / blocks), size }];
    return encoding.nnz === contained * size ** 2
      ? [which, [', in each of their {cells} cells.', { cells: size ** 2 }]]
      : [
          which,
          [
            ', but on average in only {held} of their {cells} cells.',
            { held: mean(encoding.nnz / contained), cells: size ** 2 },
          ],
        ];
  },
  csr: ({ rows, cols, nnz, params, arrays }) => {
    if (nnz === 0) return [[EMPTY]];
    const bits = 8 * (arrays.indices as unknown as Uint16Array).BYTES_PER_ELEMENT;
    const distance = (rows * cols) / nnz;
    if (distance > bits) {
      const rule =
        'Non-zeros lie {apart} columns apart: a column number of {bits} bits is less than a bit for each of them.';
      return [[rule, { apart: mean(distance), bits }]];
    }
    const times = { 0.5: 'half as much as', 1: 'as much as', 2: 'twice as much as' }[bits / BITS[params.valueType]];
    const rule = 'A column number takes {cost} the value; non-zeros lie only {apart} columns apart.';
    return [[rule, { cost: name(times ?? '?'), apart: mean(distance) }]];
  },
  dense: ({ rows, cols, nnz, params }) => {
    const zeros = rows * cols - nnz;
    const wasted: readonly Statement[] =
      zeros === 0
        ? [['No cell is {nought}, so nothing is wasted.', { nought: 0 }]]
        : [['Stores {zeros zero}, {share} of its cells.', { zeros, share: share(zeros / (rows * cols)) }]];
    // Rows of f32, f16 and i8 begin at multiples of 8, 8 and 16 cells.
    const [unit, bytes] = { f32: [8, 4], f16: [8, 2], i8: [16, 1] }[String(params.valueType)] ?? [1, 0];
    const padding = rows * (Math.ceil(cols / unit) * unit - cols) * bytes;
    if (padding === 0) return wasted;
    const read = ' Kernels read {padding byte} more, since each row begins at a multiple of {start}.';
    return [...wasted, [read, { padding, start: unit * bytes }]];
  },
  'ec-csr': (encoding, s, isEncoded) => {
    const { columns, nnz, params, arrays } = encoding;
    if (nnz === 0) return [['There are no non-zeros.']];
    const p = params as never as Parameters<typeof extractLevels>[1];
    const isOff = p.maxGranularity === 1;
    const shared: Statement = isOff
      ? ['blocks are turned off']
      : [
          'pairs of rows share {mean} columns, a block needs {min}',
          { mean: mean(average(sharedBy(encoding, s))), min: p.lanes * p.vectorSize },
        ];
    const bits: Facts = { bits: p.deltaBits };
    if (!isEncoded) return [['Deltas of {bits} bits; ', bits], shared, ['.']];
    const { gapValues, tailValues } = paddingOf(extractLevels(columns, p), p);
    const storedValues = arrays.values.length;
    const padding = [
      ...(gapValues > 0 ? [{ text: `${share(gapValues / storedValues).text} bridges wide gaps` }] : []),
      ...(tailValues > 0 ? [{ text: `${share(tailValues / storedValues).text} fills the last lanes` }] : []),
    ];
    let inBlocks = 0;
    let reads = 0;
    for (let offset = 0; offset < arrays.sets.length; offset += 9) {
      if (arrays.sets[offset] > 1) inBlocks += arrays.sets[offset + 8];
      const end = offset + 9 < arrays.sets.length ? arrays.sets[offset + 9 + 7] : arrays.values.length;
      reads += (end - arrays.sets[offset + 7]) / arrays.sets[offset];
    }
    const [rule, facts] = shared;
    return [
      ['Deltas of {bits} bits: ', bits],
      padding.length === 0 ? ['nothing is padding'] : ['{padding}', { padding: listed(padding) }],
      inBlocks > 0
        ? ['; blocks of rows contain {share} of the non-zeros', { share: share(inBlocks / nnz) }]
        : [`; ${isOff ? '' : 'no rows form a block: '}${rule}`, facts ?? {}],
      ['; x is read {reads} times per non-zero.', { reads: decimals(reads / nnz, 2) }],
    ];
  },
  ell: (encoding) => {
    const longest = longestOf(encoding);
    const slots = encoding.rows * longest;
    if (slots === encoding.nnz) return [['All rows have {longest}: no slot is empty.', { longest }]];
    const rule = 'Every row is as long as the longest, {longest}, mean {mean}: {share} of the slots are empty.';
    return [[rule, { longest, mean: mean(encoding.nnz / encoding.rows), share: share(1 - encoding.nnz / slots) }]];
  },
  hybrid: ({ rows, cols, nnz, columns, params }) => {
    if (rows === 0) return [['There is no row.']];
    const slots = Math.min(Number(params.rowSlots), cols);
    const filled: Statement = [
      'Rows have {slots} slots and {mean} non-zeros on average',
      { slots, mean: mean(nnz / rows) },
    ];
    if (cols <= Number(params.rowSlots)) return [filled, ['; none can be longer.']];
    const long = columns.filter(({ length }) => length > Number(params.rowSlots)).length;
    const space = Math.ceil(rows / Number(params.tailShare));
    return [filled, ['; {long longer one} {long:lies|lie} in a dense tail of {room row}.', { long, room: space }]];
  },
  macko: (encoding) => {
    const { rows, nnz, params, arrays } = encoding;
    if (nnz === 0) return [[EMPTY]];
    const bits = Number(params.deltaBits);
    const entries = arrays.indptr[rows];
    const reach: Statement = ['{bits bit} {bits:suffices|suffice} for ', { bits }];
    if (entries === nnz) return [['Every skip fits in {bits bit}, so no zero is stored.', { bits }]];
    const reached = 1 - gapsOf(encoding).filter((gap) => gap > 2 ** bits).length / nnz;
    const rule = '{reached} of the skips; {padding} of the entries are stored zeros.';
    return [reach, [rule, { reached: share(reached), padding: share((entries - nnz) / entries) }]];
  },
  slidesparse: ({ arrays, nnz }) => {
    const slots = arrays.values.length;
    const empty = share(slots === 0 ? 0 : 1 - nnz / slots);
    return [['Stores two of every four slots: {empty} of them are empty.', { empty }]];
  },
  twell: ({ rows, cols, nnz, params }) => {
    const width = Number(params.tileWidth);
    const tiles = rows * Math.ceil(cols / width);
    if (tiles === 0) return [['There is no tile row.']];
    const space = capacityOf(params);
    const rule =
      'A tile row of {width} columns has {room slot} for values and {mean} values on average: {empty} of the slots are empty.';
    return [[rule, { width, room: space, mean: mean(nnz / tiles), empty: share(1 - nnz / tiles / space) }]];
  },
};

/** The expected reason of a rejection, counted in the cells; null if the format supports the positions of the non-zeros. */
const REJECTED: Readonly<Record<string, (matrix: Counted) => readonly Statement[] | null>> = {
  hybrid: ({ rows, cols, columns, params }) => {
    const slots = Number(params.rowSlots);
    const long = columns.filter(({ length }) => length > slots).length;
    const space = cols > slots ? Math.ceil(rows / Number(params.tailShare)) : 0;
    if (long <= space) return null;
    const rule = '{long} of {rows row} {long:is|are} longer than {slots} slots; the dense tail has {room row}.';
    return [[rule, { long, rows, slots, room: space }]];
  },
  slidesparse: (matrix) => {
    const group = 2 * Number(matrix.params.halfGroup);
    const counts = inGroups(matrix, group);
    const over = counts.filter((count) => count > group - 2).length;
    if (over === 0) return null;
    const dropped = counts.reduce((sum, count) => sum + Math.max(0, count - (group - 2)), 0);
    const rule =
      '{over} of {all group} of {group} {over:has|have} more than {kept} non-zeros; pruning to {pattern} drops {dropped} of the non-zeros.';
    return [
      [rule, { over, all: counts.length, group, kept: group - 2, pattern: name(`${group - 2}:${group}`), dropped }],
    ];
  },
  twell: (matrix) => {
    const counts = inGroups(matrix, Number(matrix.params.tileWidth));
    const space = capacityOf(matrix.params);
    const over = counts.filter((count) => count > space).length;
    if (over === 0) return null;
    const max = counts.reduce((largest, count) => Math.max(largest, count), 0);
    const rule = '{over} of {all tile row} {over:has|have} more non-zeros than the {room} that fit, up to {max}.';
    return [[rule, { over, all: counts.length, room: space, max }]];
  },
};

/** The bytes of all arrays with some other parameters. */
type SizeWith = (changed: object) => number;

/** The lines of the marks of a format, by the title of each. */
type Marks = Readonly<Record<string, readonly (readonly Statement[])[]>>;
const MARKS: Readonly<Record<string, (matrix: Counted, s: MatrixStatistics, sizeWith: SizeWith) => Marks>> = {
  'ec-csr': (matrix, s) => {
    const min = Number(matrix.params.lanes) * Number(matrix.params.vectorSize);
    const pairs = sharedBy(matrix, s);
    if (pairs.length === 0) return {};
    const enough = share(pairs.filter((count) => count >= min).length / pairs.length);
    return { 'EC-SpMV, a block needs': [[['{min}', { min }]], [['{enough} of the pairs', { enough }]]] };
  },
  ell: (matrix) => {
    const longest = longestOf(matrix);
    const empty = share(1 - matrix.nnz / (matrix.rows * longest));
    return longest === 0 ? {} : { 'ELL, longest': [[['{longest}', { longest }]], [['{empty} empty', { empty }]]] };
  },
  hybrid: ({ rows, cols, columns, params }) => {
    const slots = Number(params.rowSlots);
    const long = columns.filter(({ length }) => length > slots).length;
    return cols <= slots
      ? {}
      : { 'hybrid, slots': [[['{slots}', { slots }]], [['{long} of {rows} over', { long, rows }]]] };
  },
  macko: (matrix, _, sizeWith) => {
    const dense = (matrix.rows * matrix.cols * BITS[matrix.params.valueType]) / 8;
    if (dense === 0) return {};
    const marks = [1, 2, 4, 8].map((deltaBits) => {
      const gaps = gapsOf(matrix);
      const reached = 1 - gaps.filter((gap) => gap > 2 ** deltaBits).length / Math.max(1, gaps.length);
      const all: readonly Statement[] = reached === 1 ? [['all']] : [['{reached}', { reached: share(reached) }]];
      const size: Statement = ['{size}', { size: decimals(sizeWith({ deltaBits }) / dense, 3) }];
      return [`${deltaBits} bit`, [all, [size]]] as const;
    });
    return Object.fromEntries(marks);
  },
  slidesparse: (matrix) => {
    const group = 2 * Number(matrix.params.halfGroup);
    const counts = inGroups(matrix, group);
    const over = counts.filter((count) => count > group - 2).length;
    const ofGroups: Statement = ['of {all} groups', { all: counts.length }];
    return {
      [`SlideSparse ${group - 2}:${group}, at most ${group - 2}`]: [
        over === 0 ? [['none over']] : [['{over} over', { over }]],
        [ofGroups],
      ],
    };
  },
  twell: (matrix) => {
    const space = capacityOf(matrix.params);
    const over = inGroups(matrix, Number(matrix.params.tileWidth)).filter((count) => count > space).length;
    return {
      [`TwELL ${matrix.params.compression} : 1, at most`]: [
        [['{room}', { room: space }]],
        over === 0 ? [['none over']] : [['{over} over', { over }]],
      ],
    };
  },
};

function countedIn(m: Matrix, params: object): Counted {
  const { indptr, indices } = toCsr(m);
  const columns = Array.from({ length: m.rows }, (_, r) => [...indices.subarray(indptr[r], indptr[r + 1])]);
  return { rows: m.rows, cols: m.cols, nnz: m.nnz, columns, params: params as Seen['params'] };
}

/** Formats by their ids; only formats whose comparison has this text. */
const formatsWith = (text: 'why' | 'whyRefused' | 'marks' | 'notes') =>
  formats.flatMap((format) => (format.comparison[text] ? [[format.id, format] as const] : []));

describe('the texts of Compare', () => {
  it.each(formatsWith('why'))('why: the size in %s is explained, also before it is encoded', async (id, format) => {
    const { comparison } = format;
    const declared = declarationOf(format);
    const paddingTexts = declared && !declared.comparison?.why ? plainPadding(format) : null;
    const whyOf =
      declared && paddingTexts
        ? derivedWhy(Object.keys(paddingTexts), hasOpenLengths(format))
        : oracleOf(WHY, id, 'WHY in src/formats/contract/why.test.ts', 'the reason for its size');
    const texts = new Set<string>();
    await expectNoProblems(format, (encoding, e, m, params) => {
      const s = statisticsOf(m);
      const digest = comparison.digest?.(e) ?? {};
      return [false, true].flatMap((isEncoded) => {
        const expected = whyOf({ ...encoding, storedNonZeros: e.nnz }, s, isEncoded);
        for (const [rule] of expected) texts.add(rule);
        const problem = mismatch(comparison.why(s, params, isEncoded ? digest : {}), expected);
        return problem ? [problem] : [];
      });
    });
    expect(texts.size, 'clauses that occurred').toBeGreaterThan(id === 'slidesparse' ? 0 : 1);
  });

  it.each(formatsWith('whyRefused'))(
    'whyRefused: what does not fit into %s is counted, else no text',
    async (id, format) => {
      const { comparison } = format;
      const rejected = REJECTED[id] as (typeof REJECTED)[string] | undefined;
      let rejections = 0;
      await expectNoProblemsOf(format, (m, params) => {
        const message = comparison.whyRefused?.(statisticsOf(m), params) ?? null;
        const expected = rejected?.(countedIn(m, params)) ?? null;
        rejections += expected ? 1 : 0;
        if (expected === null) return message === null ? [] : [`found '${message}', expected nothing`];
        const problem = mismatch(message ?? '', expected);
        return problem ? [problem] : [];
      });
      expect(rejections).toBeGreaterThan(5);
    },
  );

  it.each(formatsWith('marks'))('marks: the marks of %s in the charts have the counted numbers', async (id, format) => {
    const { comparison } = format;
    const marksOf = MARKS[id] as (typeof MARKS)[string] | undefined;
    await expectNoProblemsOf(format, (m, params) => {
      const sizeWith: SizeWith = (changed) => {
        const e: EncodedMatrix = format.encode(m, { ...params, ...changed });
        return [...namedArrays(e).values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
      };
      // Marks state sizes, so a matrix that is rejected has none.
      if (!format.admits(m, params).ok && id === 'macko') return null;
      const s = statisticsOf(m);
      const expected = marksOf?.(countedIn(m, params), s, sizeWith) ?? {};
      return (comparison.marks?.(s, params) ?? []).flatMap(({ title, lines, at }) => {
        if (!(at > 0)) return [`found the mark '${title}' at ${at}`];
        const rules = expected[title] as readonly (readonly Statement[])[] | undefined;
        if (!rules) return [`found the mark '${title}', expected none`];
        return lines.flatMap((line, i) => mismatch(line, rules[i]) ?? []);
      });
    });
  });

  it.each(formatsWith('notes'))(
    'notes: published numbers of %s, and the same numbers for the matrix',
    async (_, format) => {
      const { comparison } = format;
      // EC-SpMV, figure 5 and table 2.
      const figure =
        'Most gaps in pruned Llama {two} are below {a}, {b} and {c} at {max}, {some} and {min}\u202f% left; here {inA}, {inB} and {inC}.';
      const table =
        'Padding per non-zero at {max}, {some} and {min}\u202f% left: with {four} bits {ofFour}\u202f%, here {inFour}; with {eight} bits {ofEight}\u202f%, here {inEight}.';
      const published = { max: 30, some: 20, min: 10 };
      await expectNoProblemsOf(format, (m) => {
        const gaps = gapsOf(countedIn(m, {}));
        const [first, second] = comparison.notes?.(statisticsOf(m)) ?? [];
        if (gaps.length === 0) return first ? [`found '${first.text}', expected nothing`] : [];
        const below = (max: number) => share(gaps.filter((gap) => gap < max).length / gaps.length);
        const bridges = (bits: number) =>
          share(gaps.reduce((sum, gap) => sum + Math.ceil(gap / (2 ** bits - 1)) - 1, 0) / gaps.length);
        const [inA, inB, inC] = [32, 64, 128].map(below);
        return [
          mismatch(first.text, [[figure, { ...published, two: 2, a: 32, b: 64, c: 128, inA, inB, inC }]]),
          mismatch(second.text, [
            [
              table,
              {
                ...published,
                four: 4,
                eight: 8,
                ofFour: name('6.35, 7.39 and 30.43'),
                ofEight: name('0.75, 0.71 and 1.87'),
                inFour: bridges(4),
                inEight: bridges(8),
              },
            ],
          ]),
        ].flatMap((problem) => problem ?? []);
      });
    },
  );
});
