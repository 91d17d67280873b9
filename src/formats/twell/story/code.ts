import { excerpt } from '../../../core/story/code-excerpt.ts';
import bf16Source from '../../../core/number/bf16.ts?raw';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import layoutSource from '../layout.ts?raw';
import multiplySource from '../multiply.ts?raw';
import overflowSource from '../overflow.ts?raw';
import type { TwellParams } from '../params.ts';
import type { TwellStep } from './trace.ts';
import walkSource from './walk.ts?raw';

type ByLayout = Readonly<Record<TwellParams['layout'], CodeExcerpt>>;

/** The packed and the split layout have a loop each. */
function byLayout(file: string, source: string, marker: string): ByLayout {
  return {
    packed: excerpt(file, source, `${marker}-packed`),
    split: excerpt(file, source, `${marker}-split`),
  };
}

const TILE = byLayout('encode.ts', encodeSource, 'tile');
const SLOT = byLayout('encode.ts', encodeSource, 'slot');
const COUNT = byLayout('encode.ts', encodeSource, 'count');
const OVERFLOW = byLayout('encode.ts', encodeSource, 'overflow');
const PRODUCT = byLayout('multiply.ts', multiplySource, 'product');
const ROUND = excerpt('core/number/bf16.ts', bf16Source, 'round');
const WORD = excerpt('layout.ts', layoutSource, 'word');
const LOWER = excerpt('overflow.ts', overflowSource, 'lower');
const WALK = {
  entry: excerpt('walk.ts', walkSource, 'entry'),
  up: excerpt('walk.ts', walkSource, 'up'),
  down: excerpt('walk.ts', walkSource, 'down'),
};

/** The lines that run in a step; null for what another format or nobody runs. */
export function codeOf(step: TwellStep | null, { layout }: TwellParams): CodeExcerpt | null {
  switch (step?.kind) {
    case undefined:
    case 'ell':
    case 'nothing':
      return TILE[layout];
    case 'pack':
      return SLOT[layout];
    case 'refuse':
      return OVERFLOW[layout];
    case 'empty':
    case 'tile':
      return COUNT[layout];
    case 'word':
      if (step.about === 'word') return layout === 'packed' ? WORD : SLOT.split;
      return step.about === 'column' ? SLOT[layout] : ROUND;
    case 'overflow':
      return step.about === 'lower' ? LOWER : step.about === 'hybrid' ? null : OVERFLOW[layout];
    case 'row':
      return PRODUCT[layout];
    case 'walk':
      return WALK[step.about];
    case 'walked':
      return WALK.down;
    case 'published':
    case 'route':
    case 'routed':
    case 'transpose':
    case 'skipped':
      return null;
  }
}
