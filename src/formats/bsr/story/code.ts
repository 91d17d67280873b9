import type { ValueType } from '../../../core/number/index.ts';
import { excerptsOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import multiplySource from '../multiply.ts?raw';
import type { BsrStep } from './trace.ts';

const code = excerptsOf({ 'encode.ts': encodeSource, 'multiply.ts': multiplySource });

/** The lines that run in a step; the product has a loop for each value type. */
export function codeOf(step: BsrStep | null, valueType: ValueType): CodeExcerpt {
  switch (step?.kind) {
    case undefined:
      return code('encode.ts', 'blocks');
    case 'count':
      return code('encode.ts', 'count');
    case 'block':
    case 'zeros':
    case 'packed':
      return code('encode.ts', `cell-${valueType}`);
    case 'product':
      return code('multiply.ts', valueType === 'f16' ? 'product-f16' : 'product');
    case 'sum':
    case 'multiplied':
      return code('multiply.ts', 'sum');
  }
}
