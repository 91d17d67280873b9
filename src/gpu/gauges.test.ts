import { expect, test } from 'vitest';
import { countingContext } from '../../test/counting-gpu.ts';
import { CancelledError } from '../core/errors.ts';
import { Buffers } from './buffers.ts';
import { Gauges } from './gauges.ts';
import type { OutputBuffer } from './output-buffer.ts';

/** Gauges (kernels that measure the device itself) of a run that has timed nothing yet. */
function gaugesOn({ context }: ReturnType<typeof countingContext>): Gauges {
  const unused = (): never => {
    throw new Error('expected no kernel');
  };
  const deps = { timer: {}, job: {}, timed: unused, busy: unused, warmUp: unused, readBytes: undefined };
  return new Gauges({ ...deps, context, buffers: new Buffers(context) } as unknown as ConstructorParameters<
    typeof Gauges
  >[0]);
}

test('a run continues without the read bandwidth where there is no memory for it, and a note says why', async () => {
  const gauges = gaugesOn(countingContext());
  await gauges.openRead({} as OutputBuffer);
  expect(gauges.notes).toEqual(['random words: needs a buffer of 8388608 bytes, the limit of this GPU is 1048576']);
  expect([gauges.fields().readBandwidthGBps, gauges.all]).toEqual([null, []]);
});

test('a cancelled job or an unexpected error ends the measurement of the read bandwidth', async () => {
  for (const error of [new CancelledError(), new TypeError('a bug')]) {
    const gpu = countingContext([], 2 ** 30);
    gpu.device.createBuffer = () => {
      throw error;
    };
    await expect(gaugesOn(gpu).openRead({} as OutputBuffer)).rejects.toBe(error);
  }
});
