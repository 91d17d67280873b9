/** A buffer serves again where it is at most this much larger than what is wanted. */
const MOST_LARGER = 1.5;

/**
 * Buffers that wait for their next use, for a task that fills ones of similar sizes again and again: making them anew takes
 * a device longer than filling them. What they hold is left over from before.
 */
export class BufferPool {
  readonly #mostBytes: number;
  /** the longest unused first */
  #free: GPUBuffer[] = [];

  /** Keeps at most `mostBytes` that nobody uses. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The smallest of at least `size` bytes that allows exactly this use; null where there is none. O(buffers). */
  take(size: number, usage: GPUBufferUsageFlags): GPUBuffer | null {
    let best: GPUBuffer | null = null;
    for (const buffer of this.#free) {
      const fits = buffer.usage === usage && buffer.size >= size && buffer.size <= size * MOST_LARGER;
      if (fits && buffer.size < (best?.size ?? Infinity)) best = buffer;
    }
    if (best) this.#free = this.#free.filter((buffer) => buffer !== best);
    return best;
  }

  /** Keeps a buffer that nobody uses any more, and frees those that were unused for longest where there are too many. */
  give(buffer: GPUBuffer): void {
    this.#free.push(buffer);
    let bytes = this.#free.reduce((sum, { size }) => sum + size, 0);
    while (bytes > this.#mostBytes) {
      const [oldest, ...others] = this.#free;
      bytes -= oldest.size;
      oldest.destroy();
      this.#free = others;
    }
  }

  /** Frees what is kept. */
  destroy(): void {
    for (const buffer of this.#free) buffer.destroy();
    this.#free = [];
  }
}
