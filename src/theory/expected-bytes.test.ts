import { expect, it } from 'vitest';
import { BYTE_CLASSES } from '../core/encoded/ledger.ts';
import { defaultParams, type ParamField } from '../core/format.ts';
import { type AnyValueType, VALUE_BITS } from '../core/number/index.ts';
import { formats } from '../formats/registry.ts';
import { generate } from '../generate/generate.ts';
import { expectedBytes, expectedBytesByClass } from './expected-bytes.ts';

it('bytes in closed form equal the bytes of generated matrices within 3 %, for every format with a closed form', () => {
  // In a smaller matrix the longest row, which pads all others, deviates too much from its expectation.
  const shape = { rows: 256, cols: 2048 };
  let comparedCount = 0;
  for (const density of [0.1, 0.3, 0.5]) {
    const matrix = generate({ pattern: 'uniform', ...shape, density, seed: 7 });
    for (const format of formats) {
      const params: Readonly<Record<string, unknown>> = defaultParams(format.params);
      const expected = expectedBytes({ format, params }, density, shape);
      if (expected === null || !format.admits(matrix, params).ok) continue;
      const { totalBytes } = format.storage(format.encode(matrix, params));
      const relativeError = Math.abs(totalBytes - expected) / expected;
      expect(relativeError, `${format.id} at ${density}`).toBeLessThanOrEqual(0.03);
      comparedCount++;
    }
  }
  expect(comparedCount).toBeGreaterThanOrEqual(12);
});

it.each(
  formats
    .filter((format) => format.expectedEffectiveDensity && format.group !== 'activations')
    .flatMap((format) => [0.5, 0.25].map((density) => [`${format.id} at ${density}`, format, density] as const)),
)('bytes by purpose in closed form equal those of an encoding within 3 % of its bytes: %s', (_, format, density) => {
  const shape = { rows: 256, cols: 2048 };
  const pattern = format.requiredPruning ? { pattern: 'n-of-m', options: { m: 4 } } : { pattern: 'uniform' };
  const matrix = generate({ ...shape, ...pattern, density, seed: 3 });
  const field: ParamField<AnyValueType> = format.params.valueType;
  for (const { value: valueType } of field.kind === 'choice' ? field.options : []) {
    const params = { ...defaultParams<object>(format.params), valueType };
    const { totalBits, totalBytes } = format.storage(format.encode(matrix, params));
    const expected = expectedBytesByClass({ format, params }, density, shape);
    if (!expected) throw new Error('no closed form');
    // If a format stores every cell, its ledger counts the zeros as values, the closed form as padding.
    const zeroBits = Math.max(0, totalBits.values - matrix.nnz * VALUE_BITS[valueType]);
    const bits = { ...totalBits, values: totalBits.values - zeroBits, padding: totalBits.padding + zeroBits };
    for (const byteClass of BYTE_CLASSES) {
      const relativeError = Math.abs(expected[byteClass] - bits[byteClass] / 8) / totalBytes;
      expect(relativeError, `${valueType} ${byteClass}`).toBeLessThan(0.03);
    }
  }
});
