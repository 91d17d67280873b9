import { excerptsOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import encodeI4Source from '../encode-i4.ts?raw';
import multiplySource from '../multiply.ts?raw';
import quantiseSource from '../../../core/number/q4.ts?raw';
import type { DenseValueType } from '../params.ts';
import type { DenseStep } from './trace.ts';

const code = excerptsOf({
  'encode.ts': encodeSource,
  'encode-i4.ts': encodeI4Source,
  'multiply.ts': multiplySource,
  'q4.ts': quantiseSource,
});

/** The lines that run in a step; the product has a loop for each value type. */
export function codeOf(step: DenseStep | null, valueType: DenseValueType): CodeExcerpt {
  const isI4 = valueType === 'i4';
  switch (step?.kind) {
    case undefined:
      return isI4 ? code('encode-i4.ts', 'allocate-i4') : code('encode.ts', 'allocate');
    case 'scale':
      return code('encode.ts', 'scale');
    case 'group-scale':
      return code('q4.ts', 'group-scale');
    case 'store':
      return isI4 ? code('q4.ts', 'halves') : code('encode.ts', `store-${valueType}`);
    case 'packed':
      return isI4 ? code('encode-i4.ts', 'store-i4') : code('encode.ts', `store-${valueType}`);
    case 'products':
      return code('multiply.ts', `product-${valueType}`);
    case 'sum':
    case 'multiplied':
      return code('multiply.ts', `sum-${valueType}`);
  }
}
