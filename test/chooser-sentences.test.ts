import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { weightsWords } from '../src/app/chooser/Chooser.tsx';
import {
  type Choice,
  chosenAt,
  modelsWith,
  withLayer,
  withLevel,
  withMatrix,
  withModel,
} from '../src/app/chooser/choice.ts';
import { MatrixColumn } from '../src/app/chooser/Columns.tsx';
import { crumbsOfChoice } from '../src/app/chooser/crumbs-of-choice.ts';
import { ModelColumn } from '../src/app/chooser/ModelColumn.tsx';
import { Figures } from '../src/app/chooser/OpenedMatrix.tsx';
import { search } from '../src/app/chooser/search.ts';
import { factsOf, InsideTensor } from '../src/app/chooser/TensorBrowser.tsx';
import { readSpan } from '../src/app/chooser/WindowColumn.tsx';
import { finish } from '../src/core/job.ts';
import { DenseMatrix } from '../src/core/matrix/index.ts';
import { Random } from '../src/core/number/random.ts';
import { overviewSteps } from '../src/engine/matrix/overview.ts';
import { previewSteps } from '../src/engine/matrix/preview.ts';
import type { MatrixSummary } from '../src/engine/matrix/types.ts';
import { blockOf, KNOWN_MODELS, type MatrixName, type ModelShape } from '../src/theory/models/model-shape.ts';
import { matricesIn, modelId } from '../src/theory/models/model-tree.ts';
import { markupOf } from './markup.ts';
import { bytes, type Facts, number, percent, Read } from './sentences.ts';

/* The law for sentences, for the chooser: sizes of models follow from their dimensions, figures of a matrix from its cells. */

/** Rows, columns and how many there are of every matrix that a token is multiplied with. */
function shapesOf(model: ModelShape): ReadonlyMap<string, { readonly rows: number; readonly cols: number }> {
  const { hidden, intermediate, heads, kvHeads, headDim, gated, vocabulary } = model;
  const inner = [['up', intermediate, hidden] as const, ['down', hidden, intermediate] as const];
  const all = [
    ['q', heads * headDim, hidden] as const,
    ['k', kvHeads * headDim, hidden] as const,
    ['v', kvHeads * headDim, hidden] as const,
    ['o', hidden, heads * headDim] as const,
    ...(gated ? [['gate', intermediate, hidden] as const] : []),
    ...inner,
    ...(vocabulary > 0 ? [['lm_head', vocabulary, hidden] as const] : []),
  ];
  return new Map(all.map(([name, rows, cols]) => [name, { rows, cols }]));
}

/** Weights of the model: matrices, an embedding of its own, and learned positions. */
function weightsIn(model: ModelShape): number {
  let sum = ((model.tied ? 0 : model.vocabulary) + model.positions) * model.hidden;
  for (const [name, { rows, cols }] of shapesOf(model)) sum += rows * cols * (name === 'lm_head' ? 1 : model.layers);
  return sum;
}

const isOfThePage = ({ name }: ModelShape): boolean => name.startsWith('Tales');

/** A model that nobody lists, without a head. */
const BLOCK = { ...blockOf(KNOWN_MODELS[0]), name: 'A block' };
/** Mixtures of experts have sizes of their own, in the tests of their shapes. */
const DENSE = KNOWN_MODELS.filter(({ experts }) => !experts);
const MODELS = [...DENSE, BLOCK];

/** Sizes of a model: gigabytes alone have two digits at least. */
const sizeOf = (model: ModelShape) => ({ ...bytes(2 * weightsIn(model)), digits: 2 });

