import { exp, ln } from './elementary.ts';

/**
 * Standard normal numbers by the ziggurat of Marsaglia and Tsang (2000), with separate bits for layer and position
 * as Doornik (2005) asks for. 256 layers of equal area; layer i reaches from 0 to EDGE[i].
 */
const LAYERS = 256;
/** where the tail begins */
const TAIL = 3.6541528853610088;
/** area of each layer; the lowest one counts its tail */
const AREA = 0.00492867323399;

const EDGE = new Float64Array(LAYERS + 1);
const DENSITY = new Float64Array(LAYERS + 1);

EDGE[0] = AREA / unscaledDensity(TAIL);
EDGE[1] = TAIL;
for (let i = 1; i < LAYERS - 1; i++) EDGE[i + 1] = Math.sqrt(-2 * ln(AREA / EDGE[i] + unscaledDensity(EDGE[i])));
EDGE[LAYERS] = 0;
for (let i = 0; i <= LAYERS; i++) DENSITY[i] = unscaledDensity(EDGE[i]);

function unscaledDensity(x: number): number {
  return exp(-0.5 * x * x);
}

/**
 * A standard normal number from the random word `first` and, in one case of a hundred, from further words.
 * Never 0: 8 bits choose the layer, 1 the sign, and 23 an odd multiple of 2^-24 of the layer's width.
 */
export function ziggurat(first: number, next: () => number): number {
  let word = first;
  for (;;) {
    const layer = word & 255;
    // without a branch: it would be mispredicted every other time
    const sign = 1 - ((word >>> 7) & 2);
    const x = ((word >>> 9) * 2 + 1) * 2 ** -24 * EDGE[layer];
    if (x < EDGE[layer + 1]) return sign * x;
    if (layer === 0) return sign * tail(next);
    const height = DENSITY[layer] + (next() / 2 ** 32) * (DENSITY[layer + 1] - DENSITY[layer]);
    if (height < unscaledDensity(x)) return sign * x;
    word = next();
  }
}

/** A normal number beyond TAIL, by Marsaglia's exponential rejection. */
function tail(next: () => number): number {
  for (;;) {
    const x = -ln((next() + 1) / 2 ** 32) / TAIL;
    const y = -ln((next() + 1) / 2 ** 32);
    if (2 * y > x * x) return TAIL + x;
  }
}
