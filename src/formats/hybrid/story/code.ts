import { excerptsOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import { NONE } from '../layout.ts';
import multiplySource from '../multiply.ts?raw';
import type { HybridStep, HybridTrace } from './trace.ts';

const code = excerptsOf({ 'encode.ts': encodeSource, 'multiply.ts': multiplySource });

/** The lines that run in a step. */
export function codeOf({ encoded: { tailMap } }: HybridTrace, step: HybridStep | null): CodeExcerpt {
  switch (step?.kind) {
    case undefined:
    case 'room':
      return code('encode.ts', 'room');
    case 'route':
      return code('encode.ts', tailMap[step.row] === NONE ? 'slot' : 'tail');
    case 'stored':
      return code('encode.ts', 'count');
    case 'row':
      return code('multiply.ts', tailMap[step.row] === NONE ? 'product-slots' : 'product-tail');
    case 'multiplied':
      return code('multiply.ts', 'product-slots');
  }
}
