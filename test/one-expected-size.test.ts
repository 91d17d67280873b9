import { expect, test } from 'vitest';
import { formatRows } from '../src/app/selection/format-rows.ts';
import { defaultParams, type Placement, resolvedParams } from '../src/core/format.ts';
import type { Pruning } from '../src/engine/matrix/source-types.ts';
import type { MatrixSummary } from '../src/engine/matrix/matrix-types.ts';
import { formats } from '../src/formats/catalog.ts';
import { timedMatrixOf } from '../src/kit/report/matrix-times.ts';
import { relativeSize } from '../src/pages/compare/curves/size-curves.ts';
import { matrixRows } from '../src/pages/compare/rows/matrix-rows.ts';
import { comparedVariants } from '../src/pages/compare/rows/stored-variants.ts';
import { bytesAt } from '../src/pages/measure/answer/use-measured.ts';
import { expectedOf } from '../src/pages/measure/roofline/use-roofline.ts';
import { answerOf } from '../src/pages/watch/answer/WatchAnswer.tsx';
import type { FormatParams } from '../src/state/index.ts';

/*
 * For a matrix of a model that is not encoded, all pages show the same expected size in a format: Watch's headline, the list of
 * formats, Compare's rows and chart, and Measure's answer and roofline.
 */

// Not multiples of groups, tiles or words, so that a closed form that ignores remainders is wrong.
const SHAPE = { rows: 4094, cols: 14_331 };
/** The default parameters of every format, with this value type if the format has it. */
const paramsIn = (valueType: string): Readonly<Record<string, FormatParams>> =>
  Object.fromEntries(
    formats.map(({ id, params }) => {
      const usual = defaultParams<FormatParams>(params);
      const { valueType: field } = params;
      const has = field?.kind === 'choice' && field.options.some((option) => option.value === valueType);
      return [id, has ? { ...usual, valueType } : usual];
    }),
  );

const PRUNINGS: readonly (readonly [name: string, density: number, pruning: Pruning])[] = [
  ['half of the weights', 0.5, { way: 'magnitude', density: 0.5 }],
  ['one in fifty', 0.02, { way: 'magnitude', density: 0.02 }],
  ['six in eight', 0.75, { way: 'n-of-m', kept: 6, group: 8 }],
];

const CASES = PRUNINGS.flatMap(([name, ...rest]) =>
  ['f16', 'f32', 'i8', 'i4', 'bf16'].map((valueType) => [`${name}, ${valueType}`, valueType, ...rest] as const),
);

test.each(CASES)('every page shows the same bytes for random weights: %s', (_, valueType, density, pruning) => {
  const PARAMS = paramsIn(valueType);
  const { rows, cols } = SHAPE;
  const source = { kind: 'pruned', base: { kind: 'model', model: 'llama-3.1-8b', layer: 12, matrix: 'down' }, pruning };
  const summary = {
    ...SHAPE,
    source,
    density,
    name: 'stand-in',
    generation: 1,
    nnz: density * rows * cols,
    sampledRows: 73,
  } as unknown as MatrixSummary;
  const examples: readonly [] = [];
  // A and B always have rows; here every format is one of them.
  const asSides = formats.map(({ id }) => ({ format: id, params: PARAMS[id] }));
  const doc = { source: summary.source, params: PARAMS, against: null };
  const listed = formatRows({ formats, doc, side: 'a', encodings: {}, summary, examples });
  const compared = matrixRows({
    variants: comparedVariants(formats, PARAMS, asSides, SHAPE),
    summary,
    examples,
    encodingOf: () => undefined,
    verdictOf: () => null,
    bestOf: () => null,
    measured: new Map(),
    verified: new Map(),
    readGBps: null,
    dispatchNs: 0,
    tokens: 1,
  });
  const placement: Placement = pruning.way === 'n-of-m' ? 'even' : 'independent';
  let sizeCount = 0;
  for (const format of formats) {
    const params = PARAMS[format.id];
    const stored = { format: format.id, params };
    const inWatch = answerOf(summary, { name: format.title, format, stored, encoding: undefined })?.bytes ?? null;
    const inList = listed.find((row) => row.format === format)?.bytes ?? null;
    const row = compared.find(
      (candidate) => candidate.format === format && candidate.stored.params.valueType === params.valueType,
    );
    const inMeasure = bytesAt(format, params, timedMatrixOf(summary, 1));
    const matrix = { key: '', title: '', ...SHAPE, nnz: summary.nnz, placement };
    // The last one: for quantised dense, the formats to compare with come first.
    const roof = expectedOf(format, params, matrix, undefined).at(-1);
    const onRoof = typeof roof === 'object' ? roof.matrixBytes : null;
    const answers = { inWatch, inList, inRows: row?.bytes ?? null, inMeasure, onRoof };
    expect(answers, format.id).toEqual(Object.fromEntries(Object.keys(answers).map((position) => [position, inWatch])));
    if (inWatch === null) continue;
    sizeCount++;
    const resolved = resolvedParams(format.params, params, SHAPE);
    const onChart = 2 * SHAPE.rows * SHAPE.cols * relativeSize({ format, params: resolved }, density, SHAPE);
    expect(Math.round(onChart), format.id).toBe(inWatch);
  }
  expect(sizeCount).toBeGreaterThanOrEqual(6);
});
