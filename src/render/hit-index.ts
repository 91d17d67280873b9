import type { PlacedMark } from './layout/laid-out.ts';

const BUCKET = 32;

/** Finds the mark at a point: marks by the squares of 32 px that they touch. */
export class HitIndex {
  readonly #columns: number;
  readonly #buckets: (PlacedMark[] | undefined)[];

  /** O(marks * squares that each touches). */
  constructor(marks: readonly PlacedMark[], width: number, height: number) {
    this.#columns = Math.max(1, Math.ceil(width / BUCKET));
    const rows = Math.max(1, Math.ceil(height / BUCKET));
    this.#buckets = Array.from({ length: this.#columns * rows });
    const clampTo = (v: number, n: number): number => Math.min(n - 1, Math.max(0, Math.floor(v / BUCKET)));
    for (const m of marks) {
      // A frame surrounds marks that are found themselves.
      if (m.mark.shape === 'frame' || m.mark.shape === 'line') continue;
      for (let row = clampTo(m.y, rows); row <= clampTo(m.y + m.h, rows); row++) {
        for (let col = clampTo(m.x, this.#columns); col <= clampTo(m.x + m.w, this.#columns); col++) {
          const at = row * this.#columns + col;
          const bucket = this.#buckets[at];
          if (bucket) bucket.push(m);
          else this.#buckets[at] = [m];
        }
      }
    }
  }

  /** The smallest mark within `reach` px of the point, the nearest first; null if there is none. */
  at(x: number, y: number, reach = 1.5): PlacedMark | null {
    if (x < 0 || y < 0) return null;
    const col = Math.floor(x / BUCKET);
    if (col >= this.#columns) return null;
    const bucket = this.#buckets[Math.floor(y / BUCKET) * this.#columns + col];
    let best: PlacedMark | null = null;
    let min = Number.POSITIVE_INFINITY;
    for (const m of bucket ?? []) {
      const away = Math.max(m.x - x, x - m.x - m.w, m.y - y, y - m.y - m.h, 0);
      if (away > reach) continue;
      const size = away * 1e6 + m.w * m.h;
      if (size < min) {
        best = m;
        min = size;
      }
    }
    return best;
  }
}
