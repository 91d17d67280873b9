import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { everyCombination } from '../../../test/arbitraries.ts';
import { expectNoProblemsOf } from '../../../test/encodings.ts';
import { hugeMatrix } from '../../../test/matrices.ts';
import { name, type Statement, sentenceOf, mismatch } from '../../../test/narrations.ts';
import { noteText } from '../../core/encoded/admission.ts';
import { lossesOf } from '../../core/encoded/losses.ts';
import { type AnyFormat, defaultParams } from '../../core/format.ts';
import { type Matrix, toCsr, toDense } from '../../core/matrix/index.ts';
import { shortestF32 } from '../../core/number/index.ts';
import { contractFormats as formats } from '../../../test/declared/formats.ts';

/**
 * Checks the texts that explain why a matrix is rejected, and what it loses otherwise: numbers are counted in its
 * cells, and lost values are read from the decoded matrix.
 */

type Params = Readonly<Record<string, number | string>>;

interface Rejection {
  readonly reason: readonly Statement[];
  readonly remedy: readonly Statement[];
  /** the pattern to which the page offers to prune */
  readonly prune?: { readonly kept: number; readonly group: number };
}

function columnsOf(m: Matrix): readonly (readonly number[])[] {
  const { indptr, indices } = toCsr(m);
  return Array.from({ length: m.rows }, (_, r) => [...indices.subarray(indptr[r], indptr[r + 1])]);
}

/** Alternatives; the user chooses one. */
const choose = (alternatives: readonly string[]): Statement => [
  'Choose {ways}.',
  { ways: name(alternatives.join(', or ')) },
];

/** Why the positions of the non-zeros do not fit; null where they do. */
const REJECTIONS: Readonly<Record<string, (m: Matrix, p: Params) => Rejection | null>> = {
  hybrid: (m, { rowSlots, tailShare }) => {
    const [slots, share] = [Number(rowSlots), Number(tailShare)];
    const lengths = columnsOf(m).map(({ length }) => length);
    /** the number of rows with more non-zeros than slots */
    const longRows = (slotCount: number): number => lengths.filter((length) => length > slotCount).length;
    /** the capacity of a tail for 1 / divisor of all rows; 0 if no row can be longer than the slots */
    const tailRows = (divisor: number, slotCount = slots): number =>
      m.cols > slotCount ? Math.ceil(m.rows / divisor) : 0;
    const [longCount, space] = [longRows(slots), tailRows(share)];
    if (longCount <= space) return null;
    const first = lengths.findIndex((length) => length > slots);
    const widerSlots = [4, 32, 128, 256, 512].find((n) => n > slots && longRows(n) <= tailRows(share, n));
    const tailDivisor = [8, 2, 1].find((divisor) => divisor < share && tailRows(divisor) >= longCount);
    return {
      reason: [
        [
          '{long row} {long:has|have} more than {slots non-zero}, the first is row {first} with {count}, and the tail has {room row}, {one}/{share} of {rows}',
          { long: longCount, slots, first, count: lengths[first], room: space, one: 1, share, rows: m.rows },
        ],
        ...(m.rows % share === 0 ? [] : [[', rounded up'] as const]),
      ],
      remedy: [
        choose([
          ...(widerSlots === undefined ? [] : [`${widerSlots} row slots`]),
          ...(tailDivisor === undefined
            ? []
            : [`a tail of ${tailDivisor === 1 ? 'all rows' : `1/${tailDivisor} of the rows`}`]),
        ]),
      ],
    };
  },
  slidesparse: (m, { halfGroup }) => {
    const width = 2 * Number(halfGroup);
    const pattern = name(`${width - 2}:${width}`);
    for (const [row, columns] of columnsOf(m).entries()) {
      for (let first = 0; first < m.cols; first += width) {
        const count = columns.filter((column) => column >= first && column < first + width).length;
        if (count <= width - 2) continue;
        const last = Math.min(m.cols, first + width) - 1;
        const rule =
          'row {row} has {count} non-zeros in columns {first} to {last}, more than the {allowed} that {pattern} allows';
        return {
          reason: [[rule, { row, count, first, last, allowed: width - 2, pattern }]],
          remedy: [['Prune to {pattern}.', { pattern }]],
          prune: { kept: width - 2, group: width },
        };
      }
    }
    return null;
  },
  twell: (m, { layout, tileWidth, compression }) => {
    const width = Number(tileWidth);
    const isPacked = layout === 'packed';
    const capacityOf = (c: number, packed = isPacked): number => width / c - (packed ? 1 : 0);
    const space = capacityOf(Number(compression));
    const tiles = Math.ceil(m.cols / width);
    const counts = columnsOf(m).flatMap((columns, row) =>
      Array.from({ length: tiles }, (_, tile) => {
        return { row, tile, count: columns.filter((column) => Math.floor(column / width) === tile).length };
      }),
    );
    const over = counts.filter(({ count }) => count > space);
    if (over.length === 0) return null;
    const [{ row, tile, count }] = over;
    const max = Math.max(...over.map((tileRow) => tileRow.count));
    const first = tile * width;
    const lowerCompression = [8, 4, 2].find((c) => c < Number(compression) && capacityOf(c) >= max);
    const hybrid = 'the hybrid format, which keeps long rows dense';
    const alternatives = [
      ...(isPacked && capacityOf(Number(compression), false) >= max ? ['the split layout'] : []),
      ...(lowerCompression === undefined ? [] : [`compression ${lowerCompression}`]),
    ];
    return {
      reason: [
        [
          'row {row}, tile {tile} (columns {first} to {last}) has {count non-zero}, more than the {room} that {room:fits|fit}',
          { row, tile, first, last: Math.min(m.cols, first + width) - 1, count, room: space },
        ],
        ...(isPacked ? [[' next to the count in {slots word}', { slots: space + 1 }] as const] : []),
        over.length === 1
          ? ['; no other tile row overflows']
          : [
              '; {over} of {all} tile rows overflow, the fullest with {max}',
              { over: over.length, all: counts.length, max },
            ],
      ],
      remedy: [
        alternatives.length > 0
          ? choose([...alternatives, hybrid])
          : [
              'No compression of the {layout} layout fits {max non-zero} in {width} columns: choose the hybrid format, which keeps long rows dense.',
              { layout: name(String(layout)), max, width },
            ],
      ],
    };
  },
};

