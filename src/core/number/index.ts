// Number types of weights and activations: their bits, values and rounding.

export { f16Bits, f16FromF32Bits, f16Table, f16Value, f32Bits } from './f16.ts';
export {
  bf16Bits,
  bf16FromF32Bits,
  bf16Table,
  bf16Value,
  f8E4m3Value,
  f8E5m2Value,
  roundToBf16,
} from './narrow-floats.ts';
export * from './entry-arrays.ts';
export * from './q4.ts';
export { shortestF32 } from './shortest-f32.ts';
export { floatAt, type FloatArray, floatsOf, type FloatType, storeFloats } from './float-arrays.ts';
export {
  type AnyValueType,
  i8Of,
  i8Scale,
  roundHalfToEven,
  roundToF16,
  VALUE_BITS,
  type ValueType,
} from './value-type.ts';
