// Recorded memory accesses of kernels against models of what their lanes load.

import { describe, expect, it } from 'vitest';
import { buildMatrix } from '../../../../../test/arbitraries.ts';
import { draftHost } from '../../../test/draft-host.ts';
import { accessSteps } from '../../../theory/access-steps.ts';
import type { AnyFormat } from '../../../../../src/core/format.ts';
import { toCsr } from '../../../../../src/core/matrix/index.ts';
import { threadPace } from '../../../../../src/core/pace.ts';
import { formats } from '../../../../../src/formats/registry.ts';
import { ServiceJob } from '../../../../../src/engine/bridge/service-job.ts';
import { paramsFor } from '../../../../../src/engine/bench/kernel-of.ts';
import { traceMemory } from './trace-memory.ts';
import type { MemoryAnswer } from './draft-types.ts';

// Every sixteenth column, so that all formats support it.
const matrix = buildMatrix({
  shape: [70, 320],
  pattern: 'one of sixteen',
  values: 'normal',
  density: 0.1,
  seed: 1,
  storage: 'entries',
});
const host = draftHost(matrix);

const record = (kernel: string, workgroup: number, params = {}): Promise<Omit<MemoryAnswer, 'generation'>> =>
  traceMemory(
    host,
    { kernel, params, files: {}, overrides: {}, sizes: {}, workgroup },
    new ServiceJob(threadPace, () => {}),
  );

/** The elements of an array that one lane touched, in order. */
function touchedElements({ trace }: Omit<MemoryAnswer, 'generation'>, name: string, lane: number): readonly number[] {
  const loads: number[] = [];
  for (let i = 0; i < trace.counts[lane]; i++) {
    const index = lane * trace.max + i;
    if (trace.sites[trace.siteOf[index]].name === name) loads.push(trace.elements[index]);
  }
  return loads;
}

const RECORDED_KERNELS = ['ell/spmv_scalar', 'macko/spmv_subgroup', 'csr/spmv_staged'];

describe('recorded memory accesses', () => {
  it('equal the model of one lane per row, access by access', async () => {
    const answer = await record('csr/spmv_scalar', 1, { indexBits: 32 });
    expect(answer).toMatchObject({ workgroups: 2, passes: 1 });
    const { indptr, indices } = toCsr(matrix);
    for (let lane = 0; lane < 6; lane++) {
      const row = 64 + lane;
      const entries = Array.from({ length: indptr[row + 1] - indptr[row] }, (_, i) => indptr[row] + i);
      expect(touchedElements(answer, 'indptr', lane)).toEqual([row + 1, row]);
      // Elements of 16 bytes: eight values in f16, four indices in 32 bits.
      expect(touchedElements(answer, 'values', lane)).toEqual(entries.map((entry) => entry >> 3));
      expect(touchedElements(answer, 'indices', lane)).toEqual(entries.map((entry) => entry >> 2));
      expect(touchedElements(answer, 'x', lane)).toEqual(entries.map((entry) => indices[entry]));
      expect(touchedElements(answer, 'y', lane)).toEqual([row]);
    }
    // Row 70 does not exist.
    expect(answer.trace.counts[6]).toBe(0);
    const writes = answer.trace.sites.filter((site) => site.writes);
    expect(writes).toMatchObject([{ name: 'y', buffer: 'y', elementBytes: 4, file: 'csr/spmv_scalar.wgsl' }]);
    const [first] = accessSteps(answer.trace, 0, answer.subgroup);
    expect(first.elements).toEqual(Array.from({ length: answer.subgroup }, (_, lane) => 65 + lane));
  });

  // Only these: a software GPU compiles the instrumented copies of large kernels for minutes. They have a row per lane, a
  // row per subgroup, and equal segments with x in workgroup memory.
  it.each(
    formats.flatMap((format: AnyFormat) =>
      format.kernels.filter(({ id }) => RECORDED_KERNELS.includes(id)).map((spec) => [spec.id, format, spec] as const),
    ),
  )('of %s are inside its arrays', async (id, format, spec) => {
    const answer = await record(id, 0);
    const { trace } = answer;
    const encoded = format.encode(matrix, paramsFor(format, spec, {}, matrix));
    const { buffers } = spec.plan(encoded, (await host.device.open()).facts, {});
    const lengths = new Map(
      buffers.flatMap((buffer) => (buffer.role === 'sparse' ? [[buffer.name, buffer.data.byteLength] as const] : [])),
    );
    const [inside, outside] = [new Set<string>(), new Set<string>()];
    for (let lane = 0; lane < trace.lanes; lane++) {
      for (let i = 0; i < Math.min(trace.max, trace.counts[lane]); i++) {
        const index = lane * trace.max + i;
        const { buffer, elementBytes } = trace.sites[trace.siteOf[index]];
        const bytes = buffer === null ? undefined : lengths.get(buffer);
        if (bytes === undefined || elementBytes === null) continue;
        const isInside = trace.elements[index] * elementBytes < Math.max(16, Math.ceil(bytes / 16) * 16);
        (isInside ? inside : outside).add(`${buffer} ${trace.elements[index]}`);
      }
    }
    expect([...outside]).toEqual([]);
    expect(inside.size).toBeGreaterThan(0);
  });
});
