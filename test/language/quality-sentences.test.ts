import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import {
  BreaksFirst,
  publishedAccuracy,
  PUBLISHED_SOURCES,
  publishedLoss,
} from '../../src/labs/language/place/quality/QualityTab.tsx';
import type { RecordedQuality, RecordedRow } from '../../src/labs/language/decoders/quality/recorded.ts';
import { valueAtText } from '../../src/labs/language/place/curve/DensityCurve.tsx';
import { qualityAnswer } from '../../src/labs/language/place/quality/answer.ts';
import { tell } from '../../src/labs/language/place/quality/DensityChart.tsx';
import { type QualityPoint, recordedPoints } from '../../src/labs/language/place/quality/points.ts';
import {
  asideTexts,
  bytesWords,
  measureWords,
  whereWords,
} from '../../src/labs/language/place/quality/quality-words.ts';
import { unbrokenSpoken } from '../../src/labs/language/place/quality/UnbrokenChart.tsx';
import { qualityStory } from '../../src/labs/language/place/show/quality-story.ts';
import { PRUNED_ACCURACY, PRUNED_PERPLEXITY } from '../../src/theory/models/published-losses.ts';
import { shownText } from '../markup.ts';
import { type Facts, number, percent, plainText, Read } from '../sentences.ts';
import { shippedQuality } from './offers.ts';

/* The law for sentences, for what pruning costs: numbers are read from the rows of recordings, as they are and changed. */

/** Of the blocks' matrices of the shipped models in f16, whatever they are: nothing here depends on it. */
const DENSE_BYTES = 6_000_000;

const unbrokenOf = ({ unbroken = 0 }: RecordedRow): number => unbroken;
const judgedOf = ({ judged = 0 }: RecordedRow): number => judged;

/** Each recording; without a judge, with fewer and fewer rows, with a model that is not as good, and with one that is whole. */
function* recordings(): Generator<readonly [title: string, quality: RecordedQuality]> {
  for (const model of ['tales', 'tales-relu', 'tales-small', 'tales-pruned']) {
    const quality = shippedQuality(model);
    const changed = (change: (row: RecordedRow, i: number) => RecordedRow): RecordedQuality => ({
      ...quality,
      rows: quality.rows.map(change),
    });
    yield [model, quality];
    yield [`${model}, not judged`, changed((row) => ({ ...row, judged: 0, unbroken: 0, firstBroken: {} }))];
    for (const share of [0, 0.02, 0.5, 1]) {
      yield [
        `${model}, ${share} as whole`,
        changed((row) => ({
          ...row,
          unbroken: Math.round(share * (unbrokenOf(row) || (row.density > 0.6 ? 390 : 0))),
        })),
      ];
    }
    yield [`${model}, all whole`, changed((row) => ({ ...row, unbroken: row.density > 0.45 ? judgedOf(row) : 0 }))];
    yield [`${model}, untrained`, { ...quality, rows: quality.rows.filter(({ trained }) => trained === undefined) }];
    yield [
      `${model}, one pruning`,
      { ...quality, rows: quality.rows.filter((row, i) => i === 0 || row.density === 0.5) },
    ];
    yield [`${model}, dense is worse`, changed((row, i) => (i === 0 ? { ...row, bitsPerByte: 0.3 } : row))];
    yield [`${model}, nothing dense`, { ...quality, rows: quality.rows.filter(({ way }) => way !== 'none') }];
  }
}

const isPlain = ({ valueType, trained, pattern }: RecordedRow): boolean =>
  valueType === 'f16' && trained === undefined && pattern === undefined;

/** A share of tales, by its rule and its fact. */
function share(name: string, row: RecordedRow): readonly [rule: string, facts: Facts] {
  if (unbrokenOf(row) === 0) return ['none', {}];
  return [`{${name}}`, { [name]: { value: (100 * unbrokenOf(row)) / judgedOf(row), unit: 'number', digits: 0 } }];
}

/** A percentage of the weights; half is said in a word. */
const left = (name: string, density: number, isFirst = true): readonly [rule: string, facts: Facts] =>
  density === 0.5 && isFirst ? ['half', {}] : [`{${name}}`, { [name]: { ...percent(density), digits: 1 } }];

