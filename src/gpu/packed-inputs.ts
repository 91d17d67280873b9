import { KernelError } from '../core/errors.ts';
import { bf16Bits, bf16Value, f16Bits, f16Value } from '../core/number/index.ts';

/** Conversions of 16-bit types: from a value to its bits, and back. */
const CONVERSIONS = { f16: [f16Bits, f16Value], bf16: [bf16Bits, bf16Value] } as const;

const packedInputs = { f16: new WeakMap<Float32Array, Uint32Array>(), bf16: new WeakMap<Float32Array, Uint32Array>() };

/**
 * The data to upload for a dense input: f32 unchanged, f16 and bf16 packed in pairs. An input is packed once for all
 * kernels that have it.
 */
export function inputData(
  name: string,
  type: 'f32' | 'f16' | 'bf16',
  values: Float32Array,
): Float32Array | Uint32Array {
  if (type === 'f32') return values;
  const packed = packedInputs[type].get(values) ?? packHalves(name, values, type);
  packedInputs[type].set(values, packed);
  return packed;
}

/** Values as pairs of 16 bits, the first in the low half of a u32. Throws KernelError for one that is not exact. */
export function packHalves(name: string, values: Float32Array, type: 'f16' | 'bf16'): Uint32Array {
  const [bitsOf, valueOf] = CONVERSIONS[type];
  const packed = new Uint32Array(Math.ceil(values.length / 2));
  for (let i = 0; i < values.length; i++) {
    const bits = bitsOf(values[i]);
    if (!Object.is(valueOf(bits), values[i]) && !Number.isNaN(values[i])) {
      throw new KernelError(`${name}[${i}]: found ${values[i]}, expected a value that ${type} represents exactly`);
    }
    packed[i >> 1] |= bits << (16 * (i & 1));
  }
  return packed;
}
