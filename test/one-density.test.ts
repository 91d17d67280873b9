// @vitest-environment happy-dom
import { createElement, Fragment } from 'react';
import { describe, expect, it } from 'vitest';
import { SummaryFigures } from '../src/app/matrix-picker/MatrixPicker.tsx';
import { defaultParams } from '../src/core/format.ts';
import { densityText, shareText } from '../src/core/text/rounded.ts';
import type { MatrixSummary } from '../src/engine/matrix/matrix-types.ts';
import { formats } from '../src/formats/catalog.ts';
import { matrixLabel } from '../src/kit/matrix/MatrixView.tsx';
import { sparsityText } from '../src/kit/report/operation-words.ts';
import { sizeFigures } from '../src/pages/compare/chart/SizeChart.tsx';
import { tableSvg } from '../src/pages/compare/rows/compare-files.ts';
import type { ComparedFormats } from '../src/pages/compare/rows/compare-row.ts';
import { matrixRows } from '../src/pages/compare/rows/matrix-rows.ts';
import { storedVariantOf } from '../src/pages/compare/rows/stored-variants.ts';
import { matrixColumns } from '../src/pages/compare/rows/TableColumns.tsx';
import { storedWords } from '../src/pages/watch/answer/WatchAnswer.tsx';
import { Bytes } from '../src/pages/watch/details/Bytes.tsx';
import type { Side } from '../src/pages/watch/use-sides.ts';
import { type FormatParams, valueTypesOf } from '../src/state/index.ts';
import { drawnMarkup } from './drawn-page.ts';
import { ignore, testEngine } from './engine.ts';
import { visibleText } from './markup.ts';

/*
 * The density of a matrix, and the size of a format relative to dense, are the same text in headline, chart, table and details,
 * for every format and value type. A 0 in a file is not a weight; a weight that becomes 0 in a value type still is one.
 */

/** A Matrix Market file of a matrix with 12 rows and 16 columns. */
const entriesOf = (valueAt: (i: number) => number, cells: readonly number[]): string =>
  [
    '%%MatrixMarket matrix coordinate real general',
    `12 16 ${cells.length}`,
    ...cells.map((cell, i) => `${Math.floor(cell / 16) + 1} ${(cell % 16) + 1} ${valueAt(i)}`),
  ].join('\n');
// 67 of 192 cells are 34.895... %, whose roundings to two, three and more digits all differ. At most 8 per row, in pairs.
const CELLS = Array.from({ length: 12 }, (_, row) =>
  [0, 1, 4, 5, 12, 13].slice(0, row < 5 ? 5 : 6).map((col) => 16 * row + col),
).flat();
const LEFT = CELLS.length;

const MATRICES: Readonly<Record<string, string>> = {
  'an ordinary matrix': entriesOf((i) => 0.5 + (i % 7), CELLS),
  'a matrix with zeros that its file stores': entriesOf(
    (i) => (i < LEFT ? 0.5 + (i % 7) : 0),
    [...CELLS, ...CELLS.map((cell) => cell + 2)],
  ),
  'a matrix whose values become 0 in few bits': entriesOf((i) => (i % 3 === 0 ? 1e-30 : 0.5 + (i % 7)), CELLS),
};

/** Every format with each of its value types. */
const STORED = formats.flatMap((format) => {
  const params = defaultParams<FormatParams>(format.params);
  const types = valueTypesOf(format);
  return types.length === 0
    ? [{ format, params }]
    : types.map((valueType) => ({ format, params: { ...params, valueType } as FormatParams }));
});

/** The only match of a pattern in a text; fails if there are several or none. */
const only = (pattern: RegExp, text: string): string => {
  const matches = [...text.matchAll(pattern)].map(([, group]) => group);
  expect(matches, `${pattern} in ${text}`).toHaveLength(1);
  return matches[0];
};

