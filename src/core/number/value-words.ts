/** Other words by which people look for a type of values. */
export const VALUE_WORDS: Readonly<Record<string, string>> = {
  f16: 'half, fp16, float16',
  f32: 'single, fp32, float32',
  bf16: 'bfloat16',
  i8: 'int8, 8-bit, 8 bits, quantised, quantized, quantization',
  i4: 'int4, 4-bit, 4 bits, quantised, quantized, quantization',
};
