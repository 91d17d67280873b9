import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { defaultParams, resolvedParams } from '../src/core/format.ts';
import { smallest } from '../src/core/number/statistics.ts';
import { textWidth } from '../src/kit/charts/label-room.ts';
import { formats, referenceFormat } from '../src/formats/catalog.ts';
import type { TimedMatrix } from '../src/kit/report/matrix-times.ts';
import { stripsOf } from '../src/places/compare/chart/CompareChart.tsx';
import { SpeedChart as CompareChart } from '../src/places/compare/chart/SpeedChart.tsx';
import { WinnerStrips } from '../src/places/compare/chart/WinnerStrips.tsx';
import { LEFT_AXIS } from '../src/places/compare/curves/left-axis.ts';
import { measuredSpeeds } from '../src/places/compare/curves/measured-speeds.ts';
import { quantisedLines } from '../src/places/compare/curves/references.ts';
import { sampleFormat } from '../src/places/compare/curves/size-curves.ts';
import { fastestOf } from '../src/places/compare/curves/use-speeds.ts';
import { type StoredVariant, storedVariantOf } from '../src/places/compare/rows/stored-variants.ts';
import type { FormatParams } from '../src/state/index.ts';
import { axesOf, type Drawn, drawnIn } from './drawn-axes.ts';
import { drawnMarkup, tableIn } from './drawn-page.ts';
import { queryOf, questionsOf, recordedDevices } from './recorded-questions.ts';
import { type Facts, percent, Read, times } from './sentences.ts';

// @vitest-environment happy-dom
/*
 * Dots of speeds over what is left stand where the axes have their figures, thin lines where bytes are, and who is said to be
 * the fastest is. What was measured is read from reports in src/places/compare/curves/measured-speeds.test.ts and
 * test/one-time.test.ts.
 */

const params = Object.fromEntries(formats.map((f) => [f.id, defaultParams<FormatParams>(f.params)]));
const [device] = recordedDevices;

const same = (found: number, expected: number, where: string, share = 1e-5): void =>
  expect(Math.abs(found / expected - 1), `${where}: found ${found}, expected ${expected}`).toBeLessThan(share);

const placesOf = (drawn: readonly Drawn[], name: string): readonly (readonly (readonly [number, number])[])[] =>
  drawn
    .filter(({ of }) => of.class === name)
    .map(({ of }) =>
      [...of.d.matchAll(/M(-?[\d.]+) (-?[\d.]+)h[07]/g)].map(([, x, y]) => [Number(x), Number(y)] as const),
    );

const spokenIn = (markup: string): string => /role="img" aria-label="([^"]*)"/.exec(markup)?.[1] ?? '';

/** A format or dense as it is usually set on a shape, in these values. */
function usual(id: string, shape: { readonly rows: number; readonly cols: number }, valueType = 'f16'): StoredVariant {
  const format = formats.find((one) => one.id === id) ?? referenceFormat;
  const way = storedVariantOf(format, resolvedParams(format.params, { ...params[id], valueType }, shape), shape);
  if (way === null) throw new Error(`found no ${id} in ${valueType}`);
  return way;
}

/** Each shape of which a product with one token was recorded. */
const SHAPES: ReadonlyMap<string, TimedMatrix> = new Map(
  questionsOf(device)
    .filter(({ tokens, isEven }) => tokens === 1 && !isEven)
    .map((asked) => [`${asked.rows} x ${asked.cols}`, asked]),
);

/** A share as its place in per cent with three digits. */
const left = (share: number) => ({ ...percent(share), digits: 1 });

