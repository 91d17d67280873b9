import { describe, expect, it } from 'vitest';
import { formats } from '../../../../formats/catalog.ts';
import type { PublishedFigures } from '../../../../core/format.ts';
import type { Device } from '../../../../state/devices/device.ts';
import { devicesOf } from '../../../../state/devices/devices.ts';
import { sweepReport } from '../../../../../test/reports.ts';
import { fastestAlong, measuredSpeeds, speedsOf } from '../../curves/measured-speeds.ts';
import { cardsOf, devicesWith, proposed, SIDE_FIELD } from './side-choice.ts';
import { changesText, passingText, rankingText, sideFigures, sideSentence, unrankedText } from './side-words.ts';
import { changesOfPlace, formatAsked, passing, shortName, type SideLine, sideOf, type SideSources } from './sides.ts';

const SHAPE = { rows: 12_288, cols: 12_288, valueType: 'f16' } as const;
const ROOFS = { readGBps: 4000, peakGMAps: { f32: 32_000 }, dispatchNs: 1000 };
const macko = { id: 'macko', title: 'MACKO' };

/** A recorded card on which MACKO has these speeds. */
function card(name: string, speeds: Readonly<Record<number, number>>, peak = 32_000): Device {
  return {
    id: `${name.toLowerCase()}@2026-11-22`,
    kind: 'recorded',
    name: `NVIDIA ${name}`,
    label: `NVIDIA ${name}, 22 November 2026`,
    reports: Object.entries(speeds).map(([density, ratio]) => sweepReport(Number(density), ratio)),
    roofs: { ...ROOFS, peakGMAps: { f32: peak } },
    isSoftware: false,
    shapes: ['12288x12288'],
  };
}

const H200 = card('H200', { 0.1: 3.74, 0.3: 2.05, 0.5: 1.31, 0.7: 0.91 });
const H100 = card('H100', { 0.1: 4.72, 0.3: 2.3, 0.5: 1.4, 0.7: 0.98 }, 40_000);
const BOUNDS = [0.1, 0.3, 0.5, 0.7, 0.8, 0.9].map((density) => {
  return { format: 'macko', params: {}, density, ratio: 0.8 / density, p10: 0.8 / density, p90: 0.8 / density };
});
const PUBLISHED: PublishedFigures = {
  of: 'speed',
  on: 'RTX 4090',
  title: 'MACKO',
  source: 'its authors',
  valueType: 'f16',
  points: [
    { density: 0.1, value: 4.34 },
    { density: 0.5, value: 1.33 },
    { density: 0.7, value: 1.01 },
    { density: 0.8, value: 0.89 },
  ],
};
const SOURCES: SideSources = {
  measuredOn: (device) => [
    {
      format: 'macko',
      title: 'MACKO',
      points: speedsOf(measuredSpeeds(device.reports, SHAPE, 'dense'), 'macko', {}),
    },
  ],
  bounds: [{ format: 'macko', title: 'MACKO', points: BOUNDS }],
  published: [{ format: 'macko', figures: PUBLISHED }],
  reference: 'dense',
};
const list = devicesOf({ reports: [], status: null, recorded: [], loaded: {}, on: '' });
const found = (id: string): Device => list.find((device) => device.id === id) ?? list[0];
const sides = [H200, H100, found('rtx-4090'), found('a100')].map((device) => sideOf(device, SOURCES));
const line = (...points: readonly (readonly [density: number, ratio: number])[]): SideLine => ({
  format: 'a',
  title: 'A',
  by: 'measured',
  points: points.map(([density, ratio]) => ({ format: 'a', params: {}, density, ratio, p10: ratio, p90: ratio })),
});

describe('a device among others', () => {
  it('has measured lines, else published ones, else bounds', () => {
    expect(sides.map(({ lines }) => lines.map(({ by }) => by))).toEqual([
      ['measured'],
      ['measured'],
      ['published'],
      ['bound'],
    ]);
    expect(sides[2].figures).toEqual([PUBLISHED]);
    expect(sides.filter(({ figures }) => figures.length > 0)).toHaveLength(1);
    expect(sides[2].bounds).toHaveLength(1);
  });
  it('has multiply-adds per byte, measured or from its data sheet', () => {
    expect(sides[0].perByte).toBe(8);
    expect(sides[1].perByte).toBe(10);
    // 82.6 Tflop/s in f32, 1008 GB/s
    expect(sides[2].perByte).toBeCloseTo(41_300 / 1008, 6);
    expect(sideOf({ ...H200, roofs: null }, SOURCES).perByte).toBeNull();
  });
  it('is called by what tells it from others', () => {
    expect(
      ['NVIDIA H200', 'GeForce RTX 4090', 'AMD Instinct MI300X', 'Apple'].map((name) => shortName({ name })),
    ).toEqual(['H200', 'RTX 4090', 'MI300X', 'Apple']);
  });
  it('ranks formats by density, and turns over where the fastest changes', () => {
    const [{ fastest }] = sides;
    expect(fastest.map(({ winner }) => winner)).toEqual(['MACKO', 'dense']);
    // between 1.31 at 0.5 and 0.91 at 0.7, in logarithms
    const at = 0.5 + (0.2 * Math.log(1.31)) / Math.log(1.31 / 0.91);
    expect(fastest[0].to).toBeCloseTo(at, 3);
    expect(rankingText(sides[0])).toBe(`MACKO to ${at.toFixed(2)}, then dense`);
    expect(rankingText(sides[3])).toBe('MACKO to 0.80, then dense');
    expect(rankingText({ fastest: [] })).toBe('–');
  });
});

