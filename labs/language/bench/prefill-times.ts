// Times prefills of a chain on the GPU in interleaved rounds, and reads results to check them.

import type { Job } from '../../../src/core/job.ts';
import { Buffers, openClock, type GpuContext, type Runnable, TimedKernel, Timer } from '../../../src/gpu/index.ts';
import type { Chain } from '../decoders/chain/chain.ts';
import type { Launch } from '../decoders/chain/launches.ts';

/** Samples of every variant; reports show their median. */
const ROUNDS = 7;
/** Time before the first round, so that the GPU has raised its clocks. */
const WARM_UP_MS = 300;

/**
 * Times several ways to compute a prefill: nanoseconds of each, by round. Every round runs all ways one after another.
 */
export function prefillTimes(
  context: GpuContext,
  variants: readonly { readonly chain: Chain; readonly launches: readonly Launch[] }[],
  job: Job,
): Promise<{ readonly source: 'timestamp-query' | 'wall-clock'; readonly ns: readonly (readonly number[])[] }> {
  return context.exclusively(async () => {
    const buffers = new Buffers(context);
    try {
      const clock = await openClock(context, buffers);
      const timer = new Timer(clock, job, 1);
      const timed = variants.map(
        ({ chain, launches }, i) =>
          new TimedKernel<Runnable>({
            id: `prefill ${i}`,
            slots: 1,
            variants: 1,
            encode: (pass, _, runs) => chain.encodeRepeated(pass, launches, runs),
          }),
      );
      for (const candidate of timed) await timer.probe(candidate);
      await timer.warmUp(timed, WARM_UP_MS);
      const ns = variants.map((): number[] => []);
      for (let round = 0; round < ROUNDS; round++) {
        for (const [i, candidate] of timed.entries()) ns[i].push(await timer.sample(candidate));
        job.report({ what: 'rounds of prefill', done: round + 1, total: ROUNDS });
      }
      return { source: clock.source, ns };
    } finally {
      buffers.destroy();
    }
  });
}

/** Runs `launches` once, and returns the contents of the buffers, one after the other. */
export async function readAfter(
  context: GpuContext,
  chain: Chain,
  launches: readonly Launch[],
  bindings: readonly GPUBufferBinding[],
): Promise<Uint32Array<ArrayBuffer>> {
  const { device } = context;
  const bytes = bindings.reduce((sum, { size = 0 }) => sum + size, 0);
  const staging = device.createBuffer({ size: bytes, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder({ label: 'check of blocks' });
  const pass = encoder.beginComputePass();
  chain.encodeRepeated(pass, launches, 1);
  pass.end();
  let offset = 0;
  for (const { buffer, size = 0 } of bindings) {
    encoder.copyBufferToBuffer(buffer, 0, staging, offset, size);
    offset += size;
  }
  device.queue.submit([encoder.finish()]);
  await context.whileAlive(staging.mapAsync(GPUMapMode.READ));
  const words = new Uint32Array(staging.getMappedRange().slice(0));
  staging.destroy();
  return words;
}
