import { createElement } from 'react';
import { expect, it } from 'vitest';
import { markupOf, visibleText } from '../../../test/markup.ts';
import { type Statement, wordings } from '../../../test/wordings.ts';
import { finish } from '../../core/job.ts';
import { DenseMatrix } from '../../core/matrix/index.ts';
import { Random } from '../../core/number/random.ts';
import { overviewSteps } from '../../engine/matrix/overview.ts';
import { previewSteps } from '../../engine/matrix/preview.ts';
import type { MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import { blockOf } from '../../theory/models/model-shape.ts';
import { KNOWN_MODELS } from '../../theory/models/known-models.ts';
import { matricesIn, modelId } from '../../theory/models/model-tree.ts';
import { SummaryFigures } from './MatrixPicker.tsx';
import {
  choiceAt,
  modelsWith,
  weightsText,
  withLayer,
  withLevel,
  withMatrix,
  withModel,
  crumbsOfChoice,
} from './choice.ts';
import { MatrixColumn } from './MatrixColumn.tsx';
import { ModelColumn } from './ModelColumn.tsx';
import { matrixPickerResults } from './search.ts';
import { factsOf, TensorFacts } from './TensorBrowser.tsx';

/** All models, and one that is in no list, without a head. Mixtures of experts have different sizes. */
const MODELS = [...KNOWN_MODELS.filter(({ experts }) => !experts), { ...blockOf(KNOWN_MODELS[0]), name: 'A block' }];
const ignore = (): void => {};
const handlers = { onChoose: ignore, onHover: ignore, onConfirm: ignore };

function* models(): Generator<Statement> {
  const list = visibleText(
    createElement(ModelColumn, { models: MODELS, model: null, isWholeModel: false, ...handlers }),
  );
  yield ['models', list];
  for (const model of MODELS) {
    const { name } = model;
    const results = matrixPickerResults(name, modelsWith(null), () => ({ named: [], mentioned: [], partly: [] }));
    yield [
      `“${name}” found`,
      results.find(({ kind, title }) => kind === 'in-model' && title === name)?.description ?? 'nothing',
    ];
    yield [`“${name}” is`, weightsText(choiceAt({ model: modelId(model) }, MODELS).selection)];
    /** The breadcrumb of a choice without the model's name, with its detail. */
    const crumbText = (choice: Parameters<typeof crumbsOfChoice>[0]): string => {
      const crumbs = crumbsOfChoice(choice);
      return `${crumbs?.names.slice(crumbs.names[0] === name ? 1 : 0).join(' › ')}: ${crumbs?.detail}`;
    };
    const layer = withLayer(withModel(model), model.layers - 1);
    const scope = model.vocabulary > 0 ? 'whole' : 'block';
    yield [`${scope} “${name}”`, `${crumbText(withModel(model))} / ${crumbText(layer)}`];
    for (const matrix of matricesIn(model, model.layers - 1)) {
      const props = { model, layer: 0, chosenMatrix: matrix, isMatrixLevel: true, ...handlers };
      const markup = markupOf(createElement(MatrixColumn, props));
      const label = new RegExp(`aria-label="(${matrix.title}, [^"]*)"`).exec(markup)?.[1] ?? '';
      const [, facts = ''] = /aria-hidden="true">(<span class="number text-ink">.*?)<\/p>/.exec(markup) ?? [];
      const matrixCrumb = crumbText(withMatrix(withLevel(layer, 'matrix'), matrix.name));
      yield [matrix.title, `${label} / ${facts.replaceAll(/(<[^>]*>)+/g, ' ')} / ${matrixCrumb}`];
    }
  }
}

/** Matrices with more and fewer zeros, groups that keep to a pattern, one of zeros, and magnitudes of all kinds. */
function* matrices(): Generator<DenseMatrix> {
  const random = new Random(5);
  yield new DenseMatrix(3, 7, new Float32Array(21));
  yield new DenseMatrix(2, 2, Float32Array.of(Number.NaN, -0, Number.POSITIVE_INFINITY, 3));
  const sparseValues = Float32Array.from({ length: 120_000 }, (_, i) => Number(i % 24_001 === 0));
  yield new DenseMatrix(300, 400, sparseValues);
  for (let n = 0; n < 10; n++) {
    const [rows, cols] = [1 + random.below(40), 1 + random.below(50)];
    const share = random.uniform() ** 2;
    const values = Float32Array.from({ length: rows * cols }, (_, i) => {
      const isKept = n % 4 === 0 ? (i % cols) % 4 < 2 : random.uniform() < share;
      return isKept ? random.normal() * 2 ** (random.below(9) - 4) : 0;
    });
    yield new DenseMatrix(rows, cols, values);
  }
}

function* tensors(): Generator<Statement> {
  for (const [i, matrix] of [...matrices()].entries()) {
    const { rows, cols } = matrix;
    const tensorMarkup = markupOf(createElement(TensorFacts, finish(previewSteps(matrix))));
    yield [`${i}, magnitudes`, /aria-label="(Magnitudes[^"]*)"/.exec(tensorMarkup)?.[1] ?? 'none'];
    const bars = [...tensorMarkup.matchAll(/<rect [^>]*height="([\d.]+)"/g)].map(([, height]) => Number(height));
    yield [`${i}, bars`, `the longest of ${bars.length} is ${bars.indexOf(Math.max(...bars))}`];
    yield [`${i}, inside`, factsIn(tensorMarkup)];
    const { rowCounts: _, grids: __, ...overview } = finish(overviewSteps(matrix));
    const { nnz } = matrix;
    const base = {
      generation: 1,
      baseNumber: 1,
      name: 'x',
      source: { kind: 'example', id: 'x' },
      notes: [],
      rows,
      cols,
    };
    for (const isExpected of i < 5 ? [false, true] : [false]) {
      const summary = { ...base, ...overview, nnz, density: nnz / (rows * cols), ...(isExpected && { isExpected }) };
      yield [`${i}, open`, factsIn(markupOf(createElement(SummaryFigures, { summary: summary as MatrixSummary })))];
    }
  }
  for (const [rows, cols] of [
    [0, 20],
    [3, 20],
    [4096, 14_336],
    [199_999, 20_000],
  ])
    yield ['listed', factsOf({ name: 'x', shape: [rows, cols], dtype: 'bf16', bytes: 2 * rows * cols, refused: null })];
}

/** Names with the text next to each. */
const factsIn = (markup: string): string =>
  [...markup.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g)]
    .map(([, name, value]) => `${name} ${value.replaceAll('&gt;', '>').replaceAll('&lt;', '<')}`)
    .join(', ');

it.each(Object.entries({ models, tensors }))(
  'the texts of %s in the matrix picker are those of the snapshot',
  async (name, output) => {
    await expect(wordings(output())).toMatchFileSnapshot(`words/${name}.txt`);
  },
);
