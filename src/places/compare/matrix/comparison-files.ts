import { BYTE_CLASSES } from '../../../core/encoded/ledger.ts';
import type { ChartFigures } from '../../../kit/charts/chart-csv.ts';
import { countText } from '../../../core/story/words.ts';
import { percent } from '../../../kit/words/quantity.ts';
import type { MatrixStatistics } from '../../../core/statistics/matrix-statistics.ts';
import { denseBytes } from './comparison-words.ts';
import { type FormatRow, paddingShare } from './format-rows.ts';

type Shape = { readonly rows: number; readonly cols: number; readonly nnz: number };

/** The table as figures: for reading, and for CSV. */
export function comparisonFigures(rows: readonly FormatRow[], matrix: Shape): ChartFigures {
  const dense = denseBytes(matrix);
  return {
    head: [
      'format',
      'parameters',
      'state',
      'bytes',
      'of dense',
      'bits per non-zero',
      'padding',
      'encode ms',
      'error, of its bound',
      'speed against dense',
      'p10',
      'p90',
      'of read speed',
      'why',
    ],
    rows: rows.map((row) => {
      const { measured, bytes } = row;
      const speed = measured?.speed ?? null;
      const padding = paddingShare(row);
      const words = row.reason ?? row.why ?? '';
      const numbers = [
        bytes,
        bytes === null ? null : bytes / dense,
        bytes === null || matrix.nnz === 0 ? null : (bytes * 8) / matrix.nnz,
        padding,
        row.encodeMs,
        measured?.row.verified.worstShare ?? null,
        speed?.ratio ?? null,
        speed?.p10 ?? null,
        speed?.p90 ?? null,
        measured?.ofRead ?? null,
      ];
      return {
        name: row.format.title,
        cells: [row.detail, row.state, ...numbers.map((value, i) => numberText(value, i)), words],
        values: [row.format.title, row.detail, row.state, ...numbers, words],
      };
    }),
  };
}

/** The numbers that are shares of one. */
const SHARES: ReadonlySet<number> = new Set([3, 5, 9]);

function numberText(value: number | null, column: number): string {
  if (value === null) return '–';
  if (column === 0) return countText(value);
  return SHARES.has(column) ? percent(value) : String(Number(value.toPrecision(4)));
}

/** Everything as JSON: the matrix, its statistics, and a row for each format. */
export function comparisonJson(
  rows: readonly FormatRow[],
  matrix: Shape & { readonly name: string },
  statistics: MatrixStatistics | null,
): string {
  const { name, rows: height, cols, nnz } = matrix;
  const document = {
    matrix: { name, rows: height, cols, nnz },
    formats: rows.map((row) => ({
      format: row.format.id,
      parameters: row.params,
      state: row.state,
      bytes: row.bytes,
      bits:
        row.classBits && Object.fromEntries(BYTE_CLASSES.map((byteClass) => [byteClass, row.classBits?.[byteClass]])),
      encodeMs: row.encodeMs,
      why: row.why,
      refused: row.reason,
      smallest: row.best ?? row.better,
      measured: row.measured && {
        kernel: row.measured.row.kernel,
        verified: row.measured.row.verified.ok,
        medianNs: row.measured.row.medianNs,
        vsDense: row.measured.speed,
        ofReadSpeed: row.measured.ofRead,
      },
    })),
    statistics: statistics && {
      gaps: [...statistics.gaps],
      rowCounts: [...statistics.rowCounts],
      longestRun: statistics.longestRun,
      groups: statistics.groups.map(({ width, counts }) => ({ width, counts: [...counts] })),
      blocks: statistics.blocks,
      shared: { ...statistics.shared, counts: [...statistics.shared.counts] },
    },
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}
