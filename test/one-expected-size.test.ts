/*
 * For a matrix of a model that is not encoded, all pages show the same expected size in a format: Watch's headline, the list of
 * formats, Compare's rows and chart, and Measure's answer and roofline. The size of dense is the same in stories, too.
 */

import { expect, test } from 'vitest';
import { formatRows } from '../src/app/selection/format-rows.ts';
import { defaultParams, type Placement, resolvedParams, storyParams } from '../src/core/format.ts';
import type { Matrix } from '../src/core/matrix/index.ts';
import { bytesText } from '../src/core/text/words.ts';
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
import { generate } from '../src/generate/generate.ts';
import type { EncodingState, FormatParams } from '../src/state/index.ts';
import { VERDICT } from '../src/story/frames.ts';
import { timelineOf } from '../src/story/timeline.ts';
import { textOf } from './frames.ts';
import { formatsWithStories, type FormatWithStory, traceOf } from './stories.ts';

/** No multiples of groups, tiles or words, so that a closed form that ignores remainders is wrong. */
const SHAPE = { rows: 4094, cols: 14_331 };

/** The default parameters of every format, with this value type if the format has it. */
const paramsIn = (valueType: string): Readonly<Record<string, FormatParams>> =>
  Object.fromEntries(
    formats.map(({ id, params }) => {
      const defaults = defaultParams<FormatParams>(params);
      const { valueType: field } = params;
      const hasValueType = field?.kind === 'choice' && field.options.some((option) => option.value === valueType);
      return [id, hasValueType ? { ...defaults, valueType } : defaults];
    }),
  );

const PRUNINGS: readonly (readonly [name: string, density: number, pruning: Pruning])[] = [
  ['half of the weights', 0.5, { way: 'magnitude', density: 0.5 }],
  ['one in fifty', 0.02, { way: 'magnitude', density: 0.02 }],
  ['six in eight', 0.75, { way: 'n-of-m', kept: 6, group: 8 }],
];

const CASES = PRUNINGS.flatMap(([name, ...pruning]) =>
  ['f16', 'f32', 'i8', 'i4', 'bf16'].map((valueType) => [`${name}, ${valueType}`, valueType, ...pruning] as const),
);

test.each(CASES)('every page shows the same bytes for random weights: %s', (_, valueType, density, pruning) => {
  const paramsById = paramsIn(valueType);
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
  const asSides = formats.map(({ id }) => ({ format: id, params: paramsById[id] }));
  const doc = { source: summary.source, params: paramsById, formatB: null };
  const listRows = formatRows({ formats, doc, side: 'a', encodings: {}, summary, examples });
  const compareRows = matrixRows({
    variants: comparedVariants(formats, paramsById, asSides, SHAPE),
    summary,
    examples,
    encodingOf: () => undefined,
    verdictOf: () => null,
    bestOf: () => null,
    measurements: new Map(),
    verifications: new Map(),
    readGBps: null,
    dispatchNs: 0,
    tokens: 1,
  });
  const placement: Placement = pruning.way === 'n-of-m' ? 'even' : 'independent';
  let sizeCount = 0;
  for (const format of formats) {
    const params = paramsById[format.id];
    const stored = { format: format.id, params };
    const inWatch = answerOf(summary, { name: format.title, format, stored, encoding: undefined })?.bytes ?? null;
    const inList = listRows.find((row) => row.format === format)?.bytes ?? null;
    const row = compareRows.find(
      (candidate) => candidate.format === format && candidate.stored.params.valueType === params.valueType,
    );
    const inMeasure = bytesAt(format, params, timedMatrixOf(summary, 1));
    const matrix = { key: '', title: '', ...SHAPE, nnz: summary.nnz, placement };
    // The last size is that of the format itself: for quantised dense, those of the formats to compare with come first.
    const roof = expectedOf(format, params, matrix, undefined).at(-1);
    const onRoof = typeof roof === 'object' ? roof.matrixBytes : null;
    const answers = { inWatch, inList, inRows: row?.bytes ?? null, inMeasure, onRoof };
    expect(answers, format.id).toEqual(Object.fromEntries(Object.keys(answers).map((place) => [place, inWatch])));
    if (inWatch === null) continue;
    sizeCount++;
    const resolved = resolvedParams(format.params, params, SHAPE);
    const onChart = 2 * SHAPE.rows * SHAPE.cols * relativeSize({ format, params: resolved }, density, SHAPE);
    expect(Math.round(onChart), format.id).toBe(inWatch);
  }
  expect(sizeCount).toBeGreaterThanOrEqual(6);
});

