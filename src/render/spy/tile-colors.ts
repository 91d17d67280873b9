import { fromOklab, interpolate, mix, parseHex, toByte, toOklab, type Triple } from '../color.ts';
import type { Theme } from '../theme.ts';
import type { Tile } from './tile.ts';

/** Lowest ramp position of a bucket (cells drawn as one pixel) with non-zeros, so that a single non-zero is visible. */
const MIN_SHARE = 0.09;

/** Colours of a spy plot in one theme, as 0xRRGGBB: of cells by value, of buckets by their share of non-zeros. */
export class TileColors {
  readonly #density: Ramp;
  readonly #value: Ramp;
  readonly #zero: number;
  readonly #notANumber: number;

  constructor(theme: Theme) {
    this.#density = densityRamp(theme);
    this.#value = signRamp(theme);
    this.#zero = packed(parseHex(theme.cell));
    this.#notANumber = packed(parseHex(theme.danger));
  }

  /** The colour of a bucket with this share of non-zeros; `max`: the largest share in the tile. */
  density(share: number, max: number): number {
    if (share <= 0 || max <= 0) return this.#density(0);
    return this.#density(MIN_SHARE + (1 - MIN_SHARE) * (share / max));
  }

  /**
   * The colour of a cell with this value, by the square root of |value| / `absMax`, so that small values stay visible
   * next to a few large ones. Infinities have the colours at the ends of the ramp, NaN the colour of errors.
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

/** A colour for each number from 0 to 1, as sRGB bytes 0xRRGGBB. Numbers outside are clamped. */
export type Ramp = (position: number) => number;

const RAMP_STEPS = 256;

/** A ramp through `stops` at equal distances, interpolated in OKLab and tabulated. */
function evenlySpacedRamp(stops: readonly string[]): Ramp {
  const lab = stops.map((stop) => toOklab(parseHex(stop)));
  const table = Uint32Array.from({ length: RAMP_STEPS }, (_, i) => {
    const position = (i / (RAMP_STEPS - 1)) * (lab.length - 1);
    const stop = Math.min(lab.length - 2, Math.floor(position));
    return packed(fromOklab(interpolate(lab[stop], lab[stop + 1], position - stop)));
  });
  return (share) => table[Math.min(RAMP_STEPS - 1, Math.max(0, Math.round(share * (RAMP_STEPS - 1))))];
}

/** Linear RGB as sRGB bytes in one number, 0xRRGGBB. */
function packed([r, g, b]: Triple): number {
  return (toByte(r) << 16) | (toByte(g) << 8) | toByte(b);
}

/** A packed colour as '#rrggbb'. */
export function unpackHex(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}

/** The ramp of values: 0 is the most negative, 0.5 is zero, 1 the most positive; lightness is symmetric. */
export function signRamp(theme: Theme): Ramp {
  return theme.name === 'light'
    ? evenlySpacedRamp(['#8A4710', '#CC8A45', '#F0E9E0', '#7F9BE4', '#2747B8'])
    : evenlySpacedRamp(['#FFC890', '#B8772F', '#24262B', '#4479D6', '#B0D0FF']);
}

/** The ramp of shares of non-zeros: from the background (none) to nearly the text colour (the largest share). */
export function densityRamp(theme: Theme): Ramp {
  return evenlySpacedRamp([theme.ground, mix(theme.ground, theme.text, 0.9)]);
}
