import { fromOklab, mix, parseHex, toByte, toOklab, type Triple } from './color.ts';
import type { Theme } from './theme.ts';

/** A colour per share 0 .. 1, as packed sRGB bytes 0xRRGGBB. Shares outside are clamped. */
export type Ramp = (share: number) => number;

const RAMP_STEPS = 256;

/** A ramp through `stops` at equal distances, interpolated in OKLab and tabulated. */
function evenlySpacedRamp(stops: readonly string[]): Ramp {
  const lab = stops.map((stop) => toOklab(parseHex(stop)));
  return tabulated((share) => {
    const position = share * (lab.length - 1);
    const at = Math.min(lab.length - 2, Math.floor(position));
    return between(lab[at], lab[at + 1], position - at);
  });
}

function tabulated(oklab: (share: number) => Triple): Ramp {
  const table = Uint32Array.from({ length: RAMP_STEPS }, (_, i) => packed(fromOklab(oklab(i / (RAMP_STEPS - 1)))));
  return (share) => table[Math.min(RAMP_STEPS - 1, Math.max(0, Math.round(share * (RAMP_STEPS - 1))))];
}

function between(a: Triple, b: Triple, t: number): Triple {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

function packed([r, g, b]: Triple): number {
  return (toByte(r) << 16) | (toByte(g) << 8) | toByte(b);
}

/** '#rrggbb' of a packed colour. */
export function unpackHex(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}

/** Sign and magnitude: share 0 is the most negative, 0.5 is zero, 1 the most positive; lightness is symmetric. */
export function signRamp(theme: Theme): Ramp {
  return theme.name === 'light'
    ? evenlySpacedRamp(['#8A4710', '#CC8A45', '#F0E9E0', '#7F9BE4', '#2747B8'])
    : evenlySpacedRamp(['#FFC890', '#B8772F', '#24262B', '#4479D6', '#B0D0FF']);
}

/** Share of non-zeros, 0 to the largest: from the ground to nearly the text colour, without hue. */
export function densityRamp(theme: Theme): Ramp {
  return evenlySpacedRamp([theme.ground, mix(theme.ground, theme.text, 0.9)]);
}
