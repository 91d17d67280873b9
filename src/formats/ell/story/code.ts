import { excerpt } from '../../../core/story/code-excerpt.ts';
import type { FloatType } from '../../../core/number/index.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import multiplySource from '../multiply.ts?raw';
import type { EllStep } from './trace.ts';

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

const CODE: Readonly<Record<EllStep['kind'] | 'start', ByType>> = {
  start: encode('count'),
  count: encode('count'),
  allocate: encode('allocate'),
  slot: encode('slot'),
  padding: encode('allocate'),
  packed: encode('slot'),
  round: multiply('product'),
  multiplied: multiply('product'),
};

/** The lines that run in a step. */
export function codeOf(step: EllStep | null, valueType: FloatType): CodeExcerpt {
  return CODE[step?.kind ?? 'start'][valueType];
}
