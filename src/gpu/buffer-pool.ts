/** A buffer is reused if it is at most this much larger than needed. */
const MAX_LARGER = 1.5;

/**
 * Buffers kept for their next use, for a task that repeatedly fills ones of similar sizes: creating them takes a device
 * longer than filling them. They hold old data.
 */
export class BufferPool {
  readonly #maxBytes: number;
  /** least recently used first */
  #free: GPUBuffer[] = [];

  /** Keeps at most `maxBytes` of unused buffers. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The smallest buffer of at least `size` bytes with exactly this use; null if there is none. O(buffers). */
  take(size: number, usage: GPUBufferUsageFlags): GPUBuffer | null {
    let best: GPUBuffer | null = null;
    for (const buffer of this.#free) {
      const fits = buffer.usage === usage && buffer.size >= size && buffer.size <= size * MAX_LARGER;
      if (fits && buffer.size < (best?.size ?? Infinity)) best = buffer;
    }
    if (best) this.#free = this.#free.filter((buffer) => buffer !== best);
    return best;
  }

  /** Keeps an unused buffer, and frees the least recently used ones if there are too many. */
  give(buffer: GPUBuffer): void {
    this.#free.push(buffer);
    let bytes = this.#free.reduce((sum, { size }) => sum + size, 0);
    while (bytes > this.#maxBytes) {
      const [oldest, ...others] = this.#free;
      bytes -= oldest.size;
      oldest.destroy();
      this.#free = others;
    }
  }

  /** Frees everything that is kept. */
  destroy(): void {
    for (const buffer of this.#free) buffer.destroy();
    this.#free = [];
  }
}