describe('the chooser', () => {
  it('has the bytes of every model, in a list and where it is searched', () => {
    const read = new Read();
    const props = {
      models: MODELS,
      model: null,
      isLevel: false,
      onChoose: () => {},
      onHover: () => {},
      onTake: () => {},
    };
    const options = markupOf(createElement(ModelColumn, props)).split('<button').slice(1);
    expect(options).toHaveLength(MODELS.length);
    for (const [i, option] of options.entries()) {
      const [, text = ''] = /<span class="number[^"]*">([^<]*)<\/span>/.exec(option) ?? [];
      const size = /[a-zA-Z]/.test(text) ? text : `${text}\u202fGB`;
      expect(option).toContain(`>${MODELS[i].name}<`);
      read.sentence(size, '{size}', { size: sizeOf(MODELS[i]) }, MODELS[i].name);
    }
    for (const model of DENSE) {
      const found = search(model.name, modelsWith(null), () => ({ named: [], mentioned: [], partly: [] }));
      const whole = found.find(({ kind, title }) => kind === 'place' && title === model.name);
      read.sentence(whole?.about ?? '', 'whole model, {size} dense', { size: sizeOf(model) }, model.name);
    }
  });

  it('has the shape, the bytes and the share of every matrix, and how many matrices there are', () => {
    const read = new Read();
    for (const model of MODELS) {
      const shapes = shapesOf(model);
      const where = model.name;
      for (const matrix of [...matricesIn(model), ...matricesIn(model, model.layers - 1)]) {
        const { rows, cols } = shapes.get(matrix.name) ?? { rows: 0, cols: 0 };
        const count = matrix.name === 'lm_head' ? 1 : model.layers;
        const share = (rows * cols * count) / weightsIn(model);
        const facts: Facts = {
          rows: number(rows),
          cols: number(cols),
          size: bytes(2 * rows * cols),
          count: number(count),
          share: share < 0.005 ? '<1\u202f%' : { ...percent(share), digits: 1 },
        };
        const column = {
          model,
          layer: 0,
          chosen: matrix,
          isLevel: true,
          onChoose: () => {},
          onHover: () => {},
          onTake: () => {},
        };
        const markup = markupOf(createElement(MatrixColumn, column));
        const label = new RegExp(`aria-label="${matrix.title}, ([^"]*)"`).exec(markup)?.[1] ?? '';
        read.sentence(label, '{rows} × {cols}', facts, `${where}, ${matrix.title}`);
        const [, shape = '', size = '', part = ''] =
          /aria-hidden="true"><span class="number text-ink">(.*?)<\/span><span>(.*?)<\/span><span>(.*?)<\/span>/.exec(
            markup,
          ) ?? [];
        read.sentence(shape, '{rows} × {cols}', facts, `${where}, facts`);
        read.sentence(size.replace('f16', 'half'), '{size} in half', facts, `${where}, facts`);
        const rule = count === 1 ? 'one, {share} of the model' : '{count} of them, {share} of the model';
        read.sentence(part.replaceAll('&lt;', '<'), rule, facts, `${where}, facts`);
      }
      const many = (model.gated ? 7 : 6) * model.layers + (model.vocabulary > 0 ? 1 : 0);
      const said = (choice: Choice) => crumbsOfChoice(choice);
      const whole = said(withModel(model));
      if (isOfThePage(model))
        read.sentence(whole?.names[1] ?? '', 'all {many} matrices', { many: number(many - 1) }, where);
      else read.sentence(whole?.about ?? '', '{many} matrices', { many: number(many) }, where);
      const layer = withLayer(withModel(model), model.layers - 1);
      const names = { last: number(model.layers - 1), inLayer: number(model.gated ? 7 : 6) };
      read.sentence(said(layer)?.names[1] ?? '', 'layer {last}', names, where);
      read.sentence(said(layer)?.about ?? '', '{inLayer} matrices', names, where);
      for (const [name, { rows, cols }] of shapes) {
        const choice = withMatrix(withLevel(layer, 'matrix'), name as MatrixName);
        const crumbs = said(choice);
        read.sentence(
          crumbs?.about ?? '',
          '{rows} × {cols}',
          { rows: number(rows), cols: number(cols) },
          `${where}, ${name}`,
        );
        expect(crumbs?.names.includes(`layer ${model.layers - 1}`)).toBe(name !== 'lm_head');
      }
    }
    expect(read.met('{rows} × {cols}')).toBeGreaterThan(300);
  });

  it('calls weights random ones where the page has none of the model', () => {
    for (const model of MODELS) {
      const { at } = chosenAt({ model: modelId(model) }, MODELS);
      expect(weightsWords(at).startsWith('Random weights'), model.name).toBe(!isOfThePage(model));
      expect(weightsWords(at).startsWith('The weights of the model'), model.name).toBe(isOfThePage(model));
    }
  });
});

