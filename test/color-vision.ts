// Simulates colour blindness, and measures how different two colours appear.

import { formatHex, parseHex, toOklab } from '../src/render/color.ts';
import dichromacy from './dichromacy.json';

/** The kinds of colour vision for which palettes are tested. */
export const VISIONS = ['normal', 'protan', 'deutan', 'tritan'] as const;
type Vision = (typeof VISIONS)[number];

/**
 * Matrices that simulate full dichromacy in linear RGB, row-major.
 * Source: Machado, Oliveira, Fernandes 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency", severity 1.
 */
const DICHROMACY: Readonly<Record<Exclude<Vision, 'normal'>, readonly (readonly number[])[]>> = dichromacy;

/** A colour as seen with the given kind of vision. */
export function simulate(hex: string, vision: Vision): string {
  if (vision === 'normal') return hex;
  const rgb = parseHex(hex);
  const [r, g, b] = DICHROMACY[vision].map((row) => row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2]);
  return formatHex([r, g, b]);
}

/** Euclidean distance in OKLab times 100, as seen with the given kind of vision. */
export function distance(a: string, b: string, vision: Vision = 'normal'): number {
  const p = toOklab(parseHex(simulate(a, vision)));
  const q = toOklab(parseHex(simulate(b, vision)));
  return 100 * Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}
