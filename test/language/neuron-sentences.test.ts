import { readFileSync } from 'node:fs';

import { createElement } from 'react';

import { describe, expect, it } from 'vitest';

import { HeatMap } from '../../src/labs/language/place/curve/HeatMap.tsx';

import { Bars } from '../../src/labs/language/place/lesson/LessonFigure.tsx';

import { rowTitle } from '../../src/labs/language/place/lesson/rows.ts';

import { l1Words } from '../../src/labs/language/place/neurons/CostOfL1.tsx';

import { countedWords, countFired } from '../../src/labs/language/place/neurons/counted.ts';

import { LayerTable } from '../../src/labs/language/place/neurons/LayerTable.tsx';

import { PieceBars } from '../../src/labs/language/place/neurons/PieceBars.tsx';

import { firesWords, Hovered } from '../../src/labs/language/place/neurons/Raster.tsx';

import { TaleNote } from '../../src/labs/language/place/neurons/RasterParts.tsx';

import { allFire, headlineOf, readFiringRecord } from '../../src/labs/language/place/neurons/record.ts';

import { spanWords } from '../../src/labs/language/place/neurons/WholeTale.tsx';

import type { FiredToken } from '../../src/labs/language/place/service/types.ts';

import { shownText } from '../markup.ts';

import { type Facts, number, percent, plainText, Read } from '../sentences.ts';

import { shippedQuality } from './offers.ts';

import { cells } from './speed-questions.ts';

/* The law for sentences, for neurons, and for what a map of losses and the figures of lessons say. */

/** Text that fires: each layer more or less than the one before, seeded by the places of tokens. */
function firing(tokens: number, layers: number, neurons: number): readonly FiredToken[] {
  return Array.from({ length: tokens }, (_, at) => ({
    piece: at % 3 === 0 ? ` word${at}` : 'part',
    layers: Array.from({ length: layers }, (__, layer) => {
      const apart = 1 + ((at + layer) % 5) * (layer + 1);
      const fired = Array.from({ length: Math.ceil(neurons / apart) }, (___, i) => i * apart).filter(
        (i) => i < neurons,
      );
      return { neurons: Uint16Array.from(fired), values: Float32Array.from(fired, (i) => 0.125 + i) };
    }),
  }));
}

const TEXTS = [firing(1, 1, 40), firing(2, 3, 40), firing(7, 2, 600), firing(31, 6, 768)].map((tokens, i) => ({
  tokens,
  neurons: [40, 40, 600, 768][i],
}));

const mean = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0) / all.length;
const firedAt = (token: FiredToken, layer: number): number => token.layers[layer].neurons.length;
const layersOf = (tokens: readonly FiredToken[]): readonly number[] => tokens[0].layers.map((_, layer) => layer);

