// The sentences of the tab Quality, for recorded and for changed results.

import { createElement } from 'react';
import { expect, it } from 'vitest';
import { shippedQuality } from '../../test/offers.ts';
import { visibleText } from '../../../../test/markup.ts';
import { plainText } from '../../../../test/text-rules.ts';
import { type Statement, wordings } from '../../../../test/wordings.ts';
import type { RecordedQuality, RecordedRow } from '../../decoders/quality/recorded-quality.ts';
import { valueAtText } from '../curve/DensityCurve.tsx';
import { qualityStory } from '../show/quality-story.ts';
import { qualityAnswer } from './answer.ts';
import { pointText } from './DensityChart.tsx';
import { recordedPoints } from './points.ts';
import { BreaksFirst, publishedAccuracy, PUBLISHED_SOURCES, publishedLoss } from './QualityTab.tsx';
import { asideTexts, bytesWords, measureText, whereText } from './quality-words.ts';
import { unbrokenSpoken } from './UnbrokenChart.tsx';

/** Judged tales of a row of `recordings` that counts as nearly free of errors, of 400. */
const NEARLY_ALL_UNBROKEN = 390;

/**
 * Each recording with variants: not judged, other shares of unbroken tales (tales without errors), fewer rows, a worse
 * or no dense model.
 */
function* recordings(): Generator<readonly [title: string, quality: RecordedQuality]> {
  for (const model of ['tales', 'tales-relu', 'tales-small', 'tales-pruned']) {
    const quality = shippedQuality(model);
    const changed = (change: (row: RecordedRow, i: number) => Partial<RecordedRow>): RecordedQuality => ({
      ...quality,
      rows: quality.rows.map((row, i) => ({ ...row, ...change(row, i) })),
    });
    const measuredRows = (isIncluded: (row: RecordedRow, i: number) => boolean) => ({
      ...quality,
      rows: quality.rows.filter(isIncluded),
    });
    yield [model, quality];
    yield [`${model}, not judged`, changed(() => ({ judged: 0, unbroken: 0, firstBroken: {} }))];
    for (const share of [0, 0.02, 0.5, 1]) {
      const unbroken = (row: RecordedRow) =>
        Math.round(share * (row.unbroken || (row.density > 0.6 ? NEARLY_ALL_UNBROKEN : 0)));
      yield [`${model}, ${share} of unbroken`, changed((row) => ({ unbroken: unbroken(row) }))];
    }
    const unbrokenAbove = (row: RecordedRow) => ({ unbroken: row.density > 0.45 ? (row.judged ?? 0) : 0 });
    yield [`${model}, all unbroken above 0.45`, changed(unbrokenAbove)];
    yield [`${model}, untrained`, measuredRows(({ trained }) => trained === undefined)];
    yield [`${model}, dense and half`, measuredRows((row, i) => i === 0 || row.density === 0.5)];
    yield [`${model}, dense is worse`, changed((_, i) => (i === 0 ? { bitsPerByte: 0.3 } : {}))];
    yield [`${model}, nothing dense`, measuredRows(({ way }) => way !== 'none')];
  }
}

const RECORDINGS = [...recordings()].map(([title, quality]) => ({
  title,
  quality,
  // Nothing here depends on the bytes of the dense model.
  points: recordedPoints(quality, 6_000_000),
  bytesPerTale: quality.bytes / quality.tales,
}));

/** Headlines, and the sentences about 4-bit values. */
function* answers(): Generator<Statement> {
  for (const { title, points, bytesPerTale } of RECORDINGS) {
    yield [title, plainText(qualityAnswer(points, bytesPerTale))];
    const f16Above40Percent = points.filter(
      (p) => (p.valueType === 'f16' || p.method === 'none') && p.density > 0.4 && !p.pattern,
    );
    const withoutLossAt10Percent = points.map((p) => (p.density === 0.1 ? { ...p, excessBits: 0, bitsPerByte: 0 } : p));
    const selections = {
      'all points': points,
      'f16 above 0.4': f16Above40Percent,
      'no loss at 0.1': withoutLossAt10Percent,
      'one point': points.slice(0, 1),
    };
    for (const [selection, selected] of Object.entries(selections))
      yield [`${title}, bytes of ${selection}`, bytesWords(selected)];
  }
}

/** The text of each point, and the presentation step by step. */
function* points(): Generator<Statement> {
  for (const { title, quality, points: allPoints, bytesPerTale } of RECORDINGS) {
    for (const point of allPoints) yield ['point', pointText(point, allPoints, bytesPerTale)];
    const story = qualityStory({ points: allPoints, floor: quality.floor.exact, bytesPerTale, title, description: '' });
    if (!story) yield ['no story', title];
    else for (let step = 0; step <= story.stepCount; step++) yield ['presentation', plainText(story.words(step))];
  }
}

/** Texts about what was measured, recorded and here, and about published results. */
function* measured(): Generator<Statement> {
  for (const { title, quality, points: allPoints, bytesPerTale } of RECORDINGS) {
    if (allPoints.length === 0) continue;
    const measurements = { recorded: quality, points: allPoints, bytesPerTale };
    yield ['recorded', asideTexts(measurements).join(' / ')];
    // A measurement in the browser, whose points have different numbers of tales so far.
    const measuredHere = allPoints
      .slice(0, 3)
      .map((p, i) => ({ ...p, tales: i === 0 ? 48 : 12, judged: i === 2 ? 0 : 16 }));
    yield ['measured here', asideTexts({ ...measurements, recorded: null, points: measuredHere }).join(' / ')];
    yield ['measured without a recording', measureText(measuredHere, false, 0)];
    yield ['measured in addition to a recording', measureText(measuredHere, true, measuredHere.length)];
    yield ['recorded only', measureText(allPoints, true, 0)];
    yield ['spoken', unbrokenSpoken(allPoints.filter((p) => p.judged > 0))];
    if (!title.includes(',')) yield [title, visibleText(createElement(BreaksFirst, { points: allPoints, shown: 0.7 }))];
  }
  yield ['nothing', measureText([], false, 0)];
  for (const where of [['gpu'], ['cpu'], ['cpu', 'gpu']] as const)
    yield [where.join(), whereText(where.map((place) => ({ where: [place] })))];
  for (const { x, y, text } of [publishedLoss(0.1, 0.7), ...publishedAccuracy(0.6)])
    yield [`published at ${x}, ${y}`, text.join(' ')];
  yield ['sources', PUBLISHED_SOURCES];
  const curve = [1, 0.5].map((density) => ({ density, bitsPerByte: 0.2 / density }));
  for (const density of [0.5, 0.7]) yield [`at ${density}`, valueAtText(curve, density, 0.41237)];
}

it.each(Object.entries({ answers, points, measured }))(
  'the sentences about the cost of pruning equal their snapshot: %s',
  async (name, output) => {
    await expect(wordings(output())).toMatchFileSnapshot(`words/${name}.txt`);
  },
);
