import { Random } from '../core/number/random.ts';
import type { Buffers } from './buffers.ts';

/**
 * Random numbers that overwrite outputs before timed runs, so that a kernel that skips work cannot pass with the output
 * of an earlier run. They resemble results: both signs, magnitudes of about 1, never 0.
 */
export class Noise {
  readonly #buffer: GPUBuffer;
  readonly #random: Random;

  private constructor(buffer: GPUBuffer, random: Random) {
    this.#buffer = buffer;
    this.#random = random;
  }

  static async create(buffers: Buffers, seed: number): Promise<Noise> {
    const random = new Random(seed);
    const values = new Float32Array(WORDS);
    random.fillNormal(values);
    const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = await buffers.allocate('noise', values.byteLength, usage);
    buffers.context.device.queue.writeBuffer(buffer, 0, values);
    return new Noise(buffer, random);
  }

  /** Fills `bytes` bytes of `into`, a multiple of 4, with numbers from random positions of the noise. */
  copyTo(encoder: GPUCommandEncoder, into: GPUBuffer, offset: number, bytes: number): void {
    for (let done = 0; done < bytes;) {
      const start = 4 * this.#random.below(STARTS);
      const size = Math.min(bytes - done, 4 * WORDS - start);
      encoder.copyBufferToBuffer(this.#buffer, start, into, offset + done, size);
      done += size;
    }
  }
}

/** Length of the noise; a copy begins at one of its first STARTS words, so that at least as many follow. */
const WORDS = 2 ** 18;
const STARTS = WORDS / 2;