/** Matrices with more and fewer zeros, groups that keep to a pattern, one of zeros, and magnitudes of all kinds. */
function* matrices(): Generator<{ readonly matrix: DenseMatrix; readonly values: Float32Array }> {
  const of = (rows: number, cols: number, values: Float32Array) => ({
    matrix: new DenseMatrix(rows, cols, values),
    values,
  });
  const random = new Random(5);
  yield of(3, 7, new Float32Array(21));
  yield of(2, 2, Float32Array.of(Number.NaN, -0, Number.POSITIVE_INFINITY, 3));
  yield of(
    300,
    400,
    Float32Array.from({ length: 120_000 }, (_, i) => Number(i % 24_001 === 0)),
  );
  for (let n = 0; n < 60; n++) {
    const [rows, cols] = [1 + random.below(40), 1 + random.below(50)];
    const share = random.uniform() ** 2;
    const isPattern = n % 4 === 0;
    const values = Float32Array.from({ length: rows * cols }, (_, i) => {
      const isKept = isPattern ? (i % cols) % 4 < 2 : random.uniform() < share;
      return isKept ? random.normal() * 2 ** (random.below(9) - 4) : 0;
    });
    yield of(rows, cols, values);
  }
}

describe('a tensor that is looked into', () => {
  it('has the zeros, the patterns and the magnitudes of its cells', () => {
    const read = new Read();
    for (const { matrix, values } of matrices()) {
      const { rows, cols } = matrix;
      const zeros = values.filter((value) => value === 0).length / values.length;
      const where = `${rows} x ${cols}, ${zeros} zeros`;
      const markup = markupOf(createElement(InsideTensor, finish(previewSteps(matrix))));
      const facts = factsIn(markup);
      const [[, shape], [, ofZeros], ...patterns] = facts;
      read.sentence(shape, '{rows} × {cols}', { rows: number(rows), cols: number(cols) }, where);
      expectShare(read, ofZeros, zeros, where);
      expect(patterns.map(([name]) => name)).toEqual(
        ['1:4', '2:4', '4:8', '6:8'].map((pattern) => `groups within ${pattern}`),
      );
      for (const [name, text] of patterns) {
        const [kept, group] = (/(\d):(\d)/.exec(name) ?? []).slice(1).map(Number);
        const held: boolean[] = [];
        for (let row = 0; row < rows; row++) {
          for (let from = 0; from < cols; from += group) {
            const cells = values.slice(row * cols + from, row * cols + Math.min(cols, from + group));
            held.push(cells.filter((value) => value !== 0).length <= kept);
          }
        }
        expectShare(read, text, held.filter(Boolean).length / held.length, `${where}, ${name}`);
      }
      const powers = [...values]
        .filter((value) => value !== 0 && Number.isFinite(value))
        .map((value) => Math.floor(Math.log2(Math.abs(value))));
      const label = /aria-label="(Magnitudes[^"]*)"/.exec(markup)?.[1];
      if (powers.length === 0) {
        expect(label).toBeUndefined();
        continue;
      }
      const countOf = (power: number): number => powers.filter((one) => one === power).length;
      const max = Math.max(...powers.map(countOf));
      const fullest = powers.filter((power) => countOf(power) === max).toSorted((a, b) => a - b)[0];
      const says: Facts = {
        low: String(Math.min(...powers)),
        high: String(Math.max(...powers) + 1),
        from: String(fullest),
      };
      const rule = 'Magnitudes from two to the {low} to two to the {high}, most from two to the {from}';
      read.sentence((label ?? '').replaceAll('2 to the', 'two to the'), rule, says, where);
      const bars = [...markup.matchAll(/<rect [^>]*height="([\d.]+)"/g)].map(([, height]) => Number(height));
      expect(bars.indexOf(Math.max(...bars))).toBe(fullest - Math.min(...powers));
    }
    expect(read.met('{share}')).toBeGreaterThan(100);
  });

  it('is listed with its shape, its type and its bytes', () => {
    const read = new Read();
    const random = new Random(3);
    for (let i = 0; i < 50; i++) {
      const [rows, cols] = [random.below(200_000), random.below(20_000)];
      const size = 2 * rows * cols;
      const tensor = { name: 'x', shape: [rows, cols], dtype: 'bf-sixteen', bytes: size, refused: null };
      const rule = `{rows} × {cols} · bf-sixteen${size > 0 ? ' · {size}' : ''}`;
      read.sentence(
        factsOf(tensor),
        rule,
        { rows: number(rows), cols: number(cols), size: bytes(size) },
        `${rows} x ${cols}`,
      );
    }
  });
});

