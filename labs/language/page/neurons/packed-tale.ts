import type { FiredLayer, FiredToken, FiringRequest } from '../service/types.ts';

/** A text with its firing neurons, as shipped with the page: `labs/language/scripts/record-neurons.ts` writes it. */
export interface PackedTale {
  readonly schema: 1;
  readonly model: string;
  readonly prompt: string;
  readonly seed: number;
  readonly temperature: number;
  /** number of tokens of the whole text; only the first ones are here */
  readonly total: number;
  readonly layers: number;
  /** tokens as text */
  readonly pieces: readonly string[];
  /** in base64, see `unpackFired` */
  readonly fired: string;
}

/**
 * How `labs/language/scripts/pack-fired.ts` packs the firing neurons. For each token and layer: their number, then for
 * each neuron the gap since the neuron before, a sign, and a magnitude. Number and gaps are Rice codes with `gapBits`
 * stored directly and the rest in unary. A magnitude has `valueBits`, in eighths of an octave from 2^min: within 5 %.
 */
export const FIRED_CODE = { gapBits: 5, valueBits: 7, steps: 8, min: -11 } as const;

/** The firing neurons of every token, from their packed form. Throws RangeError if the packed bytes end too early. */
export function unpackFired({ fired, pieces, layers }: Pick<PackedTale, 'fired' | 'pieces' | 'layers'>): FiredToken[] {
  const { gapBits, valueBits, steps, min } = FIRED_CODE;
  const bytes = Uint8Array.from(atob(fired), (c) => c.charCodeAt(0));
  let next = 0;
  const bit = (): number => {
    const byte = next >> 3;
    if (byte >= bytes.length) throw new RangeError(`tale.json: found ${bytes.length} bytes, expected more`);
    return (bytes[byte] >> (7 - (next++ & 7))) & 1;
  };
  const bits = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++) value = (value << 1) | bit();
    return value;
  };
  const rice = (): number => {
    let high = 0;
    while (bit() === 1) high++;
    return (high << gapBits) | bits(gapBits);
  };
  const layerOf = (): FiredLayer => {
    const count = rice();
    const neurons = new Uint16Array(count);
    const values = new Float32Array(count);
    let last = -1;
    for (let i = 0; i < count; i++) {
      last += 1 + rice();
      neurons[i] = last;
      const sign = bit() === 1 ? -1 : 1;
      values[i] = sign * 2 ** (bits(valueBits) / steps + min);
    }
    return { neurons, values };
  };
  return pieces.map((piece) => ({ piece, layers: Array.from({ length: layers }, layerOf) }));
}

/** The shipped beginning of a text, unpacked. */
export interface RecordedTale {
  readonly tokens: readonly FiredToken[];
  /** tokens of the whole text */
  readonly total: number;
}

/** The recorded beginning of the requested text; null if `tale` is another text. */
export function recordedTale(tale: PackedTale, request: FiringRequest): RecordedTale | null {
  const { model, prompt, seed, temperature } = request;
  const isSameText =
    tale.model === model.id && tale.prompt === prompt && tale.seed === seed && tale.temperature === temperature;
  return isSameText ? { tokens: unpackFired(tale), total: tale.total } : null;
}

/** Loads the shipped text from its separate file. Throws TypeError for another version of that file. */
export async function loadTale(): Promise<PackedTale> {
  const { default: tale } = await import('./tale.json');
  if (tale.schema !== 1) throw new TypeError(`tale.json: found schema ${tale.schema}, expected 1`);
  return tale as PackedTale;
}
