// Encoded sizes of custom formats, computed in the sandbox.

import { expect, it } from 'vitest';
import { localSource, starterText } from '../test/own-runner.ts';
import { CsrMatrix } from '../../../src/core/matrix/index.ts';
import { threadPace } from '../../../src/core/pace.ts';
import { formats } from '../../../src/formats/registry.ts';
import { generate, type GenerateSpec } from '../../../src/generate/generate.ts';
import { type EncodedSize, measureSizes } from '../../../src/pages/compare/service/service.ts';
import { UserFormats } from '../own/user-formats.ts';
import type { UserParams } from '../own/module-messages.ts';

const SPEC: GenerateSpec = { pattern: 'uniform', rows: 64, cols: 96, density: 1, seed: 3 };
const matrices = [0.3, 0.5].map((density) => ({ ...SPEC, density }));

it('encodes with custom formats in their sandbox, and counts the results', async () => {
  const source = await localSource('rows', starterText('csr'));
  const userFormats = new UserFormats();
  const { format } = userFormats.replaceFormat(
    { name: 'rows', text: source.text, description: source.description, matrix: null },
    null,
  );
  const sizes: EncodedSize[] = [];
  const requests: number[] = [];
  const job = { report() {}, cancelled: false };
  const withOwn = {
    ...threadPace,
    formats: [...formats, format],
    storeResult: userFormats.storeResult.bind(userFormats),
  };
  await measureSizes(
    withOwn,
    { matrices, format: format.id, params: {} },
    job,
    (size) => void sizes.push(size),
    async (id, params, cells) => {
      expect(id).toBe('mine:rows');
      requests.push(cells.indptr[cells.rows]);
      return { params: params as UserParams, outcome: source.resultOf(new CsrMatrix(cells), {}, { recorded: false }) };
    },
  );
  expect(requests).toEqual(matrices.map((spec) => generate(spec).nnz));
  // Two bytes of value and of column, and four for each start.
  expect(sizes.map(({ bytes }) => bytes)).toEqual(requests.map((nnz) => 4 * nnz + 4 * (64 + 1)));
});
