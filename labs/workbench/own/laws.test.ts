// testLaws: every starter satisfies all laws, and broken formats are reported with a small matrix.

import { describe, expect, test } from 'vitest';
import { setupOf, localRunners, starterText } from '../test/own-runner.ts';
import { requestDescription } from './module-requests.ts';
import { LAW_CASES, toRows } from './law-cases.ts';
import { type LawReport, testLaws } from './laws.ts';
import type { UserParams, Request } from './module-messages.ts';
import { STARTERS } from './starters.ts';
import { cases } from '../../../test/scheduled.ts';

const WITHOUT_DEADLINE = { now: () => 0 };

async function lawsOf(text: string, params: UserParams = {}, lawCases = LAW_CASES): Promise<LawReport> {
  const runners = localRunners(text);
  return testLaws(runners, await setupOf(runners, params), { ...WITHOUT_DEADLINE, cases: lawCases });
}

/** Without the longest case, which breaks nothing that the others do not. */
const SHORT_CASES = LAW_CASES.filter(({ name }) => name !== '70 001 rows');

/** Every how many settings of a starter one is tried. */
const SETTINGS_STEP = cases(2, 1);

/** The number of cases to which a law must apply at least: not all starters call tell. */
function minCases(law: string, starter: string): number {
  if (law === 'told') return starter === 'coo' ? 0 : 10;
  return law === 'matters' ? 50 : 20;
}

describe('every starter', () => {
  for (const { id, title, text } of STARTERS) {
    test(`${id} satisfies all laws with all of its parameters`, async () => {
      const runners = localRunners(text);
      const description = await requestDescription(runners);
      expect(description.kind === 'done' && description.result.title).toBe(title);
      const fields = description.kind === 'done' ? description.result.params : [];
      const settings = fields.reduce<readonly UserParams[]>(
        (combinations, { name, options }) =>
          combinations.flatMap((combination) => options.map((option) => ({ ...combination, [name]: option }))),
        [{}],
      );
      for (const [i, params] of settings.filter((_, k) => k % SETTINGS_STEP === 0).entries()) {
        // The first setting on all cases, the others on a third.
        const lawCases = i === 0 ? LAW_CASES : LAW_CASES.filter(({ name }, k) => k % 3 === 0 && name !== '70 001 rows');
        const report = await lawsOf(text, params, lawCases);
        for (const { id: law, passed, tried, broken } of report.laws) {
          const unbrokenLaw = { params, law, broken: null, passed: tried };
          expect({ params, law, broken: broken?.why ?? null, passed }).toEqual(unbrokenLaw);
          expect([law, tried >= minCases(law, id)]).toEqual([law, true]);
        }
        expect(report.refused.length).toBeLessThan(id === 'dictionary' ? 50 : 5);
      }
    });
  }
});

/** By broken law: the reason, the sizes of the smallest matrix that breaks it, and its cells. */
const brokenLaws = async (text: string, params?: UserParams): Promise<Record<string, unknown>> => {
  const { laws } = await lawsOf(text, params, SHORT_CASES);
  return Object.fromEntries(
    laws.flatMap(({ id, broken }) =>
      broken ? [[id, [broken.why, `${broken.matrix.rows} × ${broken.matrix.cols}`, toRows(broken.matrix).flat()]]] : [],
    ),
  );
};

/** The text of a starter with one change. */
function changed(id: string, from: string, to: string): string {
  const text = starterText(id);
  expect(text).toContain(from);
  return text.replace(from, to);
}