/** What Compare has of a shape: formats and dense in fewer bits with their speeds, and who is the fastest. */
function speedsOf(asked: TimedMatrix) {
  const { rows, cols } = asked;
  const dense = queryOf(usual('dense', asked));
  const timed = formats
    .filter(({ id }) => id !== 'dense')
    .map((format) => ({
      format,
      points: measuredSpeeds(device.reports, asked, queryOf(usual(format.id, asked)), dense),
    }))
    .filter(({ points }) => points.length > 0);
  const quantised = quantisedLines(referenceFormat, params.dense, {
    rows,
    cols,
    valueType: 'f16',
    placement: 'independent',
  });
  const besides = quantised.map((line) => {
    const query = { ...line.variant, format: 'dense', spec: referenceFormat.params };
    return { line, points: measuredSpeeds(device.reports, asked, query, dense) };
  });
  const strips = fastestOf(
    timed.map(({ format, points }) => ({ title: format.title, points })),
    besides.map(({ line, points }) => ({ title: line.title, points })),
  );
  const ways = [
    ...timed.map(({ format, points }) => ({ way: usual(format.id, asked), title: format.title, points })),
    ...besides.map(({ line, points }) => ({ way: usual('dense', asked, line.id), title: line.title, points })),
  ];
  return { timed, quantised, besides, strips, ways };
}

