// Number types of weights and activations: their bits, values and rounding.

export { bf16Bits, bf16FromF32Bits, bf16Table, bf16Value, roundToBf16 } from './bf16.ts';
export { f16Bits, f16FromF32Bits, f16Table, f16Value, f32Bits } from './f16.ts';
export { f8E4m3Value, f8E5m2Value } from './fp8.ts';
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