describe('testLaws reports', () => {
  test('a format whose rows end at the first zero, which loses values after one that rounds to 0', async () => {
    const text = changed(
      'sell',
      'put(order[place], columns[i], values[i]);',
      'if (values[i] === 0) break; else put(order[place], columns[i], values[i]);',
    );
    const broken = await brokenLaws(text, { C: 4, sigma: 8 });
    expect(Object.keys(broken)).toEqual(['round-trip']);
    const [why, size, cells] = broken['round-trip'] as [string, string, [number, number][]];
    expect([size, cells.length, cells[1][1]]).toEqual(['1 × 2', 2, 1]);
    expect(Math.abs(cells[0][1])).toBeLessThan(2 ** -24);
    expect(why).toBe('Row 0, column 1 came back as 0, expected 1.');
  });

  test('a cell that is put twice', async () => {
    const text = changed(
      'coo',
      'put(rows[i], columns[i], values[i]);',
      'for (let k = 0; k < 2; k++) put(rows[i], columns[i], values[i]);',
    );
    expect(await brokenLaws(text)).toEqual({ 'cells-once': ['decode put row 0, column 0 twice.', '1 × 1', [[0, 1]]] });
  });

  test('a cell outside of the matrix', async () => {
    const text = changed(
      'coo',
      'put(rows[i], columns[i], values[i]);',
      'put(rows[i], columns[i], values[i]), put(0, -1, 2);',
    );
    const why = 'decode called put(0, -1, 2), expected a row below 1, a column below 1 and a number.';
    expect(await brokenLaws(text)).toEqual({ 'cells-once': [why, '1 × 1', [[0, 1]]] });
  });

  test('an element that is never read', async () => {
    const text = changed('csr', 'starts.push(values.length);\n}', 'starts.push(values.length);\n  starts.push(7);\n}');
    const broken = await brokenLaws(text);
    expect(Object.keys(broken)).toEqual(['matters']);
    expect(String(broken.matters)).toMatch(/^starts\[9\] can change unnoticed/);
  });

  test('a module that remembers the matrix outside of the arrays', async () => {
    const text = changed(
      'coo',
      'export function encode(A, out) {',
      'let kept;\nexport function encode(A, out) {\n  kept = A;',
    ).replace(
      'put(rows[i], columns[i], values[i])',
      'kept ? put(rows[i], columns[i], kept.at(rows[i], columns[i])) : put(0, 0, 9)',
    );
    expect(Object.keys(await brokenLaws(text))).toContain('arrays-suffice');
  });

  test('bytes that differ when a matrix is encoded again', async () => {
    const text = changed('csr', 'export function encode(', 'let n = 0;\nexport function encode(')
      .replace('  for (const row of A) {', '  n++;\n  for (const row of A) {')
      .replace(
        '  starts.push(values.length);\n}',
        '  starts.push(values.length);\n  for (let i = 0; i < n; i++) starts.pad(n);\n}',
      );
    const broken = await brokenLaws(text);
    expect(String(broken['same-bytes'])).toMatch(
      /^Encoded a second time, starts had \d+ elements; the first time \d+\./,
    );
  });

  test('random bytes, which another copy of the module does not repeat', async () => {
    const text = `${starterText('coo').replace('out.values.push(row.values[i]);', 'out.values.push(row.values[i] + 0 * chance);').replace("rows: 'u16 indices',", "rows: 'u16 indices', salt: 'u32 metadata',").replace('export function encode(A, out) {', 'export function encode(A, out) {\n  out.salt.pad(chance);')}\nconst chance = (globalThis.chance = (globalThis.chance ?? 0) + 1);`;
    expect(String((await brokenLaws(text))['same-bytes'])).toMatch(/^Encoded by a fresh copy, salt\[0\] was \d+/);
  });

  test('a non-zero that tell never names', async () => {
    const text = changed('csr', 'tell?.(`Entry', 'if (i !== 1) tell?.(`Entry');
    const broken = await brokenLaws(text);
    expect(Object.keys(broken)).toEqual(['told']);
    expect(String(broken['told'])).toBe('tell never named row 0, column 1.,1 × 2,0,1,1,1');
  });

  test('an exception, with its line', async () => {
    const text = changed(
      'csr',
      '  for (const row of A) {',
      '  for (const row of A) {\n    if (row.length > 2) null.x;',
    );
    const { laws } = await lawsOf(text);
    const [{ broken }] = laws;
    expect(broken?.why).toMatch(/^encode ended with TypeError: .* in line 10\.$/);
    expect([broken?.line, broken?.matrix.nnz]).toEqual([10, 3]);
  });

  test('a shrunk matrix, also of many columns', async () => {
    const text = changed(
      'csr',
      'columns.push(row.columns[i]);',
      'columns.push(row.columns[i] > 60000 ? 1 : row.columns[i]);',
    );
    const { encoder, decoder } = localRunners(text);
    let requestCount = 0;
    const counted = { encoder, decoder: { ask: (request: Request) => (requestCount++, decoder.ask(request)) } };
    const report = await testLaws(counted, await setupOf(counted), { now: () => requestCount / 10 });
    expect(report.laws[0].broken?.matrix.rows).toBe(1);
    expect(report.laws[0].broken?.shrinkTries).toBeLessThan(1100);
  });
});

describe('a matrix that the module does not support', () => {
  test('neither satisfies nor breaks a law', async () => {
    const report = await lawsOf(starterText('csr'));
    expect(report.refused).toEqual([{ name: '65 537 columns', reason: '65536 does not fit u16 of columns[1]' }]);
    expect(report.laws[0]).toMatchObject({ passed: 78, tried: 78, broken: null });
  });

  test('is reported at once if it needs more elements than the limit', async () => {
    const report = await lawsOf(starterText('dia'));
    const reason = expect.stringMatching(/^values grew past 1745560 elements, the most for this matrix$/);
    expect(report.refused).toEqual([{ name: '70 001 rows', reason }]);
  });

  test('ends the module, which cannot catch the exception', async () => {
    const text = changed(
      'csr',
      'columns.push(row.columns[i]);',
      'try { columns.push(row.columns[i]); } catch { columns.push(0); }',
    );
    expect((await lawsOf(text)).refused).toHaveLength(1);
  });
});
