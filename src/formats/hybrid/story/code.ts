import { excerpt } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import { NONE } from '../layout.ts';
import multiplySource from '../multiply.ts?raw';
import type { HybridStep, HybridTrace } from './trace.ts';

const encode = (marker: string): CodeExcerpt => excerpt('encode.ts', encodeSource, marker);
const multiply = (marker: string): CodeExcerpt => excerpt('multiply.ts', multiplySource, marker);

const ROOM = encode('room');
const COUNT = encode('count');
const SLOT = encode('slot');
const TAIL = encode('tail');
const OF_SLOTS = multiply('product-slots');
const OF_TAIL = multiply('product-tail');

/** The lines that run in a step. */
export function codeOf({ encoded: { tailMap } }: HybridTrace, step: HybridStep | null): CodeExcerpt {
  switch (step?.kind) {
    case undefined:
    case 'room':
      return ROOM;
    case 'route':
      return tailMap[step.row] === NONE ? SLOT : TAIL;
    case 'stored':
      return COUNT;
    case 'row':
      return tailMap[step.row] === NONE ? OF_SLOTS : OF_TAIL;
    case 'multiplied':
      return OF_SLOTS;
  }
}
