// Snapshots of every question that the lesson on pruned models poses, for shipped and altered quality recordings.

import { expect, it } from 'vitest';
import { shippedQuality } from '../../test/offers.ts';
import { plainText } from '../../../../test/text-rules.ts';
import { type Statement, wordings } from '../../../../test/wordings.ts';
import { Random } from '../../../../src/core/number/random.ts';
import type { RecordedQuality, RecordedRow } from '../../decoders/quality/recorded-quality.ts';
import { factsOf } from './facts.ts';
import { liveText } from './LessonFigure.tsx';
import { rowAt, rowTitle } from './measured-models.ts';

const SHIPPED = ['tales', 'tales-relu', 'tales-small'].map(shippedQuality);
const LAWS = ['spelling', 'grammar', 'name', 'color', 'owner', 'order', 'end', 'place', 'number'];

/** Returns a recording of the same models with random figures. */
function withRandomFigures(quality: RecordedQuality, random: Random): RecordedQuality {
  const rows = quality.rows.map((row): RecordedRow => {
    const unbroken = random.below(4) === 0 ? 0 : random.below(400);
    const counts = LAWS.map((law) => [law, random.below(3) === 0 ? 0 : random.below(60)] as const);
    const broken = counts.reduce((sum, [, count]) => sum + count, 0);
    const bitsPerByte = row.bitsPerByte * (0.8 + 0.4 * random.uniform());
    return { ...row, bitsPerByte, unbroken, judged: unbroken + broken, firstBroken: Object.fromEntries(counts) };
  });
  return { ...quality, rows };
}

/** The name of a measured model, as lessons write it. */
function nameOf({ way: method, density, pattern, valueType, trained }: RecordedRow): string {
  const typeName = valueType === 'f16' ? '' : valueType;
  const densityName = pattern?.replace(':', '-of-').toLowerCase() ?? String(Math.round(100 * density));
  const pruned =
    method === 'none'
      ? typeName === ''
        ? 'dense'
        : ''
      : `${method}-${densityName}${trained === undefined ? '' : '-trained'}`;
  return [typeName, pruned].filter((part) => part !== '').join('-');
}

interface Choice {
  readonly quality: RecordedQuality;
  readonly rows: readonly RecordedRow[];
}

/** Yields recordings, unchanged and altered, each with up to six random models, the densest first. */
function* choices(): Generator<Choice> {
  const random = new Random(41);
  for (let i = 0; i < 2000; i++) {
    const shipped = SHIPPED[i % SHIPPED.length];
    const quality = i % 4 === 0 ? shipped : withRandomFigures(shipped, random);
    const method = (['wanda', 'magnitude', 'random', 'rows'] as const)[random.below(4)];
    const isOneWay = random.below(3) > 0;
    const candidates = quality.rows.filter((row) => (!isOneWay || row.way === method) && row.pattern === undefined);
    const rows = Array.from(
      { length: Math.min(6, candidates.length) },
      () => candidates[random.below(candidates.length)],
    );
    const sorted = [...new Set(rows)].toSorted((a, b) => b.density - a.density);
    const dense = quality.rows.filter((row) => row.way === 'none' && row.valueType === 'f16');
    if (sorted.length > 1) yield { quality, rows: [...dense, ...sorted.filter((row) => row.way !== 'none')] };
  }
}

/**
 * Yields models to compare: every pair of each recording or, for a `count` of 3, every three models at density 0.5.
 * Each recording is used unchanged and altered twice.
 */
function* comparisons(count: 2 | 3): Generator<Choice> {
  const random = new Random(7);
  for (const shipped of SHIPPED)
    for (const quality of [shipped, withRandomFigures(shipped, random), withRandomFigures(shipped, random)]) {
      const { rows } = quality;
      const comparedRows =
        count === 2 ? rows : rows.filter(({ density, trained }) => density === 0.5 && trained === undefined);
      for (const a of comparedRows)
        for (const b of comparedRows) {
          if (a === b) continue;
          if (count === 2) yield { quality, rows: [a, b] };
          else for (const c of comparedRows) if (c !== a && c !== b) yield { quality, rows: [a, b, c] };
        }
    }
}

const QUESTIONS: readonly (readonly [id: string, choices: Iterable<Choice>])[] = [
  ['last-whole', choices()],
  ['breaks-first', comparisons(2)],
  ['which-breaks-first', comparisons(2)],
  ['which-loses-most', comparisons(2)],
  ['which-loses-most', comparisons(3)],
  ['narrow-or-few', comparisons(2)],
];

/** The text of each question, the models for which it is posed, and the number of others for which it is not. */
function* questions(): Generator<Statement> {
  for (const [id, compared] of QUESTIONS) {
    let posed = 0;
    let notPosed = 0;
    for (const { quality, rows } of compared) {
      const figure = { quantity: 'bits' as const, rows: rows.map(nameOf) };
      const question = factsOf({ model: 'tales', compared: figure }, quality).questionOf(id);
      if (!question) notPosed++;
      else {
        posed++;
        const { ask, options, answer, reason, wrongAnswers } = question;
        yield [`${id}, asks`, `${plainText(ask)} [${options?.join(', ') ?? ''}] ${String(answer)}`];
        yield [`${id}, because`, plainText(reason)];
        for (const { id: wrongId, answer: wrongAnswer, reply } of wrongAnswers)
          yield [`${id}, ${wrongId}`, `(${String(wrongAnswer)}) ${plainText(reply)}`];
      }
    }
    yield [id, `asked of ${posed}, not of ${notPosed}`];
  }
  const measured = (...counts: readonly number[]) =>
    new Map(counts.map((judged, i) => [`model ${i}`, { judged, tales: judged + 1 } as never]));
  yield ['all measured', liveText(measured(12, 12), 'laws')];
  yield ['some', liveText(measured(12, 3), 'unbroken')];
  yield ['one', liveText(measured(1), 'unbroken')];
  yield ['bits', liveText(measured(11), 'bits')];
}

it('lessons pose questions that the rows of their models answer', async () => {
  await expect(wordings(questions())).toMatchFileSnapshot('words/questions.txt');
});

it('measured models have different names, and a text comes from the model that is pruned in the same way', () => {
  for (const quality of SHIPPED) {
    const titles = quality.rows.map(rowTitle);
    expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
    for (const row of quality.rows) {
      if (row.pattern !== undefined || row.valueType !== 'f16' || row.trained !== undefined) continue;
      expect(rowAt(quality, row.way, row.density)?.bitsPerByte, nameOf(row)).toBe(row.bitsPerByte);
    }
    expect(rowAt(quality, 'wanda', 0.61)).toBeNull();
  }
});
