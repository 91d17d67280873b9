import { excerptsOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import extractSource from '../extract.ts?raw';
import matchingSource from '../matching.ts?raw';
import multiplySource from '../multiply.ts?raw';
import packSource from '../pack.ts?raw';
import type { BarsStage, EcCsrStep, EcCsrTrace } from './trace.ts';

const code = excerptsOf({
  'encode.ts': encodeSource,
  'extract.ts': extractSource,
  'matching.ts': matchingSource,
  'multiply.ts': multiplySource,
  'pack.ts': packSource,
});

/** The lines that run in a step. */
export function codeOf(t: EcCsrTrace, step: EcCsrStep | null): CodeExcerpt {
  switch (step?.kind) {
    case undefined:
    case 'overlaps':
    case 'round':
    case 'match':
      return code('matching.ts', 'match');
    case 'extract':
      return code('extract.ts', 'extract');
    case 'level-ends':
      return code('extract.ts', 'level');
    case 'bars':
      return code('pack.ts', barsMarker(t, step.stage));
    case 'lanes':
      return code('encode.ts', 'base');
    case 'memory':
      return code('encode.ts', 'delta');
    case 'sets':
      return code('encode.ts', 'value');
    default:
      return code('multiply.ts', 'gather');
  }
}

/** The line of pack.ts that a stage of the bars is about. */
function barsMarker({ sets }: EcCsrTrace, stage: BarsStage): string {
  if (stage === 'ordered') return 'order';
  return stage === 'clipped' && sets.some(({ part }) => part === 'short') ? 'remainder' : 'clip';
}
