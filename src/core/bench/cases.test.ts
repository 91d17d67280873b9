import { expect, test } from 'vitest';
import { referenceFormat } from '../../formats/registry.ts';
import { referenceValueType } from './cases.ts';

test('the dense reference of a value type has the same type, else the one that its option names, else the default', () => {
  const types = ['i4', 'f16', 'f32', 'i8', 'bf16'].map((valueType) => referenceValueType(referenceFormat, valueType));
  expect(types).toEqual(['f16', 'f16', 'f32', 'i8', 'f16']);
});
