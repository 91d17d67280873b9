import { excerpt } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import type { ValueType } from '../../../core/number/index.ts';
import encodeSource from '../encode.ts?raw';
import multiplySource from '../multiply.ts?raw';
import type { BsrStep } from './trace.ts';

const CELL: Readonly<Record<ValueType, CodeExcerpt>> = {
  f16: excerpt('encode.ts', encodeSource, 'cell-f16'),
  f32: excerpt('encode.ts', encodeSource, 'cell-f32'),
  i8: excerpt('encode.ts', encodeSource, 'cell-i8'),
};
const PRODUCT_F16 = excerpt('multiply.ts', multiplySource, 'product-f16');
const PRODUCT = excerpt('multiply.ts', multiplySource, 'product');
const SUM = excerpt('multiply.ts', multiplySource, 'sum');
const COUNT = excerpt('encode.ts', encodeSource, 'count');
const BLOCKS = excerpt('encode.ts', encodeSource, 'blocks');

/** The lines that run in a step. */
export function codeOf(step: BsrStep | null, valueType: ValueType): CodeExcerpt {
  switch (step?.kind) {
    case undefined:
      return BLOCKS;
    case 'count':
      return COUNT;
    case 'block':
    case 'zeros':
    case 'packed':
      return CELL[valueType];
    case 'product':
      return valueType === 'f16' ? PRODUCT_F16 : PRODUCT;
    case 'sum':
    case 'multiplied':
      return SUM;
  }
}
