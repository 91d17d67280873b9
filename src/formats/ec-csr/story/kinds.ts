import type { StepKind, StepName } from '../../../core/story/step-kind.ts';
import { codeOf } from './code.ts';
import type { EcCsrStep, EcCsrTrace } from './trace.ts';

/** The kind of a step, by which its frames are chosen. */
export function kindOf(t: EcCsrTrace, step: EcCsrStep): StepKind {
  return { ...nameOf(t, step), code: codeOf(t, step) };
}

function nameOf(t: EcCsrTrace, step: EcCsrStep): StepName {
  switch (step.kind) {
    case 'overlaps':
      return { name: step.level === 0 ? 'count shared columns' : `blocks of ${2 ** step.level} compared` };
    case 'round':
      return { name: 'next round' };
    case 'match':
      return { name: 'pair' };
    case 'extract':
      return { name: 'shared block', event: 'differs' };
    case 'level-ends':
      return { name: 'no more blocks' };
    case 'bars':
      return BARS[step.stage];
    case 'lanes': {
      const isFilled = t.sets[step.set].blocks[step.block].real.includes(0);
      return isFilled ? { name: 'lanes are filled up', event: 'padding' } : { name: 'columns go to lanes' };
    }
    case 'memory':
      return { name: `${rowsOf(t, step.set)} in memory` };
    case 'sets':
      return { name: 'table of sets' };
    case 'gather':
      return { name: `one x for ${rowsOf(t, step.set)}` };
    case 'partials':
      return { name: 'lanes add up' };
    case 'row':
      return { name: 'sum of a row', event: 'sum' };
  }
}

const BARS: Readonly<Record<Extract<EcCsrStep, { kind: 'bars' }>['stage'], StepName>> = {
  found: { name: 'blocks as found' },
  clipped: { name: 'long blocks are cut', event: 'clip' },
  ordered: { name: 'longest first' },
};

function rowsOf({ sets }: EcCsrTrace, set: number): string {
  const { granularity } = sets[set];
  return granularity === 1 ? 'one row' : `${granularity} rows`;
}
