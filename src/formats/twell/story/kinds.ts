import type { StepKind, StepName } from '../../../core/story/step-kind.ts';
import { countAt } from '../layout.ts';
import { capacityOf } from '../params.ts';
import { codeOf } from './code.ts';
import type { TwellStep, TwellTrace } from './trace.ts';

/** The kind of a step, by which its frames are chosen. */
export function kindOf(t: TwellTrace, step: TwellStep): StepKind {
  return { ...nameOf(t, step), code: codeOf(step, t.params) };
}

function nameOf(t: TwellTrace, step: TwellStep): StepName {
  switch (step.kind) {
    case 'ell':
      return {
        name: { row: 'rows wait for rows', width: 'the longest row decides', passes: 'two passes' }[step.about],
      };
    case 'gate':
      return { name: { product: 'gate product', relu: 'ReLU', epilogue: 'packed on the spot' }[step.about] };
    case 'pack': {
      const isFull = countAt(t.encoded, step.row * t.encoded.tiles + step.tile) === capacityOf(t.params);
      return isFull ? { name: 'full tile', event: 'differs' } : { name: 'packed tile' };
    }
    case 'empty':
      return { name: 'empty tile' };
    case 'refuse':
      return { name: 'tile overflows', event: 'refusal' };
    case 'tile':
      return { name: 'all tokens of a tile', event: 'row end' };
    case 'nothing':
      return { name: 'nothing to do' };
    case 'word':
      return { name: { value: 'the value', round: 'rounded', column: 'its column', word: 'one word' }[step.about] };
    case 'overflow':
      return OVERFLOW[step.about];
    case 'published':
      return { name: step.beyond === 'wraps' ? 'if the kernel wraps' : 'if the kernel goes on' };
    case 'row':
      return { name: 'sum of a token', event: 'sum' };
    case 'walk':
      return { name: { entry: 'read a word', up: 'up: a dot product', down: 'down: add a row' }[step.about] };
    case 'walked':
      return { name: 'the token is complete', event: 'sum' };
    case 'route':
      return t.routing.tail.includes(step.row)
        ? { name: 'token to the tail', event: 'overflow' }
        : { name: 'compact token' };
    case 'routed':
      return { name: 'two kernels' };
    case 'transpose':
      return { name: step.about === 'count' ? 'tokens of each neuron' : 'the transpose' };
    case 'backward':
      return { name: { dh: 'gradient of h', both: 'both gradients', column: 'gradient of a neuron' }[step.about] };
    case 'skipped':
      return { name: { adds: 'work left out', bytes: 'bytes left out', limit: 'the limit' }[step.about] };
  }
}

const OVERFLOW: Readonly<Record<Extract<TwellStep, { kind: 'overflow' }>['about'], StepName>> = {
  fullest: { name: 'the fullest tile' },
  hot: { name: 'a hot token', event: 'overflow' },
  lower: { name: 'lower compression' },
  hybrid: { name: 'dense tail' },
};
