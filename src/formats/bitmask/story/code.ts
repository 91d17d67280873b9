import { excerpt } from '../../../core/story/code-excerpt.ts';
import type { FloatType } from '../../../core/number/index.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import multiplySource from '../multiply.ts?raw';
import type { BitmaskStep } from './trace.ts';

type ByType = Readonly<Record<FloatType, CodeExcerpt>>;

function encode(marker: string): ByType {
  const code = excerpt('encode.ts', encodeSource, marker);
  return { f16: code, f32: code };
}

/** The product has a loop for each value type. */
function multiply(marker: string): ByType {
  return {
    f16: excerpt('multiply.ts', multiplySource, `${marker}-f16`),
    f32: excerpt('multiply.ts', multiplySource, `${marker}-f32`),
  };
}

const CODE: Readonly<Record<BitmaskStep['kind'] | 'start', ByType>> = {
  start: encode('start'),
  bit: encode('bit'),
  'row-end': encode('row-end'),
  packed: encode('row-end'),
  word: multiply('next'),
  product: multiply('product'),
  sum: multiply('sum'),
  multiplied: multiply('sum'),
};

/** The lines that run in a step. */
export function codeOf(step: BitmaskStep | null, valueType: FloatType): CodeExcerpt {
  return CODE[step?.kind ?? 'start'][valueType];
}