describe('neurons', () => {
  const record = readFiringRecord(JSON.parse(readFileSync('public/models/tales-relu/firing.json', 'utf8')));
  const shipped = {
    own: shippedQuality('tales-relu').rows[0].bitsPerByte,
    swiglu: shippedQuality('tales').rows[0].bitsPerByte,
  };

  it('of a record are said with their costs and the tiles that overflow', () => {
    const read = new Read();
    const changed = [
      record,
      { ...record, meanByLayer: record.meanByLayer.slice(0, 1), tilesOver: [1] },
      { ...record, tilesOver: record.tilesOver.map(() => 0) },
      { ...record, tilesOver: record.tilesOver.toReversed(), meanByLayer: record.meanByLayer.toReversed() },
    ];
    for (const one of changed) {
      for (const costs of [shipped, { ...shipped, swiglu: null }, { own: null, swiglu: null }]) {
        const bits =
          costs.own === null
            ? ''
            : costs.swiglu === null
              ? ': {own} bits per byte'
              : ': {own} bits per byte, with SwiGLU, where all fire, {swiglu}';
        const share = one.tilesOver[0] / one.tiles;
        // Below a thousandth a share has no per cent.
        const isOdd = share > 0 && share < 0.001;
        read.sentence(
          plainText(headlineOf(one, costs)),
          `With {mean} of {neurons} neurons a layer it tells its tales${bits}. In layer {zero} too many fire at once: {share} of TwELL’s tiles are too small.`,
          {
            mean: number(one.mean),
            neurons: number(one.neurons),
            own: number(costs.own ?? 0, 4),
            swiglu: number(costs.swiglu ?? 0, 4),
            zero: number(0),
            share: share === 0 ? number(0) : isOdd ? `${share.toExponential(1).replace('-', '−')}` : percent(share),
          },
          `${one.tilesOver[0]}`,
        );
      }
    }
    const all = plainText(allFire(704, 'SiLU'));
    const rule = '{what} is hardly ever 0: all {n} of {n} neurons fire at every token.';
    read.sentence(
      all.replace(' 0:', ' nought:'),
      rule.replace(' 0:', ' nought:'),
      { what: 'SiLU', n: number(704) },
      all,
    );
    const seconds = l1Words(record.l1, 40);
    const runs = record.l1.map((_, i) => `{f${i}} fire, {b${i}} bits per byte`).join('; ');
    const facts: Record<string, Facts[string]> = { seconds: number(40) };
    for (const [i, run] of record.l1.entries()) {
      facts[`f${i}`] = number(run.firing);
      facts[`b${i}`] = number(run.bitsPerByte, 4);
    }
    read.sentence(seconds.replace(' s:', ' seconds:'), `Trainings of {seconds} seconds: ${runs}`, facts, seconds);
    const pieces = shownText(
      createElement(PieceBars, { title: 'T', caption: 'c', pieces: record.maxTokens, max: 1 }),
    ).split('\n');
    for (const [i, line] of pieces.slice(1).entries()) {
      read.sentence(/[\d.]+$/.exec(line)?.[0] ?? '', '{mean}', { mean: number(record.maxTokens[i].mean) }, line);
    }
  });

  it('of a text are counted token by token', () => {
    const read = new Read();
    for (const { tokens, neurons } of TEXTS) {
      const counted = countFired(tokens, neurons);
      if (!counted) throw new Error('found no tokens');
      const layers = layersOf(tokens);
      const means = layers.map((layer) => mean(tokens.map((token) => firedAt(token, layer))));
      const [min, max] = [Math.min(...means), Math.max(...means)].map(Math.round);
      const where = `${tokens.length} tokens`;
      const these = tokens.length === 1 ? 'this {tokens} token' : 'these {tokens} tokens';
      read.sentence(
        plainText(countedWords('Tiny', counted)),
        `{mean} of {neurons} neurons a layer fire while {name} writes ${these}${min === max ? '' : ', from {min} to {max} by layer'}.`,
        {
          mean: number(mean(means)),
          neurons: number(neurons),
          name: 'Tiny',
          tokens: number(tokens.length),
          min: number(min),
          max: number(max),
        },
        where,
      );
      const table = shownText(
        createElement(LayerTable, {
          record: counted,
          token: tokens.at(-1) ?? null,
          open: 0,
          plan: null,
          onOpen: () => {},
        }),
      ).split('\n');
      const tiles = tokens.length * Math.ceil(neurons / 256);
      expect(table[0]).toMatch(new RegExp(`of ${tiles} tiles > 31$`));
      for (const layer of layers) {
        const all = tokens.map((token) => token.layers[layer].neurons);
        const hasFired = new Set(all.flatMap((fired) => [...fired]));
        const over = all
          .flatMap((fired) =>
            Array.from(
              { length: Math.ceil(neurons / 256) },
              (_, tile) => [...fired].filter((one) => Math.floor(one / 256) === tile).length,
            ),
          )
          .filter((held) => held > 31).length;
        read.sentence(
          table[1 + layer],
          'layer {layer} | {mean} | {max} | {dead} | {now} | {over}',
          {
            layer: number(layer),
            mean: number(means[layer]),
            max: number(Math.max(...all.map(({ length }) => length))),
            dead: number(neurons - hasFired.size),
            now: number(all[all.length - 1].length),
            over: number(over),
          },
          where,
        );
      }
    }
  });

  it('at a token are named, and the tokens that fire the most and the fewest', () => {
    const read = new Read();
    for (const { tokens } of TEXTS) {
      const at = tokens.length - 1;
      const fires = layersOf(tokens).map((layer) => `layer {n${layer}} fires {f${layer}}`);
      const facts: Record<string, Facts[string]> = {
        at: number(tokens.length),
        all: number(tokens.length),
        piece: /^[a-z]/.test(tokens[at].piece) ? `…${tokens[at].piece}` : tokens[at].piece.trim(),
      };
      for (const layer of layersOf(tokens)) {
        facts[`n${layer}`] = number(layer);
        facts[`f${layer}`] = number(firedAt(tokens[at], layer));
      }
      read.sentence(firesWords(tokens, at), `Token {at} of {all}, {piece}: ${fires.join(', ')}`, facts, 'token');
      expect(firesWords(tokens, tokens.length)).toBe('No token is written yet');

      const means = tokens.map((token) => mean(layersOf(tokens).map((layer) => firedAt(token, layer))));
      for (const recordedOf of [null, 330]) {
        const [head, first, extremes, last] = shownText(
          createElement(TaleNote, { tokens, what: 'tale', recordedOf, onWrite: () => {} }),
        )
          .replaceAll(/(layer|\d) (most:|write all )/g, '$1\n$2')
          .split('\n');
        const many = tokens.length === 1 ? 'token' : 'tokens';
        const count = { count: number(tokens.length), all: number(330) };
        read.sentence(head, `whole tale ${recordedOf === null ? `{count} ${many}` : '{count} of {all}'}`, count, head);
        expect(first).toBe('neurons per token and layer');
        const ends = { max: number(Math.max(...means)), min: number(Math.min(...means)) };
        read.sentence(
          extremes.replace(/most: \S+/, 'most:').replace(/least: \S+/, 'least:'),
          'most: {max}; least: {min}',
          ends,
          extremes,
        );
        if (recordedOf === null) expect(last).toBeUndefined();
        else expect(last).toBe('write all of it here');
      }
      for (const [from, columns] of [
        [0, 1],
        [0, 80],
        [at, 5],
      ]) {
        const span = spanWords(from, columns, tokens.length);
        const its = {
          from: number(from + 1),
          to: number(Math.min(from + columns, tokens.length)),
          all: number(tokens.length),
        };
        read.sentence(span, 'tokens {from} to {to} of {all}', its, span);
      }
      expect(spanWords(tokens.length, 5, tokens.length)).toBe('no token is written yet');
      const neuron = tokens[at].layers[0].neurons[0];
      const hovered = shownText(
        createElement(Hovered, { tokens, layer: 0, neuron, value: 0.125, at: [0, 0], flip: false }),
      ).split('\n');
      const times = tokens.filter(({ layers: [layer] }) => layer.neurons.includes(neuron)).length;
      read.sentence(
        hovered[0],
        'neuron {neuron} of layer {layer}: {value}',
        { neuron: number(neuron), layer: number(0), value: number(0.125) },
        '',
      );
      const fired = hovered[1].split(' of this text')[0];
      read.sentence(fired, `fires at {times} ${times === 1 ? 'token' : 'tokens'}`, { times: number(times) }, fired);
    }
  });
});

