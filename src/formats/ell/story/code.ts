import type { FloatType } from '../../../core/number/index.ts';
import { excerptsOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import multiplySource from '../multiply.ts?raw';
import type { EllStep } from './trace.ts';

const code = excerptsOf({ 'encode.ts': encodeSource, 'multiply.ts': multiplySource });

/** The lines that run in a step; the product has a loop for each value type. */
export function codeOf(step: EllStep | null, valueType: FloatType): CodeExcerpt {
  switch (step?.kind) {
    case undefined:
    case 'count':
      return code('encode.ts', 'count');
    case 'allocate':
    case 'padding':
      return code('encode.ts', 'allocate');
    case 'slot':
    case 'packed':
      return code('encode.ts', 'slot');
    case 'round':
    case 'multiplied':
      return code('multiply.ts', `product-${valueType}`);
  }
}
