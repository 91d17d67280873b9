export { f16Bits, f16FromF32Bits, f16Table, f16Value } from './f16.ts';
export { allocateFloats, floatAt, type FloatArray, floatsOf, type FloatType, storeFloats } from './stored.ts';
export { i8Of, i8Scale, roundHalfToEven, roundToF16, VALUE_BITS, type ValueType } from './value-type.ts';
