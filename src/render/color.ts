/* Colour arithmetic that the themes and the renderers share: sRGB, OKLab, WCAG contrast. */

/** Three components of a colour, in the space that each function names. */
export type Triple = readonly [number, number, number];

/** '#RRGGBB' as linear RGB in 0 .. 1. Throws RangeError for anything else. */
export function parseHex(hex: string): Triple {
  if (!/^#[0-9a-f]{6}$/i.test(hex)) throw new RangeError(`colour: found '${hex}', expected '#RRGGBB'`);
  const channel = (at: number): number => toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return [channel(1), channel(3), channel(5)];
}

/** Linear RGB as '#RRGGBB'; components outside 0 .. 1 are clamped. */
export function formatHex(linear: Triple): string {
  return `#${linear.map((c) => toByte(c).toString(16).padStart(2, '0')).join('')}`;
}

/** One linear component as an sRGB byte. */
export function toByte(linear: number): number {
  const c = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
}

function toLinear(srgb: number): number {
  return srgb <= 0.04045 ? srgb / 12.92 : ((srgb + 0.055) / 1.055) ** 2.4;
}

/**
 * Linear RGB as OKLab: lightness 0 .. 1, green-red, blue-yellow. Source: Ottosson 2020, "A perceptual color space for image
 * processing".
 */
export function toOklab([r, g, b]: Triple): Triple {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** The inverse of `toOklab`. Components may be outside 0 .. 1. */
export function fromOklab([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** Mixes two colours in OKLab: `from` at t = 0, `to` at t = 1. */
export function mix(from: string, to: string, t: number): string {
  return formatHex(fromOklab(interpolate(toOklab(parseHex(from)), toOklab(parseHex(to)), t)));
}

/** Interpolates linearly between `a` (t = 0) and `b` (t = 1). */
export function interpolate(a: Triple, b: Triple, t: number): Triple {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

/** Contrast ratio, 1 to 21. Source: WCAG 2.2, definition of contrast ratio. */
export function contrast(a: string, b: string): number {
  const [lower, higher] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (higher + 0.05) / (lower + 0.05);
}

function luminance(hex: string): number {
  const [r, g, b] = parseHex(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** `color` made lighter or darker until it is readable on `ground`: its contrast is at least `min`. */
export function readable(color: string, ground: string, min = 4.5): string {
  let [lightness, a, b] = toOklab(parseHex(color));
  const step = toOklab(parseHex(ground))[0] > 0.5 ? -0.01 : 0.01;
  let candidate = color;
  while (contrast(candidate, ground) < min && (step > 0 ? lightness < 1 : lightness > 0)) {
    lightness += step;
    candidate = formatHex(fromOklab([lightness, a, b]));
  }
  return candidate;
}
