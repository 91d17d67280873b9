// Snapshots of the sentences about imported models (words/*.txt).

import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { visibleText } from '../../../../test/markup.ts';
import { matricesOf } from '../../../../test/model-questions.ts';
import { plainText } from '../../../../test/text-rules.ts';
import { type Statement, wordings } from '../../../../test/wordings.ts';
import { SHIPPED_MODELS } from '../../../../src/theory/models/known-models.ts';
import { readDecoderConfig } from '../../decoders/read/decoder-config.ts';
import { UNCHANGED, type Recipe, recipeKey } from '../../decoders/stored/recipe.ts';
import { selectedText } from '../strip/OverridesPanel.tsx';
import { captionOf, HeadMatrix, layerText, MatrixButton } from '../strip/Strip.tsx';
import { BringForm } from './BringSteps.tsx';
import { BROUGHT_MODEL, PLAN } from '../../test/fake-imported.ts';
import { partsText } from './UserPartLosses.tsx';
import { userTextProblem } from './user-text-job.ts';
import { userAnswer, userRows, UserTable, readUserText } from './UserQuality.tsx';
import { importedText, shippedText, keepProblem, unfinishedText, planRows, spaceText } from './model-words.ts';

/** Sentences about a model before and after its import: properties, storage, size. */
function* plans(): Generator<Statement> {
  for (const configChange of [
    {},
    { gated: false, kvHeads: 9, positions: 2048, norm: 'layer', activation: 'gelu', tied: false },
    { window: 512, biases: ['q', 'k', 'v'], intermediate: 12_288, hidden: 4096, activation: 'relu' },
  ])
    for (const planChange of [
      {},
      { weightBytes: 2, files: PLAN.files.slice(0, 1) },
      { weightBytes: null, weights: 5_123_456, notOnGpu: 'found 7' },
    ])
      for (const [name, value] of planRows({
        ...PLAN,
        ...planChange,
        config: { ...PLAN.config, ...configChange },
      } as typeof PLAN))
        yield [name, value];
  for (const free of [null, 0, PLAN.bytes - 1, PLAN.bytes, 2e9]) {
    const storageSpace = { free, isPersisted: free === 0 };
    yield [`free: ${free}`, `${spaceText(storageSpace)} / ${keepProblem(storageSpace, PLAN.bytes)}`];
  }
  yield ['no files', String(keepProblem(null, 1))];
  for (const isKept of [false, true]) yield ['about', importedText({ ...BROUGHT_MODEL, isKept })];
  yield ['part', unfinishedText(12_345_678)];
  for (const { shape } of SHIPPED_MODELS) yield [`comes, ${shape.name}`, shippedText(shape)];
}

/** Sentences about measurements on the user's text. */
async function own(): Promise<readonly Statement[]> {
  const texts: Statement[] = [];
  const quality = (bits: number) => ({ bits, bytes: 1234, tokens: 321, pieces: 1, where: 'gpu' as const });
  const pruned = (density: number): Recipe => ({ pruning: { way: 'magnitude', density }, valueType: 'f16' });
  const allMeasurements = [UNCHANGED, pruned(0.5), pruned(0.9)].map((recipe, i) => ({
    recipe,
    quality: quality([2000, 2950.5, 1990][i]),
  }));
  const measured = new Map(allMeasurements.map((measurement) => [recipeKey(measurement.recipe), measurement]));
  for (const current of [undefined, ...allMeasurements])
    texts.push(['answer', plainText(userAnswer('Tiny', measured, current, 0.5))]);
  texts.push(['no answer', plainText(userAnswer('Tiny', new Map(), undefined, 1))]);
  for (const where of ['gpu', 'cpu'] as const) {
    const pieces = where === 'gpu' ? 1 : 4;
    const props = { rows: userRows(measured.values()), quality: { ...quality(1), pieces, where } };
    texts.push(['table', visibleText(createElement(UserTable, props))]);
  }
  for (const tokens of [1, 256]) texts.push(['parts', partsText({ tokens, bits: 512.34 })]);
  for (const length of [199, 200, 20_000, 20_001])
    texts.push([`${length} letters`, String(userTextProblem('x'.repeat(length)))]);
  for (const length of [80_000, 80_001]) {
    const { problem } = await readUserText(new File(['x'.repeat(length)], 'a.txt'));
    texts.push([`${length} bytes`, String(problem)]);
  }
  return texts;
}

/** Sentences about the strip of matrices: caption, bytes, labels of matrices, and the selection. */
function* matrices(): Generator<Statement> {
  const [{ shape }] = SHIPPED_MODELS;
  const { blocks, head } = matricesOf(shape);
  const dense = 2 * blocks.reduce((sum, [rows, cols, count]) => sum + rows * cols * count, 0);
  for (const total of [null, 4_212_300]) yield ['caption', captionOf(42, 'MACKO stores', total, dense)];
  const maxF16Bytes = 2 * shape.intermediate * shape.hidden;
  const headProps = { tied: true, bytes: 2 * head[0] * head[1], maxF16Bytes, format: 'dense' };
  yield ['head', visibleText(createElement(HeadMatrix, headProps))];
  const names = ['q', 'k', 'v'] as const;
  const byMatrix = new Map(names.map((name, i) => [`0 ${name}`, { layer: 0, name, bytes: 12_345 * (i + 1) }]));
  for (const layer of [0, 1])
    yield [`layer ${layer}`, layerText({ byMatrix, total: null, problem: null }, layer, names)];
  const unselected = { isPageMatrix: false, isSelected: false, isTabStop: false, format: 'macko' };
  for (const [overrideText, bytes] of [
    [null, null],
    [null, 36_864],
    ['i4', 12_345],
  ] as const) {
    const onPress = (): void => {};
    const props = {
      ...unselected,
      position: { layer: 3, name: 'down' },
      f16Bytes: 73_728,
      maxF16Bytes,
      bytes,
      overrideText,
    } as const;
    const markup = renderToStaticMarkup(createElement(MatrixButton, { ...props, onPress, onOpen: onPress }));
    for (const [, attribute, text] of markup.matchAll(/(aria-label|title)="(.+?)"/g)) yield [attribute, text];
  }
  for (const [first, second] of ['3 q', '1 q, 4 q', '3 q, 3 up', '3 q, 5 up'].map((pair) => pair.split(', '))) {
    const chosenMatrices = [first, second].flatMap((matrixText) => {
      const [layer, name] = matrixText?.split(' ') ?? [];
      return name ? [{ layer: Number(layer), name }] : [];
    });
    yield ['selected', selectedText(chosenMatrices as never)];
  }
}

it.each(Object.entries({ plans, own, matrices }))(
  'the sentences about imported models equal their snapshot: %s',
  async (name, texts) => {
    await expect(wordings(await texts())).toMatchFileSnapshot(`words/${name}.txt`);
  },
);

it('the limit on the page is the limit that a larger model exceeds', () => {
  const bring = visibleText(createElement(BringForm, { onInspect: () => {}, onFiles: () => {} }));
  const sizes = { hidden_size: 2048, intermediate_size: 8192, num_hidden_layers: 40, num_attention_heads: 32 };
  const config = JSON.stringify({ model_type: 'llama', vocab_size: 32_000, ...sizes });
  const limit = 536_870_912;
  expect(() => readDecoderConfig(config, 'c')).toThrow(new RegExp(`expected at most ${limit}$`));
  expect(bring).toContain(`up to ${Math.round(limit / 1e6)} million weights`);
});