/** Names with what is beside each. */
function factsIn(markup: string): readonly (readonly [name: string, value: string])[] {
  return [...markup.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g)].map(
    ([, name, value]) => [name, value.replaceAll('&gt;', '>').replaceAll('&lt;', '<')] as const,
  );
}

/** A share as it is rounded; all or none of it only where that is so. */
function expectShare(read: Read, text: string, share: number, where: string): void {
  if (share === 1) expect(text, where).toBe('all');
  else if (share > 0.9995) expect(text, where).toBe('>99.9\u202f%');
  else if (share > 0 && share < 0.0005) expect(text, where).toBe('<0.1\u202f%');
  else read.sentence(text, '{share}', { share: { ...percent(share), digits: 1 } }, where);
}

it('the matrix that is open is shown with the figures of its cells, or with expected ones that are called so', () => {
  const read = new Read();
  for (const { matrix, values } of matrices()) {
    const { rows, cols } = matrix;
    const { rowCounts: _, grids: __, ...overview } = finish(overviewSteps(matrix));
    const stored = [...values].filter((value) => value !== 0);
    const inRow = Array.from(
      { length: rows },
      (___, row) => values.slice(row * cols, (row + 1) * cols).filter((value) => value !== 0).length,
    );
    const density = stored.length / (rows * cols);
    for (const isExpected of [false, true]) {
      const base = { generation: 1, whole: 1, name: 'x', source: { kind: 'example', id: 'x' }, notes: [], rows, cols };
      const summary = {
        ...base,
        ...overview,
        nnz: stored.length,
        density,
        ...(isExpected && { isExpected }),
      } as MatrixSummary;
      const found = new Map(factsIn(markupOf(createElement(Figures, { summary }))));
      const finite = stored.filter(Number.isFinite).map(Math.abs);
      const max = Math.max(0, ...finite);
      const about = isExpected ? '≈\u00a0' : '';
      const fact = (name: string, rule: string, facts: Facts): void => {
        if (/^\D*[\d.]+e/.test(found.get(name) ?? '')) return;
        read.sentence(found.get(name) ?? `found no ${name}`, rule, facts, `${rows} x ${cols}, ${name}`);
      };
      fact('rows × cols', '{rows} × {cols}', { rows: number(rows), cols: number(cols) });
      fact('non-zeros', `${about}{nnz}`, { nnz: number(stored.length) });
      fact('left', `${about}{left}`, { left: percent(density) });
      fact('longest row', '{longest}', { longest: number(Math.max(...inRow)) });
      if (inRow.includes(0))
        fact('empty rows', '{empty}', { empty: number(inRow.filter((count) => count === 0).length) });
      else expect(found.has('empty rows')).toBe(false);
      const infinite = stored.filter((value) => Math.abs(value) === Number.POSITIVE_INFINITY).length;
      fact(infinite > 0 ? 'largest finite |value|' : 'largest |value|', '{max}', { max: number(max) });
      if (infinite > 0) fact('infinite', '{count}', { count: number(infinite) });
      const none = stored.filter(Number.isNaN).length;
      if (none > 0) fact('NaN', '{count}', { count: number(none) });
    }
  }
  expect(read.met('{longest}')).toBeGreaterThan(50);
});

it('rows and columns that are typed are read, or the sentence has the numbers that were typed and the limit', () => {
  const read = new Read();
  const random = new Random(9);
  for (let i = 0; i < 300; i++) {
    const extent = 1 + random.below(300);
    const [from, to, max] = [random.below(320), random.below(320), 1 + random.below(64)];
    const found = readSpan(`${from} to ${to}`, extent, max);
    if (typeof found !== 'string') {
      expect(found).toEqual({ from, count: to - from + 1 });
      expect(to < extent && to >= from && to - from < max).toBe(true);
      continue;
    }
    const facts: Facts = {
      from: number(from),
      to: number(to),
      zero: number(0),
      last: number(extent - 1),
      count: number(to - from + 1),
      max: number(max),
      some: number(Math.min(5, extent) - 1),
    };
    const isInside = from <= to && to < extent;
    const such = extent === 1 ? '{zero}' : '{zero} to {some}';
    const rule = isInside
      ? 'Found {count}, expected at most {max}.'
      : `Found {from} to {to}, expected numbers from {zero} to {last}, such as ${such}.`;
    read.sentence(found, rule, facts, `${from} to ${to} of ${extent}`);
  }
  expect(read.met('Found {count}, expected at most {max}.')).toBeGreaterThan(10);
});
