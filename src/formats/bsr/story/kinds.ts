import type { StepKind, StepName } from '../../../core/story/step-kind.ts';
import { codeOf } from './code.ts';
import { blockCells, type BsrStep, type BsrTrace } from './trace.ts';

/** The kind of a step, by which its frames are chosen. */
export function kindOf(t: BsrTrace, step: BsrStep): StepKind {
  return { ...nameOf(t, step), code: codeOf(step) };
}

function nameOf(t: BsrTrace, step: BsrStep): StepName {
  switch (step.kind) {
    case 'count':
      return { name: 'blocks are counted' };
    case 'block': {
      const cells = blockCells(t.encoded, step.blockRow, step.block);
      const isFull = cells.every(({ index }) => t.encoded.data[index] !== 0);
      return { name: isFull ? 'full block' : 'block with zeros' };
    }
    case 'zeros':
      return { name: 'zeros are stored', event: 'padding' };
    case 'packed':
      return { name: 'all bytes' };
    case 'product':
      return { name: 'a block meets x' };
    case 'sum':
      return { name: 'sums of its rows', event: 'sum' };
    case 'multiplied':
      return { name: 'y is complete' };
  }
}
