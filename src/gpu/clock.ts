import { clockStepNs } from '../core/bench/clock-step.ts';
import type { Buffers } from './buffers.ts';
import type { GpuContext } from './device.ts';
import { guarded } from './guard.ts';

// Clocks of a device: they measure how long passes of a kernel take, by GPU timestamps or by the wall clock.

/** Encodes `runs` dispatches of the timed kernel. */
export type EncodeRuns = (pass: GPUComputePassEncoder, runs: number) => void;

/** Times passes of a kernel on the device. */
export interface Clock {
  readonly source: 'timestamp-query' | 'wall-clock';
  /** Smallest step of its times so far, in nanoseconds. */
  readonly quantumNs: number;
  /** The passes that one `time` submits one after the other, as multiples of `runs` runs; the last is the longest. */
  readonly passMultiples: readonly number[];
  /**
   * Nanoseconds per run, over `runs` runs in one pass after the queue has drained. What `before` submits precedes each
   * pass, and is not timed. 0 or less if the clock is too coarse for this few runs, or jumped. Throws DeviceLostError.
   */
  time(label: string, runs: number, encode: EncodeRuns, before?: () => void): Promise<number>;
  /** One pass as in `time`, without timing it. */
  run(label: string, runs: number, encode: EncodeRuns, before?: () => void): Promise<unknown>;
}

/** Empty passes that find the clock's step before anything is timed. */
const QUANTUM_PASSES = 32;

/**
 * The step of a clock: the greatest common divisor of its raw values so far. A browser that rounds down to
 * 65,536 ns gives 65,536. A few dozen values are enough: a divisor that is too large by chance becomes ever less
 * likely.
 */
export class Quantum {
  #divisor = 0n;
  #first: bigint | null = null;
  #changed = false;

  add(value: bigint): void {
    this.#first ??= value;
    if (value !== this.#first) this.#changed = true;
    let [a, b] = [this.#divisor, value];
    while (b !== 0n) [a, b] = [b, a % b];
    this.#divisor = a;
  }

  /** In the unit of the values; 0 while every value was the same, so that the step is unknown. */
  get step(): number {
    return this.#changed ? Number(this.#divisor) : 0;
  }
}

/** The clock of this device: timestamps on the GPU if supported, the wall clock otherwise. */
export async function openClock(context: GpuContext, buffers: Buffers): Promise<Clock> {
  return context.facts.features.has('timestamp-query') ? TimestampClock.open(context, buffers) : new WallClock(context);
}

/** Timestamps at the beginning and the end of a compute pass. */
class TimestampClock implements Clock {
  readonly source = 'timestamp-query';
  readonly passMultiples = [1];
  readonly #context: GpuContext;
  readonly #querySet: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #staging: GPUBuffer;
  readonly #quantum = new Quantum();

  private constructor(context: GpuContext, querySet: GPUQuerySet, resolved: GPUBuffer, staging: GPUBuffer) {
    this.#context = context;
    this.#querySet = querySet;
    this.#resolved = resolved;
    this.#staging = staging;
  }

  static async open(context: GpuContext, buffers: Buffers): Promise<TimestampClock> {
    const resolved = await buffers.allocate('timestamps', 16, GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC);
    const staging = await buffers.allocate(
      'timestamps for reading',
      16,
      GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    );
    const { result: querySet, settled } = guarded(context, 'timestamps', () =>
      context.device.createQuerySet({ label: 'timestamps', type: 'timestamp', count: 2 }),
    );
    buffers.adopt(querySet);
    await settled;
    const clock = new TimestampClock(context, querySet, resolved, staging);
    for (let i = 0; i < QUANTUM_PASSES; i++) await clock.run('quantum', 0, () => {});
    return clock;
  }

  get quantumNs(): number {
    return this.#quantum.step;
  }

  async time(label: string, runs: number, encode: EncodeRuns, before?: () => void): Promise<number> {
    return (await this.run(label, runs, encode, before)) / runs;
  }

  async run(label: string, runs: number, encode: EncodeRuns, before?: () => void): Promise<number> {
    const { device } = this.#context;
    before?.();
    const drained = device.queue.onSubmittedWorkDone();
    // Encoding can take as long as the pass itself, so it is done while the queue drains.
    const encoder = device.createCommandEncoder({ label });
    const pass = encoder.beginComputePass({
      label,
      timestampWrites: { querySet: this.#querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 },
    });
    encode(pass, runs);
    pass.end();
    encoder.resolveQuerySet(this.#querySet, 0, 2, this.#resolved, 0);
    encoder.copyBufferToBuffer(this.#resolved, 0, this.#staging, 0, 16);
    const commands = encoder.finish();
    await this.#context.whileAlive(drained);
    device.queue.submit([commands]);
    await this.#context.whileAlive(this.#staging.mapAsync(GPUMapMode.READ));
    const [begin, end] = new BigInt64Array(this.#staging.getMappedRange().slice(0));
    this.#staging.unmap();
    this.#quantum.add(begin);
    this.#quantum.add(end);
    return Number(end - begin);
  }
}

/** The wall clock around a submit; its own cost cancels out: the time of 2 n runs minus the time of n runs, per run. */
class WallClock implements Clock {
  readonly source = 'wall-clock';
  readonly passMultiples = [1, 2];
  readonly quantumNs = clockStepNs(() => performance.now());
  readonly #context: GpuContext;

  constructor(context: GpuContext) {
    this.#context = context;
  }

  async time(label: string, runs: number, encode: EncodeRuns, before?: () => void): Promise<number> {
    const once = await this.run(label, runs, encode, before);
    const twice = await this.run(label, 2 * runs, encode, before);
    return ((twice - once) * 1e6) / runs;
  }

  async run(label: string, runs: number, encode: EncodeRuns, before?: () => void): Promise<number> {
    const { device } = this.#context;
    before?.();
    const drained = device.queue.onSubmittedWorkDone();
    const encoder = device.createCommandEncoder({ label });
    const pass = encoder.beginComputePass({ label });
    encode(pass, runs);
    pass.end();
    const commands = encoder.finish();
    await this.#context.whileAlive(drained);
    const start = performance.now();
    device.queue.submit([commands]);
    await this.#context.whileAlive(device.queue.onSubmittedWorkDone());
    return performance.now() - start;
  }
}
