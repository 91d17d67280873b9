// @vitest-environment happy-dom
import { createElement } from 'react';
import { expect, it } from 'vitest';
import { Random } from '../src/core/number/random.ts';
import type { SizeLine } from '../src/places/compare/chart/lines.ts';
import { tokenFigures, TokensPicture } from '../src/places/compare/chart/ModelPicture.tsx';
import { sizeFigures, SizePicture } from '../src/places/compare/chart/SizePicture.tsx';
import { GRID } from '../src/places/compare/curves/size-curves.ts';
import { axesOf, type Drawn, drawnIn } from './drawn-axes.ts';
import { drawnMarkup } from './drawn-page.ts';
import { CSR, way } from './model-questions.ts';
import { type Facts, number, percent, Read } from './sentences.ts';

/*
 * The law for sentences, for Compare's pictures over what is left: dots, rules and names stand where the axes have their
 * figures, and the table below has those of its own shares.
 */

const random = new Random(31);

/** Lines of a format: what each takes falls with what is left. */
function lineOf(one: typeof CSR, side: SizeLine['side']): SizeLine {
  const { format, stored, key } = one;
  const variant = { key, format, params: stored.params, label: '', isSidesOwn: false };
  return { key, title: format.title, side, isQuantised: false, curve: { variant, sizes: [], heldUpTo: 1 } } as never;
}

const WAYS = [
  { line: lineOf(way('macko'), 'a'), base: 40_000, slope: 900_000 },
  { line: lineOf(CSR, 'b'), base: 15_000, slope: 2_100_000 },
] as const;

const pictured = (at: number) => ({
  cursor: { at, label: '', text: '', step: (to: number) => to, onMove: () => {}, onRelease: () => {} },
  height: 400,
  strong: null,
  onStrong: () => {},
});

const same = (found: number, expected: number, where: string): void =>
  expect(Math.abs(found / expected - 1), `${where}: found ${found}, expected ${expected}`).toBeLessThan(1e-6);

const places = (drawn: readonly Drawn[], name: string): readonly (readonly [number, number])[] =>
  drawn
    .filter(({ of }) => of.class === name)
    .flatMap(({ of }) =>
      [...of.d.matchAll(/M(-?[\d.]+) (-?[\d.]+)h[07]/g)].map(([, x, y]) => [Number(x), Number(y)] as const),
    );

