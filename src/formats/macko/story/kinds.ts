import type { StepKind, StepName } from '../../../core/story/step-kind.ts';
import { codeOf } from './code.ts';
import type { MackoStep, MackoTrace } from './trace.ts';

/** The kind of a step, by which its frames are chosen. */
export function kindOf(t: MackoTrace, step: MackoStep): StepKind {
  return { ...nameOf(t, step), code: codeOf(step) };
}

function nameOf({ encoded }: MackoTrace, step: MackoStep): StepName {
  switch (step.kind) {
    case 'row-start':
      return { name: 'scale of a row' };
    case 'group-scale':
      return { name: 'scale of a group' };
    case 'pad':
      return { name: 'padding', event: 'padding', cell: { row: step.row, col: step.column } };
    case 'emit':
      return { name: 'weight' };
    case 'row-end':
      return { name: 'row ends', event: 'row end' };
    case 'byte':
      return {
        name: {
          1: 'eight skips, one byte',
          2: 'four skips, one byte',
          4: 'two skips, one byte',
          8: 'one skip, one byte',
        }[encoded.deltaBits],
      };
    case 'word':
      return { name: 'four bytes, one word' };
    case 'starts':
      return { name: 'row starts' };
    case 'align':
      return { name: 'a row in groups of 8' };
    case 'load':
      return { name: 'load entries' };
    case 'sum':
    case 'scan0':
    case 'scan1':
      return { name: 'add up skips' };
    case 'columns':
      return { name: 'columns are known' };
    case 'gather':
      return { name: 'look up x' };
    case 'product':
      return { name: 'multiply' };
    case 'reduce':
      return { name: 'sum of a row', event: 'sum' };
  }
}