describe('crossings', () => {
  it('with dense are found between two measurements, in both directions', () => {
    expect(passing(line([0.1, 4], [0.4, 2], [0.6, 0.5]))).toMatchObject({ startsFaster: true, from: 0.1, to: 0.6 });
    expect(passing(line([0.1, 4], [0.4, 2], [0.6, 0.5])).at[0]).toBeCloseTo(0.5, 5);
    expect(passing(line([0.1, 0.5], [0.3, 2], [0.5, 0.5])).at.map((at) => at.toFixed(3))).toEqual(['0.200', '0.400']);
    expect(passing(line([0.1, 3], [0.5, 2])).at).toEqual([]);
  });
  it('of two formats are where they change places', () => {
    const [steep, flat] = [line([0.1, 4], [0.5, 0.25]), line([0.1, 1], [0.5, 1])];
    expect(changesOfPlace(steep, flat)[0]).toBeCloseTo(0.3, 5);
    expect(changesOfPlace(flat, flat)).toEqual([]);
    // Outside of what both have, nothing is known.
    expect(changesOfPlace(line([0.1, 4], [0.2, 3]), line([0.4, 1], [0.5, 1]))).toEqual([]);
  });
  it('of every pair of formats are listed', () => {
    const named = (title: string, of: SideLine): SideLine => ({ ...of, title });
    const [a, b] = [named('A', line([0.1, 4], [0.5, 0.25])), named('B', line([0.1, 1], [0.5, 1]))];
    expect(changesText({ lines: [a, b, named('C', line([0.1, 0.2], [0.5, 0.1]))] })).toBe('A and B at 0.30');
    expect(changesText({ lines: [a] })).toBe('no two formats change places');
  });
  it('are not found in a gap of measurements, and nothing is the fastest there', () => {
    const gapped = line([0.1, 4], [0.3, 2], [0.9, 0.5]);
    expect(passing(gapped)).toMatchObject({ at: [], between: [[0.3, 0.9]] });
    expect(passingText(gapped, 'dense')).toBe(
      'passes dense somewhere from 0.30, its last measurement, to 0.90, where it is behind',
    );
    const flat = line([0.1, 1], [0.3, 1], [0.5, 1], [0.7, 1], [0.9, 1]);
    expect(changesOfPlace(gapped, flat)).toEqual([]);
    const names = (title: string, of: SideLine) => ({ name: title, points: of.points });
    expect(fastestAlong([names('A', gapped)], 'dense')).toMatchObject([{ winner: 'A', from: 0.1 }]);
    const to = fastestAlong([names('A', gapped)], 'dense')[0].to;
    expect(to).toBeGreaterThan(0.29);
    expect(to).toBeLessThan(0.31);
    // What lies behind the gap is ranked again.
    const known = line([0.1, 4], [0.3, 2], [0.8, 0.5], [0.9, 0.4]);
    const fastest = fastestAlong([names('A', known)], 'dense');
    expect(fastest.map(({ winner }) => winner)).toEqual(['A', 'dense']);
    expect(rankingText({ fastest })).toMatch(/^A to 0\.30, then unknown to 0\.80, then dense$/);
  });
  it('are said as people say them', () => {
    const said = (...points: readonly (readonly [number, number])[]): string => passingText(line(...points), 'dense');
    expect(said([0.1, 4], [0.4, 2], [0.6, 0.5])).toBe('passes dense below 0.50');
    expect(said([0.1, 0.5], [0.3, 2])).toBe('passes dense above 0.20');
    expect(said([0.1, 0.5], [0.3, 2], [0.5, 0.5])).toBe('passes dense from 0.20 to 0.40');
    expect(said([0.1, 4], [0.5, 2])).toBe('is ahead of dense from 0.10 to 0.50');
    expect(said([0.1, 4])).toBe('is ahead of dense at 0.10');
    expect(unrankedText({ lines: [line([0.1, 4])] })).toBe('measured at density 0.10 only');
    expect(unrankedText({ lines: [] })).toBe('no times of this shape');
    expect(said([0.1, 0.4], [0.5, 0.2])).toBe('stays behind dense from 0.10 to 0.50');
  });
});