it('tokens per second are drawn, said and listed as they follow from the times', () => {
  const read = new Read();
  for (const at of [0.5, 0.053, 0.535]) {
    const lines = WAYS.map(({ line, base, slope }) => ({
      line,
      sizes: GRID.map((left) => (left < 0.01 ? null : { stored: 1, ns: 1e3 * (base + slope * left) })),
    }));
    const rules = [
      { id: 'f16', title: 'dense f16', stored: 1, ns: 3.5e9 },
      { id: 'i4', title: 'dense i4', stored: 1, ns: 9e8 },
    ];
    const dots = [at, 0.3, 0.8].map((left) => ({
      format: 'macko',
      title: 'MACKO',
      left,
      tokensPerSecond: 0.2 + 3 * random.uniform(),
    }));
    const published = [{ format: 'csr', title: 'published', left: 0.4, tokensPerSecond: 1.25 }];
    const crossings = [{ line: lines[0].line, rule: rules[1], at: 0.9555 }];
    const props = { ...pictured(at), subject: 'A model', lines, rules, crossings, dots, published, on: 'on a card' };
    const markup = drawnMarkup(createElement(TokensPicture, props), 1000);
    const drawn = drawnIn(markup);
    // Figures along x are per cent.
    const axes = axesOf(
      drawn.filter(({ of }) => of.class === undefined || of.class.startsWith('series') || of.class.startsWith('plot')),
      { x: 'linear', y: 'linear' },
    );
    const where = `${at} left`;
    const found = places(drawn, 'series-dots');
    expect(found).toHaveLength(dots.length);
    for (const [i, [px, py]] of found.entries()) {
      same(axes.x(px) / 100, dots[i].left, where);
      same(axes.y(py), dots[i].tokensPerSecond, where);
    }
    const [[px, py]] = places(drawn, 'series-squares');
    same(axes.x(px + 3.5) / 100, 0.4, where);
    same(axes.y(py + 3.5), 1.25, where);
    const flat = drawn.filter(
      ({ tag, of }) => tag === 'line' && (of.class === 'plot-rule' || of.class === 'plot-dotted') && of.y1 === of.y2,
    );
    expect(flat).toHaveLength(rules.length);
    for (const [i, { of }] of flat.entries()) same(axes.y(Number(of.y1)), 1e9 / rules[i].ns, where);
    const thumb = drawn.find(({ of }) => of.class === 'plot-thumb-text');
    same(axes.x(Number(thumb?.of.x)) / 100, at, where);
    read.sentence(thumb?.text ?? '', '{left}', { left: percent(at) }, where);

    const facts: Record<string, Facts[string]> = { one: number(1e9 / rules[0].ns), two: number(1e9 / rules[1].ns) };
    const said = dots.map(({ left, tokensPerSecond }, i) => {
      facts[`left${i}`] = percent(left);
      facts[`rate${i}`] = number(tokensPerSecond);
      return `MACKO with {left${i}} left measured {rate${i}}`;
    });
    const spoken = (/aria-label="(Tokens per second[^"]*)"/.exec(markup)?.[1] ?? '').replaceAll(
      /dense [fi]\d+/g,
      'dense',
    );
    read.sentence(
      spoken,
      `Tokens per second of A model over what is left: dense at most {one}, dense at most {two}, ${said.join(', ')}.`,
      facts,
      where,
    );
    const note = drawn.find(({ text }) => text.startsWith('MACKO measured '));
    read.sentence(note?.text ?? '', 'MACKO measured {rate}', { rate: number(dots[0].tokensPerSecond) }, where);
    expect(drawn.some(({ text }) => text === '96\u202f%')).toBe(true);

    for (const { name, cells, values } of tokenFigures(props).rows) {
      const left = Number(values?.[0]);
      read.sentence(name, '{left}', { left: percent(left) }, where);
      for (const [i, { base, slope }] of WAYS.entries()) {
        read.sentence(cells[i], '{rate}', { rate: number(1e6 / (base + slope * left)) }, `${where}, ${name}`);
        same(Number(values?.[1 + i]), 1e6 / (base + slope * left), `${where}, ${name}`);
      }
      for (const [i, { ns }] of rules.entries())
        read.sentence(cells[2 + i], '{rate}', { rate: number(1e9 / ns) }, name);
      const dot = dots.find((one) => one.left === left);
      if (dot) read.sentence(cells[4], '{rate}', { rate: number(dot.tokensPerSecond) }, name);
      else expect(cells[4]).toBe('–');
    }
  }
});

it('sizes are drawn and listed as shares of dense', () => {
  const read = new Read();
  for (const at of [0.5, 0.053]) {
    const where = `${at} left`;
    const sizeOf = (i: number, left: number): number => 0.002 + (i === 0 ? 1.25 : 1.5) * left;
    const lines = WAYS.map(({ line }, i) => ({
      line,
      sizes: GRID.map((left) => sizeOf(i, left)),
      evenAt: i === 0 ? 0.798 : 0.666,
    }));
    const rules = [
      { id: 'f16', title: 'dense f16', size: 1 },
      { id: 'i4', title: 'dense i4', size: 0.28 },
    ];
    const dots = [at, 0.0537, 0.7].map((left) => ({ format: 'macko', title: 'MACKO', left, size: sizeOf(0, left) }));
    const props = { ...pictured(at), subject: 'A model', lines, rules, dots, published: [] };
    const drawn = drawnIn(drawnMarkup(createElement(SizePicture, props), 1000));
    const axes = axesOf(drawn, { x: 'linear', y: 'linear' });
    for (const [i, [px, py]] of places(drawn, 'series-dots').entries()) {
      same(axes.x(px) / 100, dots[i].left, where);
      same(axes.y(py) / 100, dots[i].size, where);
    }
    const flat = drawn.filter(
      ({ tag, of }) => tag === 'line' && (of.class === 'plot-rule' || of.class === 'plot-dotted') && of.y1 === of.y2,
    );
    for (const [i, { of }] of flat.entries()) same(axes.y(Number(of.y1)) / 100, rules[i].size, where);
    for (const { name, cells, values } of sizeFigures(props).rows) {
      const left = Number(values?.[0]);
      for (const [i] of WAYS.entries()) {
        const size = sizeOf(i, left);
        read.sentence(cells[i], '{size}', { size: { ...percent(size), digits: 1 } }, `${where}, ${name}`);
        same(Number(values?.[1 + i]), size, `${where}, ${name}`);
      }
    }
  }
  expect(read.met('{size}')).toBeGreaterThan(40);
});
