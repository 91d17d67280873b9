import bf16Source from '../../../core/number/bf16.ts?raw';
import { excerptsOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import layoutSource from '../layout.ts?raw';
import multiplySource from '../multiply.ts?raw';
import overflowSource from '../overflow.ts?raw';
import type { TwellParams } from '../params.ts';
import type { TwellStep } from './trace.ts';
import walkSource from './walk.ts?raw';

const code = excerptsOf({
  'core/number/bf16.ts': bf16Source,
  'encode.ts': encodeSource,
  'layout.ts': layoutSource,
  'multiply.ts': multiplySource,
  'overflow.ts': overflowSource,
  'walk.ts': walkSource,
});

/** The lines that run in a step, which the packed and the split layout have for themselves; null for what another format or nobody runs. */
export function codeOf(step: TwellStep | null, { layout }: TwellParams): CodeExcerpt | null {
  switch (step?.kind) {
    case undefined:
    case 'ell':
    case 'nothing':
      return code('encode.ts', `tile-${layout}`);
    case 'pack':
      return code('encode.ts', `slot-${layout}`);
    case 'refuse':
      return code('encode.ts', `overflow-${layout}`);
    case 'empty':
    case 'tile':
      return code('encode.ts', `count-${layout}`);
    case 'word':
      if (step.about === 'word' && layout === 'packed') return code('layout.ts', 'word');
      if (step.about === 'word' || step.about === 'column') return code('encode.ts', `slot-${layout}`);
      return code('core/number/bf16.ts', 'round');
    case 'overflow':
      if (step.about === 'hybrid') return null;
      return step.about === 'lower' ? code('overflow.ts', 'lower') : code('encode.ts', `overflow-${layout}`);
    case 'row':
      return code('multiply.ts', `product-${layout}`);
    case 'walk':
      return code('walk.ts', step.about);
    case 'walked':
      return code('walk.ts', 'down');
    case 'published':
    case 'route':
    case 'routed':
    case 'transpose':
    case 'gate':
    case 'backward':
    case 'skipped':
      return null;
  }
}