/** What the answer has to be, from the rows; null for none. */
function expectedAnswer({ rows, floor, bytes, tales }: RecordedQuality): readonly [rule: string, facts: Facts] | null {
  const dense = rows.find((row) => isPlain(row) && row.way === 'none');
  const wanda = rows.filter((row) => isPlain(row) && row.way === 'wanda').toSorted((a, b) => b.density - a.density);
  if (!dense || wanda.length === 0) return null;
  const judged = wanda.filter((row) => judgedOf(row) > 0);
  const lost = (who: string): readonly [string, Facts] | null => {
    const half = wanda.find(({ density }) => density === 0.5);
    const ofTale = ({ bitsPerByte }: RecordedRow) => number(((bitsPerByte - floor.exact) * bytes) / tales, 1);
    return half
      ? [
          `At half, by Wanda, ${who} loses {lost} bits a tale above the floor; dense, {before}.`,
          { lost: ofTale(half), before: ofTale(dense) },
        ]
      : null;
  };
  if (judgedOf(dense) === 0 || judged.length === 0) return lost('the model');
  const shareOf = (row: RecordedRow): number => unbrokenOf(row) / judgedOf(row);
  if (shareOf(dense) < 0.05) {
    const rest = lost('it');
    const count = unbrokenOf(dense) === 0 ? 'none' : '{whole}';
    const facts = { whole: number(unbrokenOf(dense)), judged: number(judgedOf(dense)) };
    return rest && [`Even dense, few tales hold: ${count} of {judged}. ${rest[0]}`, { ...facts, ...rest[1] }];
  }
  const variance = (row: RecordedRow): number => (shareOf(row) * (1 - shareOf(row))) / judgedOf(row);
  const isApart = (row: RecordedRow): boolean =>
    shareOf(dense) - shareOf(row) > 1.645 * Math.sqrt(variance(row) + variance(dense));
  const firstApart = judged.findIndex(isApart);
  const harmless = firstApart < 0 ? judged[judged.length - 1] : (judged[firstApart - 1] as RecordedRow | undefined);
  const shown = firstApart < 0 ? judged[judged.length - 1] : judged[firstApart];
  const facts: Record<string, Facts[string]> = {};
  const put = ([rule, its]: readonly [string, Facts]): string => {
    Object.assign(facts, its);
    return rule;
  };
  let rule = '';
  if (harmless) {
    rule += `Down to ${put(left('harmless', harmless.density, false))} left, {judged} tales show no loss. `;
    facts.judged = number(judgedOf(harmless));
  }
  const keeps = put(share('keeps', shown));
  const whole = put(share('whole', dense));
  rule += `With ${put(left('shown', shown.density, false))} of the weights `;
  rule +=
    keeps === 'none'
      ? `every tale has an error (unpruned ${whole} of {hundred} have none)`
      : `${keeps} of {hundred} tales have no error (unpruned: ${whole})`;
  facts.hundred = number(100);
  const none = judged.find((row) => unbrokenOf(row) === 0);
  rule += none && none.density < shown.density ? `; with ${put(left('none', none.density, false))} none.` : '.';
  return [rule, facts];
}

const pointsOf = (quality: RecordedQuality): readonly QualityPoint[] => recordedPoints(quality, DENSE_BYTES);

