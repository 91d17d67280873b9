// The Node test that a user can copy for a matrix that breaks a law of their format.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterText } from '../../../test/own-runner.ts';
import { LAW_CASES } from '../../../own/law-cases.ts';
import { CsrMatrix, toCsr } from '../../../../../src/core/matrix/index.ts';
import type { UserParams } from '../../../own/module-messages.ts';
import { counterexampleTest } from './counterexample-test.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const caseOf = (name: string): CsrMatrix => {
  const lawCase = LAW_CASES.find((candidate) => candidate.name === name);
  if (!lawCase) throw new Error(name);
  return new CsrMatrix(toCsr(lawCase.make()));
};

/** Runs the copied test as a user would: next to the module's file, by Node alone. */
function runCopiedTest(
  text: string,
  matrix: CsrMatrix,
  params: UserParams = {},
): { readonly passes: boolean; readonly out: string } {
  writeFileSync(join(folder, 'mine.js'), text);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const test = counterexampleTest({ name: 'mine', title: "Decodes to the 'same' matrix", matrix, params });
  writeFileSync(join(folder, 'mine.test.mjs'), test);
  const { status, stdout } = spawnSync(process.execPath, ['--test', 'mine.test.mjs'], {
    cwd: folder,
    encoding: 'utf8',
    // Without this variable of the test runner, with which Node would skip the test as one inside another test.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: '' },
  });
  return { passes: status === 0, out: stdout };
}

test.each([
  ['sell', { C: 4, sigma: 8 }, 'borders of f16'],
  ['deltas', { bits: 4 }, 'NaN and infinities'],
  ['dictionary', {}, 'empty rows'],
] as const)('a copied test passes on a format that satisfies the law: %s', (id, params, name) => {
  expect(runCopiedTest(starterText(id), caseOf(name), params)).toMatchObject({ passes: true });
});

test('a copied test fails on a format that breaks the law, with the cell that differs', () => {
  const broken = starterText('deltas').replace('gaps.push(column - next);', 'gaps.push(column - next + 1);');
  const { passes, out } = runCopiedTest(broken, caseOf('1 × 1'), { bits: 8 });
  expect([passes, out.includes('Decodes to the ’same’ matrix: 1 × 1')]).toEqual([false, true]);
});
