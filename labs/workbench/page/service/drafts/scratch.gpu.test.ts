// Kernels that a user begins from scratch, on the GPU.

import { expect, it } from 'vitest';
import { defaultParams } from '../../../../../src/core/format.ts';
import { scratchCards } from '../../../../../src/core/scratch/card.ts';
import { starterKernel } from '../../../own/kernel/starter-kernel.ts';
import { formats } from '../../../../../src/formats/registry.ts';
import { compileMessages } from '../../../gpu/index.ts';
import { exampleMatrix } from '../../../../../src/gpu/index.ts';
import { draftHost } from '../../../test/draft-host.ts';
import { threadPace } from '../../../../../src/core/pace.ts';
import { benchRun } from '../../../../../src/engine/bench-service.ts';
import { DeviceHolder } from '../../../../../src/engine/device.ts';
import { ServiceJob } from '../../../../../src/engine/bridge/service-job.ts';
import { kernelFiles } from '../../../../../src/engine/kernel-reading/kernel-reading.ts';
import type { BenchEntry, BenchRequest } from '../../../../../src/engine/bench/bench-types.ts';

const device = new DeviceHolder({ gpu: navigator.gpu, isSecure: true, runtime: 'test' });

/** A format with each of its value types, which decide how its arrays are packed. */
const cases = formats
  .filter((format) => scratchCards(format).length > 0)
  .flatMap((format) => {
    const field = format.params.valueType as { options?: readonly { value: string }[] } | undefined;
    const types = field?.options?.map(({ value }) => value) ?? [undefined];
    return types.map((valueType) => [`${format.id} ${valueType ?? ''}`.trim(), format, valueType] as const);
  });

it.each(cases)('the kernel from scratch of %s compiles', async (_, format, valueType) => {
  const params = { ...defaultParams<object>(format.params), ...(valueType === undefined ? {} : { valueType }) };
  const kernel = starterKernel(format);
  const context = await device.open();
  const encoded = format.encode(exampleMatrix(64, 64), params);
  expect(kernel.fits(encoded, context.facts, {})).toMatchObject({ ok: true });
  expect(await compileMessages(context, kernel.id, kernel.plan(encoded, context.facts, {}))).toEqual([]);
});

it('a draft takes part in a benchmark, marked as a draft, once it was correct on the matrix', async () => {
  const matrix = exampleMatrix(64, 80);
  const host = draftHost(matrix);
  const card = 'csr/spmv_scalar';
  const withEdit = (edit: (code: string) => string, name: string): BenchEntry => {
    const code = kernelFiles(formats).find(({ path }) => path === `${card}.wgsl`)?.code ?? '';
    const draft = { kernel: card, files: { [`${card}.wgsl`]: edit(code) }, overrides: {}, mark: { name, version: 2 } };
    return { format: 'csr', params: {}, kernels: 'all', draft };
  };
  const request: BenchRequest = {
    operation: 'spmv',
    sizes: {},
    workload: { kind: 'stage' },
    entries: [
      { format: 'csr', params: {}, kernels: ['csr/spmv_scalar'] },
      withEdit((code) => `${code}\n`, 'mine'),
      withEdit((code) => code.replace('y[row] = sum;', 'while (true) { y[row] = sum; }'), 'endless'),
    ],
    memory: 'cold',
    rounds: 2,
    seed: 1,
    where: 'gpu',
  };
  const report = await benchRun(host, request, new ServiceJob(threadPace, () => {}), () => {});
  const rows = report.rows.filter(({ format }) => format === 'csr');
  expect(rows.map(({ kernel, draft, verified }) => [kernel, draft, verified.ok])).toEqual([
    [card, undefined, true],
    [`${card} (mine 2)`, { of: card, name: 'mine', version: 2 }, true],
  ]);
  expect(report.refused).toMatchObject([
    { kernel: `${card} (endless 2)`, draft: { name: 'endless' }, reason: expect.stringMatching(/^took more than/) },
  ]);
});
