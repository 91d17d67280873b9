import { expect, test } from 'vitest';
import { referenceFormat } from '../../formats/registry.ts';
import { referenceValueType } from './cases.ts';

test('the reference of cells has the value type that an option names, their own, or the default', () => {
  const types = ['i4', 'f16', 'f32', 'i8', 'bf16'].map((valueType) => referenceValueType(referenceFormat, valueType));
  expect(types).toEqual(['f16', 'f16', 'f32', 'i8', 'f16']);
});