/** Rejects the first cell that an integer value type cannot represent; null if it can represent all cells. */
function rejectedValue(m: Matrix, { valueType }: Params): Rejection | null {
  if (valueType !== 'i8' && valueType !== 'i4') return null;
  const cells = toDense(m);
  const type = name(valueType);
  const remedy = [['Choose values in floating point.']] as const;
  for (let row = 0; row < m.rows; row++) {
    const inRow = [...cells.subarray(row * m.cols, (row + 1) * m.cols)];
    const nonFiniteColumn = inRow.findIndex((cell) => !Number.isFinite(cell));
    if (nonFiniteColumn >= 0) {
      const facts = { value: name(String(inRow[nonFiniteColumn])), row, column: nonFiniteColumn, type };
      const rule = 'values: found {value} at row {row}, column {column}, expected finite values for {type}';
      return { reason: [[rule, facts]], remedy };
    }
    const limit = 8 * 65_520; // an f16 scale is infinite from 65,520 on, and the largest code of i4 is 8
    const largeColumn = valueType === 'i4' ? inRow.findIndex((cell) => Math.abs(cell) >= limit) : -1;
    if (largeColumn >= 0) {
      const facts = { value: name(shortestF32(inRow[largeColumn])), row, column: largeColumn, border: limit, type };
      const rule = 'values: found {value} at row {row}, column {column}, expected magnitudes below {border} for {type}';
      return { reason: [[rule, facts]], remedy };
    }
  }
  return null;
}

/** What the values lose: those that come back infinite, and those that come back as 0. */
function lostValues(format: AnyFormat, m: Matrix, params: Params): readonly string[] {
  const [before, after] = [toDense(m), toDense(format.decode(format.encode(m, params)))];
  const type = String(params.valueType);
  // Small values become 0 because of the largest value that has the same scale.
  const sharing = { i8: 'row', i4: 'group' }[type];
  const hasF32 = everyCombination(format).some(({ valueType }) => valueType === 'f32');
  const total = before.filter((cell) => cell !== 0).length;
  /** The text about the lost values, for example values too small for i8 that are stored as 0. */
  const noteOf = (
    isLost: (cell: number, back: number) => boolean,
    magnitude: 'large' | 'small',
    storedAs: string,
  ): readonly string[] => {
    const lost = [...before.keys()].filter((i) => isLost(before[i], after[i]));
    if (lost.length === 0) return [];
    const worst = lost.reduce((best, i) => (Math.abs(before[i]) > Math.abs(before[best]) ? i : best));
    const [is, their, them, which] =
      lost.length === 1 ? ['is', 'its', 'it', 'it is'] : ['are', 'their', 'them', 'the largest is'];
    const comparison =
      sharing !== undefined && storedAs === '0' ? ` compared with the largest of ${their} ${sharing}` : '';
    return [
      [
        `${lost.length} of ${total} ${total === 1 ? 'value' : 'values'} ${is} too ${magnitude} for ${type}${comparison} and ${is} stored as ${storedAs}`,
        `${which} ${shortestF32(before[worst])}, at row ${Math.floor(worst / m.cols)}, column ${worst % m.cols}`,
        `choose ${hasF32 ? 'f32' : 'a format with f32'} to keep ${them}.`,
      ].join('; '),
    ];
  };
  return [
    ...noteOf((cell, back) => Number.isFinite(cell) && !Number.isFinite(back), 'large', 'infinity'),
    ...noteOf((cell, back) => cell !== 0 && back === 0, 'small', '0'),
  ];
}

/** Formats that store something for every cell, group of cells or pair of rows, zeros included. */
const GROWS_WITH_CELLS = ['dense', 'bitmask', 'ec-csr', 'twell', 'hybrid', 'slidesparse'];

/** Layouts that support more columns than 16 bits can name, where the width is no parameter. */
const WIDER: Readonly<Record<string, string>> = {
  hybrid: 'Choose the split layout of TwELL, or a part of the matrix.',
  twell: 'Choose the split layout.',
};