// Once a matrix is encoded, the size of dense is that of its cells, at the end of every story and on every page.

const SMALL_SHAPES = [
  { rows: 1, cols: 1 },
  { rows: 4, cols: 4 },
  { rows: 5, cols: 37 },
  { rows: 16, cols: 64 },
];

/** The size of dense that the end of a story states, as a text; null if it states none. */
function denseInStory({ format, story }: FormatWithStory, m: Matrix): string | null {
  const params = resolvedParams(format.params, {}, m);
  if (!format.admits(m, params).ok) return null;
  const trace = traceOf(story, m, storyParams<object>(format.params, params));
  const end = trace && timelineOf({ story, trace }).frames.at(-1)?.scriptFrame;
  if (!end || end.id !== VERDICT) return null;
  const ledger = format.storage(format.encode(m, params));
  const { rows, cols, nnz } = m;
  const matrixFacts = { rows, cols, nnz, params, ledger, reason: null };
  const context = { layout: 'wide', wholeMatrix: matrixFacts, recordedTimes: null } as const;
  // The headline of dense itself has its size.
  if (format.id === 'dense') {
    const [, size = ''] = /takes (.*)\.$/.exec(end.narration(context).text) ?? [];
    return size.replace(/\sbytes?$/, '\u202fB');
  }
  const { marks } = end.draw(end.moves.length - 1, context);
  return textOf(marks.find(({ id }) => id === 'own bytes after reference') ?? {});
}

test.each(SMALL_SHAPES)(
  'every page and every story shows the bytes of its cells as the size of dense: %o',
  async (shape) => {
    const m = generate({ pattern: 'uniform', ...shape, density: 0.5, seed: 3 });
    const bytes = 2 * shape.rows * shape.cols;
    const inStories = (await formatsWithStories()).flatMap((formatWithStory) => {
      const inStory = denseInStory(formatWithStory, m);
      return inStory === null ? [] : [[formatWithStory.format.id, inStory]];
    });
    expect(inStories.length).toBeGreaterThan(4);
    expect(inStories).toEqual(inStories.map(([id]) => [id, bytesText(bytes)]));

    const { format } = (await formatsWithStories()).find((candidate) => candidate.format.id === 'dense') ?? {};
    if (!format) throw new Error('found no format dense');
    const params = resolvedParams(format.params, {}, shape);
    const ledger = format.storage(format.encode(m, params));
    const support = { ok: true, notes: [] };
    const encoded = { format: 'dense', params, support, ledger, violations: [], encodeMs: 1 };
    const encoding = { kind: 'ready', params, summary: encoded } as unknown as EncodingState;
    const summary = { ...shape, nnz: m.nnz, density: 0.5, name: 'small', generation: 1 } as unknown as MatrixSummary;
    const stored = { format: 'dense', params: params as FormatParams };
    const [dense] = formats.filter(({ id }) => id === 'dense');
    const [row] = matrixRows({
      variants: comparedVariants([dense], { dense: stored.params }, [stored, stored], shape).filter(
        (variant) => variant.stored.params.valueType === 'f16',
      ),
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
    const matrix = { key: '', title: '', ...shape, nnz: m.nnz };
    expect({
      inWatch: answerOf(summary, { name: 'dense', format: dense, stored, encoding })?.bytes,
      inRows: row.bytes,
      ofParts: row.parts?.reduce((sum, part) => sum + part.bytes, 0),
      onRoof: expectedOf(dense, params, matrix as never, encoding).map(
        (size) => typeof size === 'object' && size.matrixBytes,
      ),
      byClosedForm: relativeSize({ format: dense, params: stored.params }, 0.5, shape),
    }).toEqual({ inWatch: bytes, inRows: bytes, ofParts: bytes, onRoof: [bytes], byClosedForm: 1 });
  },
);
