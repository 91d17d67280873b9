// The shipped pictures of the starters equal what their encoders store.

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { setupOf, localRunners } from '../../test/own-runner.ts';
import { marksOf } from '../../test/starter-marks.ts';
import { CsrMatrix, type Matrix, toCsr } from '../../../../src/core/matrix/index.ts';
import { generate } from '../../../../src/generate/generate.ts';
import { requestEncoding, encodeAndDecode } from '../../own/module-requests.ts';
import { ledgerOfEncoding } from '../../own/user-encoding.ts';
import { STARTERS } from '../../own/starters.ts';
import { LARGE_MATRIX, SMALL_MATRIX, type StarterFigure } from './starter-figure.ts';

const FILE = resolve(import.meta.dirname, 'starter-figures.json');

/** Rounds magnitudes to 1/8, 2/8 … 8/8: these are at most 16 values with their signs, which a dictionary can contain. */
function inEighths(matrix: Matrix): CsrMatrix {
  const { data, ...rest } = toCsr(matrix);
  return new CsrMatrix({
    ...rest,
    data: data.map((v) => Math.sign(v) * Math.min(1, Math.max(0.125, Math.round(Math.abs(v) * 8) / 8))),
  });
}

/** The figure of the starter whose module has this text. */
async function figureOf(text: string): Promise<StarterFigure> {
  const runners = localRunners(text);
  const setup = await setupOf(runners);
  const matrix = inEighths(generate(SMALL_MATRIX));
  const recordsLines = true;
  const small = await encodeAndDecode(runners, setup, matrix, recordsLines);
  if (small.kind !== 'done') throw new Error(JSON.stringify(small));
  const large = await requestEncoding(runners.encoder, setup, generate(LARGE_MATRIX), 'nothing');
  const { totalBits, totalBytes } = ledgerOfEncoding(small.result.encoding, SMALL_MATRIX.rows, SMALL_MATRIX.cols);
  return {
    marks: await marksOf(text, small.result, matrix),
    bits: totalBits,
    bytes: totalBytes,
    larger:
      large.kind === 'done' ? ledgerOfEncoding(large.result, LARGE_MATRIX.rows, LARGE_MATRIX.cols).totalBytes : null,
  };
}

test('the pictures of starters equal what their encoders store (UPDATE=1 rewrites them)', async () => {
  const figures: Record<string, StarterFigure> = {};
  for (const { id, text } of STARTERS) figures[id] = await figureOf(text);
  if (process.env['UPDATE'] === '1') writeFileSync(FILE, `${JSON.stringify(figures, null, 2)}\n`);
  expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(figures);
  expect(figures['csr'].larger).toBeGreaterThan(0);
  // The larger matrix has more distinct values than the dictionary's entries.
  expect(figures['dictionary'].larger).toBeNull();
});
