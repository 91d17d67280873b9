// Snapshots of every sentence about firing neurons, for recorded models (words/recorded.txt) and counted texts.

import { createElement } from 'react';
import { expect, it } from 'vitest';
import { shippedFiring, shippedQuality } from '../../test/offers.ts';
import { visibleText } from '../../../../test/markup.ts';
import { plainText } from '../../../../test/text-rules.ts';
import { type Statement, wordings } from '../../../../test/wordings.ts';
import { HeatMap, partKey } from '../curve/HeatMap.tsx';
import { Bars } from '../lesson/LessonFigure.tsx';
import { rowTitle } from '../lesson/measured-models.ts';
import type { FiredToken } from '../service/types.ts';
import { l1Text } from './CostOfL1.tsx';
import { countedWords, countFired } from './firing-counts.ts';
import { LayerTable } from './LayerTable.tsx';
import { PieceBars } from './PieceBars.tsx';
import { firesText, NeuronPanel } from './Raster.tsx';
import { TaleNote } from './RasterParts.tsx';
import { allFireWords, firingHeadline } from './firing-record.ts';
import { spanText } from './WholeTale.tsx';

const record = shippedFiring();
const quality = shippedQuality('tales');
const shipped = { modelBits: shippedQuality('tales-relu').rows[0].bitsPerByte, swiglu: quality.rows[0].bitsPerByte };

/** Returns tokens with firing neurons: every `spacing`-th neuron fires, a spacing that differs by token and layer. */
function firing(tokens: number, layers: number, neurons: number): readonly FiredToken[] {
  return Array.from({ length: tokens }, (_, position) => ({
    piece: position % 3 === 0 ? ` word${position}` : 'part',
    layers: Array.from({ length: layers }, (__, layer) => {
      const spacing = 1 + ((position + layer) % 5) * (layer + 1);
      const multiples = Array.from({ length: Math.ceil(neurons / spacing) }, (___, i) => i * spacing);
      const fired = multiples.filter((i) => i < neurons);
      return { neurons: Uint16Array.from(fired), values: Float32Array.from(fired, (i) => 0.125 + i) };
    }),
  }));
}

/** Sentences about the recorded firing neurons of a model, and texts of the charts and bars of losses. */
function* recorded(): Generator<Statement> {
  for (const variant of [
    record,
    { ...record, meanByLayer: record.meanByLayer.slice(0, 1), tilesOver: [1] },
    { ...record, tilesOver: record.tilesOver.map(() => 0) },
    { ...record, tilesOver: record.tilesOver.toReversed(), meanByLayer: record.meanByLayer.toReversed() },
  ])
    for (const costs of [shipped, { ...shipped, swiglu: null }, { modelBits: null, swiglu: null }])
      yield [`${variant.tilesOver[0]} of ${variant.tiles} tiles`, plainText(firingHeadline(variant, costs))];
  yield ['all', plainText(allFireWords(704, 'SiLU'))];
  yield ['l1', l1Text(record.l1, 40)];
  const pieces = { title: 'T', caption: 'c', pieces: record.maxTokens, max: 1 };
  yield ['pieces', visibleText(createElement(PieceBars, pieces))];

  // The loss of quality by matrix, by layer and by kind of matrix, in bits per tale; then the bars of a lesson.
  const losses = [0.04, -0.3, 0.06, 9.94, 12.6, -14.2, 123.4];
  const kinds = ['q', 'k', 'v', 'o', 'gate', 'up', 'down'] as const;
  const lost = new Map<string, number>(kinds.map((name, kind) => [partKey(null, name), 30.5 + kind]));
  for (const layer of [0, 1, 2]) {
    lost.set(partKey(layer, null), 2 * layer + 0.25);
    for (const [kind, name] of kinds.entries())
      if (name !== 'o') lost.set(partKey(layer, name), losses[(layer + 2 * kind) % 7]);
  }
  yield ['losses', visibleText(createElement(HeatMap, { layers: 3, kinds, lost }))];
  const rows = quality.rows.filter((row) => row.way === 'none' || row.way === 'wanda').slice(0, 5);
  const measured = { bitsPerByte: 0.2143, floor: 0.2101, tales: 12, judged: 12, unbroken: 7 };
  const measuredByRow = new Map([[rowTitle(rows[1]), measured]]) as never;
  for (const quantity of ['bits', 'unbroken'] as const)
    yield [quantity, visibleText(createElement(Bars, { quality, quantity, rows, hidden: false, measuredByRow }))];
}

/** Sentences about the firing neurons of texts of several lengths, counted while they are written. */
function* counted(): Generator<Statement> {
  const onOpen = (): void => {};
  for (const [length, layers, neurons] of [
    [1, 1, 40],
    [2, 3, 40],
    [7, 2, 600],
    [31, 6, 768],
  ]) {
    const tokens = firing(length, layers, neurons);
    const name = `${length} tokens`;
    const counts = countFired(tokens, neurons);
    if (!counts) throw new Error('found no tokens');
    yield [name, plainText(countedWords('Tiny', counts))];
    const table = { record: counts, token: tokens[length - 1], open: 0, plan: null, onOpen };
    yield [name, visibleText(createElement(LayerTable, table))];
    for (const position of [length - 1, length]) yield [name, firesText(tokens, position)];
    for (const recordedOf of [null, 330])
      yield [name, visibleText(createElement(TaleNote, { tokens, what: 'tale', recordedOf, onWrite: onOpen }))];
    for (const [from, columns] of [
      [0, 1],
      [0, 80],
      [length - 1, 5],
      [length, 5],
    ])
      yield [name, spanText(from, columns, length)];
    const [neuron] = tokens[length - 1].layers[0].neurons;
    const hovered = { tokens, layer: 0, neuron, value: 0.125, at: [0, 0], flip: false } as const;
    yield [name, visibleText(createElement(NeuronPanel, hovered))];
  }
}

it.each(Object.entries({ recorded, counted }))(
  'the texts about %s firing neurons equal their snapshot',
  async (name, output) => {
    await expect(wordings(output())).toMatchFileSnapshot(`words/${name}.txt`);
  },
);