describe('words', () => {
  const text = (of: typeof sides): string =>
    sideSentence(of, macko, 'dense')
      .map((word) => word.text)
      .join('');
  it('say in one sentence where a format passes dense on each device, bounds once and last', () => {
    expect(text(sides)).toBe(
      'On H200 MACKO passes dense below 0.65; on H100 below 0.69; on RTX 4090, as published, below 0.71; by bytes alone it passes dense below 0.80.',
    );
    const behind = sideOf(card('L4', { 0.1: 0.9, 0.5: 0.4 }), SOURCES);
    expect(text([sides[0], behind])).toBe(
      'On H200 MACKO passes dense below 0.65; on L4 it stays behind dense from 0.10 to 0.50.',
    );
    expect(text([sides[3]])).toBe('MACKO is not measured on these devices: by bytes alone it passes dense below 0.80.');
    expect(sideSentence(sides, null, 'dense')[0].text).toMatch(/^No speeds of this shape are known/);
  });
  it('ask about the format on the stage where there are times of it, else about the one that most have', () => {
    expect(formatAsked(sides, 'macko')).toBe('macko');
    expect(formatAsked(sides, 'csr')).toBe('macko');
    expect(formatAsked([sides[3]], 'csr')).toBe('macko');
    expect(formatAsked([], 'csr')).toBeNull();
  });
  it('say in the table where a row comes from, and of every bound that it is one', () => {
    const { head, rows } = sideFigures(sides, macko, 'dense');
    expect(head).toEqual([
      'device',
      'speeds',
      'f32 multiply-adds per byte',
      'fastest, by density',
      'MACKO passes dense',
      'MACKO at 0.5',
      'MACKO at 0.3',
      'MACKO at 0.1',
    ]);
    expect(rows.map(({ cells }) => cells[0])).toEqual(['measured', 'measured', 'published', 'at most, by bytes']);
    expect(rows[0].cells.slice(3)).toEqual(['below 0.65', '1.31×', '2.05×', '3.74×']);
    expect(rows[3].cells.slice(3)).toEqual(['below 0.80', '≤\u00a01.60×', '≤\u00a02.67×', '≤\u00a08.00×']);
    expect(rows[1].values?.slice(5)).toEqual([1.4, 2.3, 4.72]);
    expect(rows.map(({ name }) => name)).toEqual(sides.map(({ device }) => device.label));
  });
});

describe('the choice of devices', () => {
  it('is in the address as ids, and means nothing with fewer than two or more than six', () => {
    const ids = ['h200@2026-11-22', 'report:NVIDIA GeForce', 'typed:900,82.6', 'rtx-4090', 'this'];
    expect(SIDE_FIELD.read(SIDE_FIELD.write(ids))).toEqual(ids);
    expect(SIDE_FIELD.write('proposed')).toBe('');
    for (const text of [
      'rtx-4090',
      'rtx-4090;rtx-4090',
      'rtx-4090;',
      'rtx-4090;no-card',
      `this;${'rtx-4090;'.repeat(90)}`,
    ]) {
      expect(SIDE_FIELD.read(text)).toBeNull();
    }
    const cards = list.filter(({ kind }) => kind === 'published').map(({ id }) => id);
    expect(SIDE_FIELD.read(cards.slice(0, 6).join(';'))).toHaveLength(6);
    expect(SIDE_FIELD.read(cards.slice(0, 7).join(';'))).toBeNull();
  });
  it('proposes what has times, then what has published speeds, and never fewer than two', () => {
    const has = ({ kind }: Device): boolean => kind === 'recorded';
    expect(proposed([...list, H200, H100], has, [PUBLISHED])).toEqual([H200.id, H100.id, 'rtx-4090']);
    expect(proposed(list, has, [])).toHaveLength(2);
  });
  it('has cards alone: no software adapter, and no CPU in the place of this device', () => {
    const software = { ...H200, isSoftware: true };
    const [here] = list;
    expect(cardsOf([here, software, H100], false)).toEqual([H100]);
    expect(cardsOf([here, software, H100], true)).toEqual([here, H100]);
  });
  it('makes typed devices of their figures, and leaves out those that are gone', () => {
    const made = devicesWith(['typed:900,80', 'report:gone', H200.id], [H200]);
    expect(made.map(({ kind }) => kind)).toEqual(['typed', 'recorded']);
    expect(sideOf(made[0], SOURCES).perByte).toBeCloseTo(40_000 / 900, 6);
    expect(sideOf(made[0], SOURCES).lines[0].by).toBe('bound');
  });
});

it('knows the formats that are on the page', () => {
  expect(formats.some(({ id, title }) => id === macko.id && title === macko.title)).toBe(true);
});
