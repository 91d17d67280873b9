import { parseHex, toByte } from '../color.ts';
import { densityRamp, type Ramp, signRamp } from '../ramps.ts';
import type { Theme } from '../theme.ts';
import type { Tile } from './tile.ts';

/** Minimum darkness of a non-empty bucket, so that a single entry is visible. */
const MIN_SHARE = 0.09;

/** Colours of cells and buckets in one theme, as packed 0xRRGGBB. */
export class TileColors {
  readonly #density: Ramp;
  readonly #value: Ramp;
  readonly #zero: number;
  readonly #notANumber: number;

  constructor(theme: Theme) {
    this.#density = densityRamp(theme);
    this.#value = signRamp(theme);
    this.#zero = packedHex(theme.cell);
    this.#notANumber = packedHex(theme.danger);
  }

  /** `share` of non-zeros; `max`: the largest share of the tile. */
  density(share: number, max: number): number {
    if (share <= 0 || max <= 0) return this.#density(0);
    return this.#density(MIN_SHARE + (1 - MIN_SHARE) * (share / max));
  }

  /**
   * The colour of a cell with this value, by the square root of its share of `absMax`, so that small values stay visible next
   * to a few large ones. Infinities have the colours at the ends of the ramp, NaN that of errors, zeros that of an empty cell.
   */
  value(value: number, absMax: number): number {
    if (value === 0) return this.#zero;
    if (Number.isNaN(value)) return this.#notANumber;
    const share = absMax === 0 ? 1 : Math.sqrt(Math.min(1, Math.abs(value) / absMax));
    // The middle of the ramp is nearly the background, so the smallest values keep a little distance from it.
    const fromMiddle = 0.1 + 0.4 * share;
    return this.#value(value < 0 ? 0.5 - fromMiddle : 0.5 + fromMiddle);
  }

  /** A tile as pixels, one per bucket. */
  pixels(tile: Tile, absMax: number): Uint8ClampedArray<ArrayBuffer> {
    const { buckets } = tile;
    const bytes = new Uint8ClampedArray(buckets.length * 4);
    const max = tile.kind === 'density' ? largestShare(buckets) : 0;
    for (let i = 0; i < buckets.length; i++) {
      const color = tile.kind === 'cells' ? this.value(buckets[i], absMax) : this.density(buckets[i], max);
      bytes[4 * i] = color >> 16;
      bytes[4 * i + 1] = (color >> 8) & 255;
      bytes[4 * i + 2] = color & 255;
      bytes[4 * i + 3] = 255;
    }
    return bytes;
  }
}

function largestShare(buckets: Float32Array): number {
  let max = 0;
  for (const share of buckets) if (share > max) max = share;
  return max;
}

function packedHex(hex: string): number {
  const [r, g, b] = parseHex(hex).map(toByte);
  return (r << 16) | (g << 8) | b;
}