it('a map of losses has those of each matrix, layer and kind', () => {
  const read = new Read();
  const losses = [0.04, -0.3, 0.06, 9.94, 12.6, -14.2, 123.4];
  const lossOf = (layer: number, kind: number): number | null => (kind === 3 ? null : losses[(layer + 2 * kind) % 7]);
  const kinds = ['q', 'k', 'v', 'o', 'gate', 'up', 'down'] as const;
  const lost = { matrix: lossOf, layer: (layer: number) => 2 * layer + 0.25, kind: (kind: number) => 30.5 + kind };
  const lines = shownText(createElement(HeatMap, { layers: 3, kinds, lost })).split('\n');
  for (const [layer, line] of lines.slice(1, 4).entries()) {
    const [name, ...row] = cells(line);
    expect(name).toBe(`layer ${layer}`);
    for (const [kind, cell] of row.entries()) {
      const value = kind === 7 ? lost.layer(layer) : lossOf(layer, kind);
      if (value === null) expect(cell).toBe('·');
      else if (Math.abs(value) < 0.05) expect(cell).toBe('0');
      else read.sentence(cell, '{lost}', { lost: number(value) }, line);
    }
  }
  const sums = cells(lines[4]).slice(1, 8);
  for (const [kind, cell] of sums.entries()) read.sentence(cell, '{lost}', { lost: number(30.5 + kind) }, lines[4]);
  expect(read.met('{lost}')).toBeGreaterThan(20);
});

it('the bars of a lesson have the figures of their models', () => {
  const read = new Read();
  const quality = shippedQuality('tales');
  const rows = quality.rows.filter((row) => row.way === 'none' || row.way === 'wanda').slice(0, 5);
  for (const shown of ['bits', 'unbroken'] as const) {
    const found = new Map([
      [rowTitle(rows[1]), { bitsPerByte: 0.2143, floor: 0.2101, tales: 12, judged: 12, unbroken: 7 }],
    ]);
    const props = { quality, shown, rows, hidden: false, found: found as never };
    const lines = shownText(createElement(Bars, props)).split('\n');
    if (shown === 'bits') {
      const facts = { floor: number(quality.floor.exact, 4), own: number(0.2101, 4) };
      read.sentence(lines.shift() ?? '', 'the floor {floor}here {own}', facts, shown);
    }
    for (const [i, line] of lines.entries()) {
      const facts = {
        bits: number(rows[i].bitsPerByte, 4),
        unbroken: number(rows[i].unbroken ?? 0),
        own: number(0.2143, 4),
        some: number(7),
        of: number(12),
      };
      const here = i !== 1 ? '' : shown === 'bits' ? 'here {own}' : 'here {some} of {of}';
      const title = rowTitle(rows[i]);
      expect(line.startsWith(title)).toBe(true);
      read.sentence(
        line.slice(title.length).trim(),
        `${shown === 'bits' ? '{bits}' : '{unbroken}'}${here}`,
        facts,
        line,
      );
    }
  }
});
