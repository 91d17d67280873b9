import type { FloatType } from '../../../core/number/index.ts';
import { excerptsOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import multiplySource from '../multiply.ts?raw';
import type { BitmaskStep } from './trace.ts';

const code = excerptsOf({ 'encode.ts': encodeSource, 'multiply.ts': multiplySource });

/** The lines that run in a step; the product has a loop for each value type. */
export function codeOf(step: BitmaskStep | null, valueType: FloatType): CodeExcerpt {
  switch (step?.kind) {
    case undefined:
      return code('encode.ts', 'start');
    case 'bit':
      return code('encode.ts', 'bit');
    case 'row-end':
    case 'packed':
      return code('encode.ts', 'row-end');
    case 'word':
      return code('multiply.ts', `next-${valueType}`);
    case 'product':
      return code('multiply.ts', `product-${valueType}`);
    case 'sum':
    case 'multiplied':
      return code('multiply.ts', `sum-${valueType}`);
  }
}
