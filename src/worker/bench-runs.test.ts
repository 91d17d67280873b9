import { expect, it } from 'vitest';
import { formats } from '../formats/registry.ts';
import type { BenchRequest } from './protocol.ts';
import { ignore, testEngine } from './testing.ts';

const REQUEST: BenchRequest = {
  operation: 'gemm',
  sizes: { tokens: 2 },
  workload: { kind: 'generated', spec: { pattern: 'uniform', rows: 8, cols: 8, density: 0.5, seed: 1 } },
  entries: [{ format: 'csr', params: {}, kernels: 'auto' }],
  memory: 'warm',
  rounds: 1,
  seed: 1,
  where: 'gpu',
};

it('refuses a format that has no kernel of the operation, and names those that have', async () => {
  const spmvAlone = formats.map((f) => ({ ...f, kernels: f.kernels.filter((k) => k.operation === 'spmv') }));
  const able = spmvAlone.map((f) =>
    f.id === 'dense' ? { ...f, kernels: [{ ...f.kernels[0], operation: 'gemm' }] } : f,
  );
  await expect(testEngine({ formats: able }).bench(1, REQUEST, ignore)).rejects.toThrow(
    "run: found 'csr', which has no kernel for 'gemm', expected one of dense",
  );
});

it('needs no kernel on the CPU', async () => {
  const request: BenchRequest = { ...REQUEST, operation: 'spmv', sizes: {}, where: 'cpu' };
  const without = formats.map((f) => ({ ...f, kernels: [] }));
  const { rows } = await testEngine({ formats: without }).bench(1, request, ignore);
  expect(rows.map((row) => row.format)).toEqual(['dense', 'csr']);
});