describe.each(formats.map((format) => [format.id, format] as const))(
  '%s and the matrices that it rejects or changes:',
  (id, format) => {
    it('the text about a rejected matrix or lost values contains the counts of its cells', () =>
      expectNoProblemsOf(format, (m, chosen) => {
        const params = chosen as Params;
        const support = format.admits(m, params);
        const rejection = REJECTIONS[id]?.(m, params) ?? rejectedValue(m, params);
        if (support.ok !== (rejection === null)) return [`found ok: ${String(support.ok)}, expected the other`];
        if (support.ok) {
          const expected = lostValues(format, m, params);
          const found = support.notes.map(noteText).join(' ');
          return found === expected.join(' ') ? [] : [`found '${found}', expected '${expected.join(' ')}'`];
        }
        const problems = [
          mismatch(support.reason, rejection?.reason ?? []),
          mismatch(support.remedy ?? '', rejection?.remedy ?? []),
          isDeepStrictEqual(support.prune, rejection?.prune) ? null : 'prunes to another pattern',
          // Each choice is in the text, and its parameters store the matrix.
          ...(support.choices ?? []).flatMap((choice) => [
            support.remedy?.includes(choice.title) ? null : `does not name ${choice.title}`,
            choice.format !== undefined || format.admits(m, { ...params, ...choice.params }).ok
              ? null
              : `${choice.title} does not store it`,
          ]),
        ];
        return problems.filter((problem) => problem !== null);
      }));

    it('the reported losses equal the differences between the matrix and the decoded matrix', () =>
      expectNoProblemsOf(format, (m, chosen) => {
        const params = chosen as Params;
        if (!format.admits(m, params).ok) return [];
        const decoded = format.decode(format.encode(m, params));
        const [before, after] = [toDense(m), toDense(decoded)];
        let [overflow, underflow, largestRelativeError] = [0, 0, 0];
        before.forEach((cell, i) => {
          const back = after[i];
          if (Number.isFinite(cell) && !Number.isFinite(back)) overflow++;
          else if (cell !== 0 && back === 0) underflow++;
          else if (Number.isFinite(cell) && cell !== 0)
            largestRelativeError = Math.max(largestRelativeError, Math.abs((back - cell) / cell));
          else if (!Object.is(cell + 0, back)) largestRelativeError = Number.POSITIVE_INFINITY;
        });
        const expected = { overflow, underflow, largestRelativeError };
        const losses = lossesOf(m, decoded);
        if (params.valueType === 'f32') expect(losses).toEqual({ overflow: 0, underflow: 0, largestRelativeError: 0 });
        return isDeepStrictEqual(losses, expected) && Number.isFinite(largestRelativeError)
          ? []
          : [`found ${JSON.stringify(losses)}, expected ${JSON.stringify(expected)}`];
      }));

    it('a matrix that is too wide for the indices is rejected with the maximum of columns and an alternative', () => {
      for (const params of everyCombination(format)) {
        const { indexBits, layout } = params;
        const is16 = indexBits === 16 || id === 'hybrid';
        if (!is16 && !(id === 'twell' && layout === 'packed')) continue;
        const bits = is16 ? '16-bit indices' : 'the 16 bits of a column';
        const isUsable = (format.unusable?.(params) ?? null) === null;
        expect(format.admits(hugeMatrix(1, 65_536, 1), params).ok).toBe(isUsable);
        const wide = hugeMatrix(1, 65_537, 1);
        const reason = `${is16 ? 'indices' : 'words'}: found 65537 columns, expected at most 65536 for ${bits}`;
        const remedy = WIDER[id] ?? 'Choose 32 index bits.';
        expect(format.admits(wide, params)).toEqual({ ok: false, reason, remedy });
        expect(() => format.encode(wide, params)).toThrow(reason);
      }
    });

    it('a matrix of 200,000 × 200,000 is rejected without reading it, if the format stores something for every cell', () => {
      const side = 200_000;
      let reads = 0;
      const m: Matrix = {
        rows: side,
        cols: side,
        nnz: side,
        readRow(row, { columns, values }) {
          reads++;
          columns[0] = row;
          values[0] = 1;
          return 1;
        },
      };
      const support = format.admits(m, defaultParams<Params>(format.params));
      // One pass to find lost values, another at most to count what the format needs.
      expect(reads).toBeLessThanOrEqual(2 * side);
      if (GROWS_WITH_CELLS.includes(id)) expect([support.ok, reads]).toEqual([false, 0]);
    });

    it('only parameters that leave no slot are unusable, and the text names them', () => {
      for (const params of everyCombination(format)) {
        const { layout, tileWidth, compression } = params as Params;
        const isFull = layout === 'packed' && Number(tileWidth) === Number(compression);
        const facts = { width: Number(tileWidth), compression: Number(compression) };
        const rule = 'the one word of a tile row of {width} columns with compression {compression} is its count';
        expect(format.unusable?.(params) ?? null).toBe(isFull ? sentenceOf([rule, facts]) : null);
      }
    });
  },
);