describe('quality', () => {
  it('is answered by the rows of a recording', () => {
    const read = new Read();
    let said = 0;
    for (const [title, quality] of recordings()) {
      const text = plainText(qualityAnswer(pointsOf(quality), quality.bytes / quality.tales));
      const expected = expectedAnswer(quality);
      if (expected === null) expect(text, title).toBe('');
      else read.sentence(text, expected[0], expected[1], title);
      said += expected === null ? 0 : 1;
    }
    expect(said).toBeGreaterThan(20);
  });

  it('is told point by point, against the dense model', () => {
    const read = new Read();
    for (const [title, quality] of recordings()) {
      const { rows, floor, tales } = quality;
      const points = pointsOf(quality);
      const bytesPerTale = quality.bytes / tales;
      const dense = rows.find((row) => isPlain(row) && row.way === 'none');
      const whole = (row: RecordedRow): string =>
        judgedOf(row) === 0
          ? ''
          : `, and ${unbrokenOf(row) === 0 ? 'none' : '{unbroken}'} of {judged} tales ${unbrokenOf(row) === 1 ? 'is' : 'are'} unbroken`;
      const factsOf = (row: RecordedRow): Facts => ({
        bits: number(row.bitsPerByte, 4),
        unbroken: number(unbrokenOf(row)),
        judged: number(judgedOf(row)),
        more: number(Math.abs(((row.bitsPerByte - (dense?.bitsPerByte ?? 0)) * quality.bytes) / tales), 1),
        error: number((2 * (row.differenceSe ?? 0) * quality.bytes) / tales),
      });
      const against = (row: RecordedRow): string => {
        const more = (row.bitsPerByte - (dense?.bitsPerByte ?? 0)) * bytesPerTale;
        return Math.abs(more) < 0.05
          ? 'as many bits a tale as dense'
          : `{more} bits a tale ${more > 0 ? 'more' : 'fewer'} than dense`;
      };
      for (const [i, row] of rows.entries()) {
        const text = tell(points[i], points, bytesPerTale);
        const [name] = text.split(':');
        const rest = text.slice(text.indexOf('bits per byte') - 7).trim();
        expect(text.startsWith(`${name}`)).toBe(true);
        const rule = `{bits} bits per byte${row === dense || !dense ? '' : `, ${against(row)}${row.differenceSe === undefined ? '' : ' ± {error}'}`}`;
        read.sentence(rest, rule, factsOf(row), `${title}, ${text}`);
      }
      const story = qualityStory({ points, floor: floor.exact, bytesPerTale, title, about: '' });
      expect(story === null).toBe(dense === undefined);
      if (!story || !dense) continue;
      const opening = 'No model needs fewer than {floor} bits per byte. Dense, this one needs {bits}';
      const facts = { ...factsOf(dense), floor: number(floor.exact, 4) };
      read.sentence(plainText(story.words(0)), `${opening}${whole(dense)}.`, facts, title);
      for (let step = 1; step <= story.stepCount; step++) {
        const drawn = story.shownAt(step);
        const row = rows[points.indexOf(drawn[drawn.length - 1])];
        const text = plainText(story.words(step));
        const rest = text.slice(text.indexOf(': ', text.indexOf(row.pattern ?? '') + (row.pattern?.length ?? 0)) + 2);
        read.sentence(
          rest,
          `{bits} bits per byte${whole(row)}. That is ${against(row)}.`,
          factsOf(row),
          `${title}, ${text}`,
        );
      }
    }
    expect(read.met('{bits} bits per byte, {more} bits a tale more than dense ± {error}')).toBeGreaterThan(50);
  });

  it('says of four bits that they beat pruning to as few bytes only where such a pruning was measured and loses more', () => {
    let best = 0;
    for (const [title, quality] of recordings()) {
      const points = pointsOf(quality);
      const bitsOf = ({ density, pattern, valueType }: QualityPoint): number => {
        const value = { f16: 16, i8: 8, i4: 4.5 }[valueType];
        return pattern === null ? Math.min(value, density * value + 1) : density * (value + 2);
      };
      const sixteen = points.filter(({ way, valueType }) => valueType === 'f16' || way === 'none');
      const few = sixteen.filter(({ density, pattern }) => density > 0.4 && pattern === null);
      const better = points.map((p) => (p.density === 0.1 ? { ...p, above: 0, bitsPerByte: 0 } : p));
      for (const some of [points, few, better, points.slice(0, 1)]) {
        const i4 = some.find(({ way, valueType }) => way === 'none' && valueType === 'i4');
        const rivals = some.filter((p) => p.way !== 'none' && p.trained === 0 && bitsOf(p) <= 4.5);
        const isBest =
          i4 !== undefined && rivals.length > 0 && rivals.every(({ bitsPerByte }) => bitsPerByte >= i4.bitsPerByte);
        expect(bytesWords(some), title).toBe(isBest ? 'Unpruned, 4 bits beat any pruning to as few bytes.' : '');
        best += isBest ? 1 : 0;
      }
    }
    expect(best).toBeGreaterThan(5);
  });

  it('says how much was measured, and where', () => {
    const read = new Read();
    for (const [title, quality] of recordings()) {
      const points = pointsOf(quality);
      const { tales, bytes } = quality;
      const bytesPerTale = bytes / tales;
      if (points.length === 0) continue;
      const known = { recorded: quality, points, bytesPerTale };
      const [first, second] = asideTexts(known);
      const judged = quality.rows.map(judgedOf).find((count) => count > 0);
      const facts = {
        tales: number(tales),
        kb: number(bytes / 1000),
        judged: number(judged ?? 0),
      };
      read.sentence(first, '{tales} held-out tales, {kb} kB, recorded', facts, title);
      if (judged === undefined) expect(second).toBeUndefined();
      else read.sentence(second, 'judged {judged} tales per point', facts, title);

      // What is measured here grows point by point.
      const growing = points.slice(0, 3).map((p, i) => ({ ...p, tales: i === 0 ? 48 : 12, judged: i === 2 ? 0 : 16 }));
      const own = asideTexts({ ...known, recorded: null, points: growing });
      const smallest = Math.min(...growing.map((p) => p.tales));
      const counts = { tales: number(smallest), kb: number((smallest * bytesPerTale) / 1000), judged: number(16) };
      const many = growing.some((p) => p.tales !== smallest) ? 'at least {tales}' : '{tales}';
      read.sentence(own[0], `${many} held-out tales, {kb} kB, measured here`, counts, title);
      read.sentence(own[1], 'judged {judged} tales per point', counts, title);
      const points1 = growing.length === 1 ? 'point' : 'points';
      const here = `{points} ${points1} measured here, at least {tales} tales each`;
      const measured = { ...counts, points: number(growing.length) };
      read.sentence(measureWords(growing, false, 0), `${here}.`, measured, title);
      read.sentence(
        measureWords(growing, true, growing.length),
        `${here}: rings, with two standard errors.`,
        measured,
        title,
      );
      expect(measureWords(points, true, 0)).toMatch(/^Dots: recorded\. Rings: /);
      const spoken = quality.rows.find((row) => isPlain(row) && row.way === 'none' && judgedOf(row) > 0);
      const rule = spoken ? '; dense {dense} percent.' : '.';
      read.sentence(
        unbrokenSpoken(points.filter((p) => p.judged > 0)),
        `Unbroken tales, by weights left${rule}`,
        { dense: number(spoken ? (100 * unbrokenOf(spoken)) / judgedOf(spoken) : 0) },
        title,
      );
    }
    expect(measureWords([], false, 0)).toMatch(/^Nothing is recorded/);
    expect(whereWords([{ where: ['gpu'] }])).toBe('on this GPU');
    expect(whereWords([{ where: ['cpu'] }])).toBe('on this CPU');
    expect(whereWords([{ where: ['cpu'] }, { where: ['gpu'] }])).toMatch(/^on this GPU and the CPU$/);
  });

  it('counts what breaks first', () => {
    let bars = 0;
    for (const [title, quality] of recordings()) {
      if (!title.includes(',')) {
        const list = shownText(createElement(BreaksFirst, { points: pointsOf(quality), shown: 0.7 })).split('\n');
        const rows = quality.rows.filter(
          (row) =>
            isPlain(row) && (row.way === 'none' || (row.way === 'wanda' && [0.7, 0.6, 0.5, 0.4].includes(row.density))),
        );
        const shown = list.slice(0, rows.length);
        expect(shown.map((line) => /\d+ of \d+$/.exec(line)?.[0])).toEqual(
          rows.map((row) => `${judgedOf(row) - unbrokenOf(row)} of ${judgedOf(row)}`),
        );
        bars += shown.length;
      }
    }
    expect(bars).toBeGreaterThan(10);
  });
});

