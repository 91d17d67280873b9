import { KernelError } from '../core/errors.ts';
import { bf16Bits, bf16Value, f16Bits, f16Value } from '../core/number/index.ts';

const packedInputs = { f16: new WeakMap<Float32Array, Uint32Array>(), bf16: new WeakMap<Float32Array, Uint32Array>() };

/** A dense input as it is uploaded: f32 unchanged, others packed, once for each input, so that kernels share the upload. */
export function inputData(
  name: string,
  type: 'f32' | 'f16' | 'bf16',
  values: Float32Array,
): Float32Array | Uint32Array {
  if (type === 'f32') return values;
  const known = packedInputs[type];
  let packed = known.get(values);
  if (!packed) {
    packed = type === 'f16' ? packF16(name, values) : packBf16(name, values);
    known.set(values, packed);
  }
  return packed;
}

/**
 * f16 values in pairs, the first in the low half of a u32; an odd last one is followed by 0.
 * Throws KernelError when a value is not exactly an f16: a kernel would silently compute with another.
 */
export function packF16(name: string, values: Float32Array): Uint32Array {
  return packHalves(name, values, 'f16', f16Bits, f16Value);
}

/** Like `packF16`, for bf16. */
export function packBf16(name: string, values: Float32Array): Uint32Array {
  return packHalves(name, values, 'bf16', bf16Bits, bf16Value);
}

function packHalves(
  name: string,
  values: Float32Array,
  type: string,
  bitsOf: (value: number) => number,
  valueOf: (bits: number) => number,
): Uint32Array {
  const packed = new Uint32Array(Math.ceil(values.length / 2));
  for (let i = 0; i < values.length; i++) {
    const bits = bitsOf(values[i]);
    if (!Object.is(valueOf(bits), values[i]) && !Number.isNaN(values[i])) {
      throw new KernelError(`${name}[${i}]: found ${values[i]}, expected a value that ${type} holds exactly`);
    }
    packed[i >> 1] |= bits << (16 * (i & 1));
  }
  return packed;
}
