// The exercises about formats: their start text is not done, their solution is, and numbers in their tasks are
// right.

import { describe, expect, test } from 'vitest';
import { localRunners } from '../../../test/own-runner.ts';
import type { CsrMatrix, Matrix } from '../../../../../src/core/matrix/index.ts';
import { formatById } from '../../../../../src/formats/registry.ts';
import { defaultParams } from '../../../../../src/core/format.ts';
import { loadStory } from '../../../../../src/story/format-story.ts';
import { fromRows } from '../../../own/law-cases.ts';
import { type OpenedFormat, UserFormatSession } from '../../../own/user-format-session.ts';
import type { UserFormatTrace } from '../../../own/story/trace.ts';
import { bytesVerdict, matrixVerdict } from './FormatTask.tsx';
import type { Verdict } from '../../exercises/ExerciseVerdict.tsx';
import { goalMatrixOf, FORMAT_EXERCISES, type FormatExercise } from './format-exercises.ts';

async function openModule(text: string): Promise<OpenedFormat> {
  const outcome = await new UserFormatSession((t) => ({ ...localRunners(t), end: () => {} })).open('answer', text);
  if (outcome?.kind !== 'done') throw new Error(JSON.stringify(outcome));
  return outcome.result;
}

/** Returns the verdict on a module's text as the answer to an exercise with a goal in bytes. */
async function verdictOn({ goal, ...exercise }: FormatExercise, text: string): Promise<Verdict> {
  if (goal.kind !== 'bytes') throw new Error('expected a goal in bytes');
  const format = await openModule(text);
  const laws = await format.laws({}, { now: () => performance.now() });
  const judged = await format.bytes(goalMatrixOf({ goal, ...exercise }) as Matrix, {});
  return bytesVerdict(goal, laws.kind === 'done' ? laws.result : null, judged.kind === 'done' ? judged.result : null);
}

/** Returns the verdict on a matrix that the module should fail to decode. */
async function verdictOnMatrix(text: string, matrix: CsrMatrix): Promise<Verdict | null> {
  const format = await openModule(text);
  const outcome = await format.roundTrip(matrix, {}, true);
  if (outcome.kind !== 'done') throw new Error(outcome.kind);
  const story = await loadStory(format.format);
  const trace = story.trace(matrix, {}) as unknown as UserFormatTrace;
  return matrixVerdict(matrix, { story, trace });
}

const [sell, find, shared] = FORMAT_EXERCISES;

describe('exercise “SELL-C-σ from ELL”', () => {
  test('begins with a format that satisfies all laws and needs too many bytes', async () => {
    const verdict = await verdictOn(sell, sell.start);
    expect(verdict.sentence).toMatch(
      /^All laws are satisfied, and 256 × 384 skewed rows need 393\s224 bytes\. The goal/,
    );
  });
  test('is done with four changed lines', async () => {
    expect(await verdictOn(sell, sell.solution ?? '')).toMatchObject({ kind: 'done' });
    const lines = (sell.solution ?? '').split('\n');
    expect(lines.filter((line, i) => line !== sell.start.split('\n')[i])).toHaveLength(4);
  });
  test('is not done if rows are divided but not sorted, or if the order is forgotten', async () => {
    const divided = sell.start.replace('Math.max(1, rows)', '8');
    expect((await verdictOn(sell, divided)).sentence).toMatch(/^All laws are satisfied, and .* The goal is 48\s000\.$/);
    const sorted = divided.replace('A.slice(0, A.rows);', 'A.slice(0, A.rows).sort((a, b) => b.length - a.length);');
    expect(await verdictOn(sell, sorted)).toEqual({
      kind: 'open',
      share: null,
      sentence: 'Not yet: the law “Decodes to the same matrix” is broken.',
    });
  });
});

describe('exercise “every law but one is green”', () => {
  test('begins with a format that breaks exactly one law', async () => {
    const laws = await (await openModule(find.start)).laws({}, { now: () => performance.now() });
    if (laws.kind !== 'done') throw new Error(laws.kind);
    expect(laws.result.laws.filter(({ broken }) => broken).map(({ id }) => id)).toEqual(['round-trip']);
  });
  test('is done only with a first value that rounds to 0', async () => {
    const row = (...values: number[]): CsrMatrix => fromRows([values.map((v, c) => [c, Math.fround(v)] as const)], 2);
    expect(await verdictOnMatrix(find.start, row(1, 2))).toMatchObject({ kind: 'open' });
    expect(await verdictOnMatrix(find.start, row(1e-7, 1))).toMatchObject({ kind: 'open' });
    expect(await verdictOnMatrix(find.start, row(1, 1e-9))).toMatchObject({ kind: 'open' });
    expect(await verdictOnMatrix(find.start, row(1e-9, 1))).toMatchObject({ kind: 'done' });
    expect(matrixVerdict(null, null)).toBe(null);
  });
});

describe('exercise “fewer bytes than MACKO”', () => {
  test('states the right bytes of MACKO in its task, and of the values in its hint', () => {
    const matrix = goalMatrixOf(shared) as Matrix;
    const macko = formatById('macko');
    const params = defaultParams<Record<string, unknown>>(macko.params);
    const { totalBytes } = macko.storage(macko.encode(matrix, params));
    const bytesText = new Intl.NumberFormat('en').format(totalBytes).replace(',', ' ');
    expect(shared.task[0]).toContain(`needs ${bytesText} bytes`);
    expect(shared.goal).toMatchObject({ max: totalBytes - 1 });
    expect(shared.hints[0]).toContain(new Intl.NumberFormat('en').format(2 * matrix.nnz).replace(',', ' '));
  });
  test('is done if rows share their columns, not if every row stores its columns', async () => {
    expect((await verdictOn(shared, shared.start)).sentence).toMatch(
      /^All laws are satisfied, and the matrix with shared columns needs/,
    );
    expect(await verdictOn(shared, shared.solution ?? '')).toMatchObject({ kind: 'done' });
  });
});