describe.each(Object.entries(MATRICES))('%s', (_, text) => {
  const open = async () => {
    const engine = testEngine();
    const file = new File([text], 'm.mtx');
    return { engine, summary: await engine.matrix.open({}, { kind: 'file', name: 'm.mtx', file }) };
  };

  it('all texts state the same density', async () => {
    const { engine, summary } = await open();
    expect(summary.nnz).toBe(LEFT);
    const densityWords = densityText(LEFT / 192);
    expect(only(/left([\d.]+\u202f%)/g, visibleText(createElement(SummaryFigures, { summary })))).toBe(densityWords);
    expect(only(/, ([^,]*%) non-zero/g, matrixLabel(summary, summary.density))).toBe(densityWords);
    const report = await engine.bench.run(
      {},
      {
        operation: 'spmv',
        sizes: {},
        workload: { kind: 'stage' },
        entries: [{ format: 'csr', params: {}, kernels: 'auto' }],
        memory: 'warm',
        rounds: 1,
        seed: 1,
        where: 'cpu',
      },
      ignore,
    );
    expect(sparsityText(report.workload)).toBe(`${densityWords} left`);
  });

  it('all texts state the same size relative to dense, for every format and value type', async () => {
    const { engine, summary } = await open();
    const comparedFormats = new Set<string>();
    for (const { format, params } of STORED) {
      const encoded = await engine.matrix.encode({}, format.id, params);
      if (encoded.ledger === null) continue;
      comparedFormats.add(format.id);
      const where = `${format.id} ${JSON.stringify(params)}`;
      const encoding = { kind: 'ready', params, summary: encoded } as const;
      const choice = { format: format.id, params };
      // Without the drawing of tiles, in which no size relative to dense occurs.
      const drawnFormat = { ...format, tiles: undefined };
      const side = { side: 'a', name: format.title, format: drawnFormat, stored: choice, encoding } as unknown as Side;

      // Watch's headline and details: relative to dense of the same value type.
      const shareOfDense = shareText(encoded.ledger.effectiveDensity);
      const headline = storedWords(summary, side, null, 'this matrix')?.text ?? '';
      expect(only(/, ([^, ]*) of dense/g, headline), where).toBe(shareOfDense);
      const details = drawnMarkup(createElement(Bytes, { sides: [side] }), 800, { session: { summary } });
      expect(only(/<\/div><span class="number">([^<]*%)<\/span>/g, details.replaceAll('&lt;', '<')), where).toBe(
        shareOfDense,
      );

      // Compare: relative to dense f16.
      const shareOfF16 = shareText(encoded.ledger.totalBytes / (2 * 192));
      const compared = comparedWith(summary, format, params, encoding);
      const [row] = compared.rows;
      const column = matrixColumns(compared, null).find(({ id }) => id === 'share');
      expect(column?.title).toContain('%');
      expect(`${visibleText(createElement(Fragment, null, column?.cell(row)))}\u202f%`, where).toBe(shareOfF16);
      expect(only(/, ([^, ]*%)<\/text>/g, tableSvg(compared, String).replaceAll('&lt;', '<')), where).toBe(shareOfF16);
      const dots = [
        { format: format.id, title: 'it', density: summary.density, y: (row.bytes ?? 0) / compared.f16Bytes },
      ];
      const chart = sizeFigures({ lines: [], rules: [], dots } as never).rows.find(({ cells }) => cells[0] !== '–');
      expect([chart?.name, chart?.cells[0]], where).toEqual([densityText(LEFT / 192), shareOfF16]);
    }
    expect([...comparedFormats].toSorted()).toEqual(formats.map(({ id }) => id).toSorted());
  });
});

/** What Compare has of one format. */
function comparedWith(
  summary: MatrixSummary,
  format: (typeof formats)[number],
  params: FormatParams,
  encoding: Parameters<typeof matrixRows>[0]['encodingOf'] extends (choice: never) => infer State ? State : never,
): ComparedFormats {
  const rows = matrixRows({
    variants: [storedVariantOf(format, params, summary)],
    summary,
    examples: [],
    encodingOf: () => encoding,
    verdictOf: () => null,
    bestOf: () => null,
    measurements: new Map(),
    verifications: new Map(),
    readGBps: null,
    dispatchNs: 0,
    tokens: 1,
  });
  return {
    level: 'matrix',
    rows,
    a: rows[0],
    b: null,
    summary,
    model: null,
    tokens: 1,
    f16Bytes: 2 * summary.rows * summary.cols,
  } as unknown as ComparedFormats;
}