describe('speeds over what is left, in Compare', () => {
  it('are drawn where rows and bytes have them, said and listed', async () => {
    const read = new Read();
    let ends = 0;
    const drawnFormats = ['csr', 'bitmask', 'slidesparse'];
    for (const [where, asked] of SHAPES) {
      const { rows, cols } = asked;
      const question = { rows, cols, valueType: 'f16', placement: 'independent' } as const;
      const some = formats.filter(({ id }) => drawnFormats.includes(id));
      const curves = await Promise.all(some.map((format) => sampleFormat(format, params[format.id], question)));
      const { timed, quantised, besides, strips, ways } = speedsOf(asked);
      const figures = { of: 'speed', title: 'theirs', points: [{ density: 0.45, value: 1.7 }] } as never;
      for (const mark of [null, 'software'] as const) {
        const markup = drawnMarkup(
          createElement(CompareChart, {
            ...NOTHING,
            curves,
            measured: timed,
            besides,
            fastest: strips.ofFormats,
            coming: [{ id: 'csr', format: 'csr', densities: [0.77] }],
            mark,
            published: [{ format: 'macko', figures }],
          }),
          1000,
          { isOpen: true },
        );
        const drawn = drawnIn(markup);
        const { x, y } = axesOf(drawn, { x: 'linear', y: 'log' });
        const at = (px: number): number => x(px) / 100;

        // A line of dots for each format and for dense in fewer bits, in pieces where nothing was timed for long.
        const dots = placesOf(drawn, 'series-dots').flat();
        const expected = ways.flatMap(({ way, points }) => points.map((point) => ({ way, ...point })));
        expect(dots, where).toHaveLength(expected.length);
        for (const [i, [px, py]] of dots.entries()) {
          const { way, density, ratio } = expected[i];
          same(at(px), density, `${where}, ${way.key}`);
          same(y(py), ratio, `${where}, ${way.key}, ${density}`);
        }
        const [[[px, py]]] = placesOf(drawn, 'series-squares');
        same(at(px + 3.5), 0.45, where);
        same(y(py + 3.5), 1.7, where);
        // Bytes alone, by hand: a bit of mask for each cell, and 16 bits of column beside each value.
        const thin = drawn.filter(({ of }) => of.class === 'series-line series-line--thin');
        const starts = (4 * (rows + 1)) / (2 * rows * cols);
        const byBytes = {
          bitmask: (share: number) => 1 / (share + (2 * Math.ceil(cols / 32)) / cols + starts),
          csr: (share: number) => 1 / (share * (cols > 65_536 ? 3 : 2) + starts),
        };
        for (const [id, of] of Object.entries(byBytes)) {
          const path = thin[curves.findIndex(({ format }) => format.id === id)].of.d;
          const corners = [...path.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)];
          expect(corners.length, where).toBeGreaterThan(100);
          for (const [, cx, cy] of corners) {
            if (at(Number(cx)) > 0.02) same(y(Number(cy)), of(at(Number(cx))), `${where}, ${id} by bytes`, 0.003);
          }
        }
        const flat = drawn.filter(({ of }) => of.class?.includes('series-line--dashed'));
        for (const [i, { of }] of flat.entries()) {
          const bits = { i8: 8, i4: 4 }[quantised[i].id] ?? 0;
          const [, , cy] = /M(-?[\d.]+),(-?[\d.]+)/.exec(of.d) ?? [];
          // With the scales of i8 and i4 it is a little less.
          expect(y(Number(cy)), where).toBeLessThanOrEqual((16 / bits) * (1 + 1e-5));
          expect(y(Number(cy)), where).toBeGreaterThan((16 / bits) * 0.85);
        }
        for (const { format, variants } of curves) {
          const name = drawn.find(({ text, of }) => text === format.title && of.style?.includes('font-weight'));
          const isMeasured = timed.some((one) => one.format.id === format.id);
          if (!name || isMeasured || variants[0].heldUpTo >= 1) continue;
          // Beside its last point on the grid, on either side.
          const left = Number(name.of.x);
          const sides = [left - 6, left + 1.2 * textWidth(format.title) + 16];
          const off = smallest(sides.map((px) => Math.abs(at(px) - variants[0].heldUpTo)));
          expect(off, `${where}, the end of ${format.title}`).toBeLessThan(0.015);
          ends++;
        }

        // What stands beside points.
        const rings = drawn.filter(({ of }) => of.class === 'plot-ring');
        const beside = drawn.filter(({ text }) => text.startsWith('equal at '));
        const crossings = strips.ofFormats
          .slice(1)
          .flatMap(({ winner, from }, i) =>
            winner === referenceFormat.title ? [{ format: strips.ofFormats[i].winner, from }] : [],
          );
        expect(rings, where).toHaveLength(crossings.length);
        for (const [i, { of }] of rings.entries()) {
          const { from } = crossings[i];
          same(at(Number(of.cx)), from, where);
          same(y(Number(of.cy)), 1, where);
          const near = beside.find(({ text }) => Math.abs(Number.parseFloat(text.slice(9)) / 100 - from) < 0.006);
          if (near) read.sentence(near.text, 'equal at {from}', { from: { ...percent(from), digits: 0 } }, where);
        }
        const facts: Record<string, Facts[string]> = {};
        const parts = timed.map(({ format, points }, i) => {
          const [top] = points.toSorted((one, other) => other.ratio - one.ratio);
          facts[`ratio${i}`] = times(top.ratio);
          facts[`left${i}`] = { ...percent(top.density), digits: 0 };
          return `${format.title} up to {ratio${i}}×${mark === null ? '' : ', software'} at {left${i}} left`;
        });
        const said = parts.length === 0 ? ', by bytes alone' : `: ${parts.join('; ')}`;
        read.sentence(spokenIn(markup), `Speed against dense by what is left${said}.`, facts, where);

        const [head, ...lines] = tableIn(markup);
        const names = lines.map(([name]) => Number.parseFloat(name));
        for (const [i, one] of names.slice(1).entries()) expect(one / names[i], where).toBeGreaterThan(1.003);
        for (const [name, ...cells] of lines) {
          const value = Number(name.replace('\u202f%', '')) / 100;
          for (const [i, cell] of cells.entries()) {
            const what = head[i + 1];
            const in8 = `${where}, ${name}, ${what}`;
            if (what.startsWith('bitmask, by') || what.startsWith('CSR, by')) {
              const of = what.startsWith('CSR') ? byBytes.csr : byBytes.bitmask;
              read.sentence(cell, '{ratio}×', { ratio: { ...times(of(value)), slack: 0.005 } }, in8);
            }
            const own = ways.find(({ way }) => {
              const title =
                way.format.id === 'dense' ? `dense ${String(way.stored.params.valueType)}` : way.format.title;
              return what === title || what === `${title}, software`;
            });
            if (own === undefined) continue;
            const point = own.points.find(({ density }) => Math.abs(density / value - 1) < 0.002);
            if (point) read.sentence(cell, '{ratio}×', { ratio: times(point.ratio) }, in8);
            else expect(cell, in8).toBe('–');
          }
        }
      }
    }
    expect(read.met('{ratio}×')).toBeGreaterThan(200);
    expect(read.met('equal at {from}')).toBeGreaterThan(1);
    expect(ends).toBeGreaterThan(1);
  });

  it('have strips of who is the fastest, which stand where it is and name who was', () => {
    const read = new Read();
    let compared = 0;
    for (const [where, asked] of SHAPES) {
      const { timed, besides, strips: fastest, ways } = speedsOf(asked);
      const quantised = besides.map(({ line, points }) => ({ ...line, points }));
      const strips = stripsOf({ ...fastest, quantised }, timed, 'none');
      const isBeside = quantised.some(({ points }) => points.length > 0);
      expect(strips.length, where).toBe(isBeside ? 2 : 1);
      const markup = drawnMarkup(createElement(WinnerStrips, { strips, axis: LEFT_AXIS, onPick: () => {} }), 1000);
      const above = drawnMarkup(createElement(CompareChart, { ...NOTHING, measured: timed }), 1000);
      const { x } = axesOf(drawnIn(above), { x: 'linear', y: 'log' });
      for (const [i, row] of markup.split('role="group"').slice(1).entries()) {
        const [said, stretches] =
          i === 0
            ? (['is the fastest in f16', fastest.ofFormats] as const)
            : (['is the fastest in f16, dense i4 and dense i8', fastest.withDense] as const);
        const rivals = ways.filter(({ way }) => i === 1 || way.format.id !== 'dense');
        const parts = [
          ...row.matchAll(
            /style="left: ([\d.]+)px; width: ([\d.]+)px;[^>]*aria-label="([^"]*)".*?winner-name[^"]*">(.*?)</g,
          ),
        ];
        expect(parts.length, where).toBe(stretches.length);
        for (const [k, [, from, width, spoken, text]] of parts.entries()) {
          const { winner, ...stretch } = stretches[k];
          same(x(Number(from)) / 100, stretch.from, where);
          same(x(Number(from) + Number(width)) / 100, stretch.to, where);
          const facts = { winner, said, from: left(stretch.from), to: left(stretch.to) };
          read.sentence(spoken, '{winner} {said} from {from} to {to}', facts, where);
          if (text !== '')
            read.sentence(text, text.includes(' from ') ? '{winner} from {from}' : '{winner}', facts, where);
          // At every share that was measured there nobody is faster.
          for (const density of new Set(ways.flatMap(({ points }) => points.map((point) => point.density)))) {
            if (density < stretch.from + 0.003 || density > stretch.to - 0.003) continue;
            const took = rivals.flatMap(({ title, points }) => {
              const point = points.find((one) => one.density === density);
              return point ? [{ title, ratio: point.ratio }] : [];
            });
            const own = winner === referenceFormat.title ? 1 : took.find(({ title }) => title === winner)?.ratio;
            if (own === undefined) continue;
            for (const { title, ratio } of took)
              expect(ratio, `${where}, ${density}, ${title}`).toBeLessThan(1.003 * own);
            compared += took.length;
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(100);
    expect(read.met('{winner} {said} from {from} to {to}')).toBeGreaterThan(8);
  });
});

/** A chart of Compare in which nothing is drawn. */
const NOTHING = {
  curves: [],
  measured: [],
  besides: [],
  fastest: [],
  coming: [],
  mark: null,
  published: [],
  cursor: { at: 0.23, label: '', text: '', step: (to: number) => to, onMove: () => {} },
  reference: 'dense',
  strong: null,
  onStrong: () => {},
  height: 400,
};
