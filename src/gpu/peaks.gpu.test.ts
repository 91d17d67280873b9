import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDevice } from '../../test/gpu.ts';
import { Buffers } from './buffers.ts';
import type { GpuContext } from './device.ts';
import { peakFields, peakMultiplyAdds, peakPlan, preparePeaks, SOFTWARE_SHARE } from './peaks.ts';
import { OutputBuffer } from './output-buffer.ts';
import { runKernelWords } from './run.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openTestDevice();
});
afterAll(() => context.destroy());

/** The sum of an invocation of shaders/common/peaks.wgsl, computed byte by byte. */
function sumOf(invocation: number, steps: number): number {
  const lane = invocation % 256;
  const factor = 0x7f3d9b81 + (Math.floor(invocation / 256) % 2);
  const signed = (word: number, byte: number): number => (word << (24 - 8 * byte)) >> 24;
  let sum = 0;
  for (let part = 0; part < 4; part++) {
    const first = Math.imul(lane + 1 + 256 * part, 0x9e3779b9);
    for (let chain = 0; chain < 2; chain++) {
      let word = (first + chain) | 0;
      for (let link = 0; link < 16 * steps; link++) {
        let dot = 0;
        for (let byte = 0; byte < 4; byte++) dot += signed(word, byte) * signed(factor, byte);
        word = (word + dot) | 0;
      }
      sum = (sum + word) | 0;
    }
  }
  return sum >>> 0;
}

describe('the dot products that measure arithmetic in i8', () => {
  test.for([
    { invocation: 0, steps: 1 },
    { invocation: 0, steps: 64 },
    { invocation: 77, steps: 64 },
    { invocation: 256 + 255, steps: 5 },
  ])('invocation $invocation after $steps steps has the sum of the bytes', async (example) => {
    const words = await runKernelWords(context, 'common/dot_peak', peakPlan('i8', context.facts, example), {});
    expect(words[0]).toBe(sumOf(example.invocation, example.steps));
  });

  test('no invocation has the sum at which the shader writes', () => {
    const sums = Array.from({ length: 512 }, (_, invocation) => sumOf(invocation, 64));
    expect(sums).not.toContain(0x5ca1ab1e);
  });
});

describe('the roofs of a run', () => {
  test('measure the arithmetic that the kernels use, in the fields of the report', async () => {
    const buffers = new Buffers(context);
    try {
      const output = await OutputBuffer.create(buffers, 16);
      const job = { report: () => {}, cancelled: false };
      const peaks = await preparePeaks(context, buffers, output, new Set(['i8', 'f32']), job);
      expect(peaks.map(({ arithmetic }) => arithmetic)).toEqual(['f32', 'i8']);
      expect(peakFields(peaks, [1e6, 1e5])).toEqual({
        peakGFMAps: (peakMultiplyAdds('f32') * SOFTWARE_SHARE) / 1e6,
        peakI8GMAps: (peakMultiplyAdds('i8') * SOFTWARE_SHARE) / 1e5,
      });
      const onlyF32 = await preparePeaks(context, buffers, output, new Set(['f32']), job);
      expect(peakFields(onlyF32, [1e6])).toEqual({ peakGFMAps: (peakMultiplyAdds('f32') * SOFTWARE_SHARE) / 1e6 });
    } finally {
      buffers.destroy();
    }
  });
});
