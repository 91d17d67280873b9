import type { ValueType } from '../../../core/number/index.ts';
import { excerptsOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import multiplySource from '../multiply.ts?raw';
import type { DenseStep } from './trace.ts';

const code = excerptsOf({ 'encode.ts': encodeSource, 'multiply.ts': multiplySource });

/** The lines that run in a step; the product has a loop for each value type. */
export function codeOf(step: DenseStep | null, valueType: ValueType): CodeExcerpt {
  switch (step?.kind) {
    case undefined:
      return code('encode.ts', 'allocate');
    case 'scale':
      return code('encode.ts', 'scale');
    case 'store':
    case 'packed':
      return code('encode.ts', `store-${valueType}`);
    case 'products':
      return code('multiply.ts', `product-${valueType}`);
    case 'sum':
    case 'multiplied':
      return code('multiply.ts', `sum-${valueType}`);
  }
}