it('published losses are those that are drawn', () => {
  const read = new Read();
  const { dense, pruned, density, bytesPerToken, model, pruning } = PRUNED_PERPLEXITY;
  const ghost = publishedLoss(0.1, 0.7);
  const facts = { model, pruning, dense: number(dense), pruned: number(pruned), each: number(bytesPerToken) };
  read.sentence(
    ghost.text.join(' '),
    '◇ {model} by {pruning}, published: perplexity {dense} to {pruned}',
    facts,
    'ghost',
  );
  expect(ghost.x).toBe(density);
  const [whole, ...others] = PRUNED_ACCURACY.points;
  const [at, ...rest] = publishedAccuracy(0.6);
  expect([at.x, at.y, rest.length]).toEqual([1, whole.accuracy / 100, others.length]);
  const rule = `◇ {model} accuracy, published: {whole}, ${others.map((_, i) => `{p${i}} {a${i}}`).join(', ')} %`;
  const ofAccuracy: Record<string, Facts[string]> = { model: PRUNED_ACCURACY.model, whole: number(whole.accuracy, 3) };
  for (const [i, point] of others.entries()) {
    ofAccuracy[`p${i}`] = point.pruning;
    ofAccuracy[`a${i}`] = number(point.accuracy, 3);
  }
  read.sentence(at.text.join(' '), rule, ofAccuracy, 'accuracy');
  const sources = 'Diamonds: {model} by {pruning} (EC-SpMV, {each} bytes a token); {other} (SlideSparse).';
  read.sentence(PUBLISHED_SOURCES, sources, { ...facts, other: PRUNED_ACCURACY.model }, 'sources');
});

it('a value between two that were measured is called about so much', () => {
  const read = new Read();
  const points = [1, 0.5].map((density) => ({ density, bitsPerByte: 0.2 / density }));
  read.sentence(valueAtText(points, 0.5, 0.41237), '{bits}', { bits: number(0.41237, 4) }, 'measured');
  read.sentence(valueAtText(points, 0.7, 0.41237), '≈ {bits}', { bits: number(0.41237, 4) }, 'between');
});
