import gatedBackwardSource from '../../../../shaders/common/gated_backward.wgsl?raw';
import listedRowsSource from '../../../../shaders/common/listed_rows.wgsl?raw';
import twellGateSource from '../../../../shaders/twell/gate.wgsl?raw';
import twellPackedEntriesSource from '../../../../shaders/twell/packed_entries.wgsl?raw';
import twellPackedRowSource from '../../../../shaders/twell/packed_row.wgsl?raw';
import twellSplitRowSource from '../../../../shaders/twell/split_row.wgsl?raw';
import twellUpDotSource from '../../../../shaders/twell/up_dot.wgsl?raw';
import bf16Source from '../../../core/number/bf16.ts?raw';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import layoutSource from '../layout.ts?raw';
import overflowSource from '../overflow.ts?raw';
import type { TwellParams } from '../params.ts';
import backwardSource from './backward.ts?raw';
import type { TwellStep } from './trace.ts';
import walkSource from './walk.ts?raw';

/** Files of TwELL's kernels. */
const kernels = {
  'common/listed_rows.wgsl': listedRowsSource,
  'twell/gate.wgsl': twellGateSource,
  'twell/packed_entries.wgsl': twellPackedEntriesSource,
  'twell/packed_row.wgsl': twellPackedRowSource,
  'twell/split_row.wgsl': twellSplitRowSource,
  'twell/up_dot.wgsl': twellUpDotSource,
};

const sources = {
  ...kernels,
  'backward.ts': backwardSource,
  // The backward pass has kernels under other formats, all of which share these lines.
  'common/gated_backward.wgsl': gatedBackwardSource,
  'core/number/bf16.ts': bf16Source,
  'encoding.ts': encodingSource,
  'layout.ts': layoutSource,
  'overflow.ts': overflowSource,
  'walk.ts': walkSource,
};

const code = excerptsOf(sources);

/** Those of them that belong to kernels of this format. */
export const quotes = kernelFilesOf(kernels);

/** The lines that the fused kernel of packed words runs for an entry, for its product with x, and for y. */
const WALK = {
  entry: 'twell/packed_entries.wgsl',
  up: 'twell/up_dot.wgsl',
  down: 'common/listed_rows.wgsl',
} as const;

/**
 * The lines that run in a step, separate for the packed and the split layout; null if another format or nothing runs.
 */
export function codeOf(step: TwellStep | null, { layout }: TwellParams): CodeExcerpt | null {
  switch (step?.kind) {
    case undefined:
    case 'ell':
    case 'nothing':
      return code('encoding.ts', 'tile');
    case 'pack':
      return code('encoding.ts', `slot-${layout}`);
    case 'refuse':
      return code('encoding.ts', 'overflow');
    case 'empty':
    case 'tile':
      return code('encoding.ts', 'count');
    case 'word':
      if (step.about === 'word' && layout === 'packed') return code('layout.ts', 'word');
      if (step.about === 'word' || step.about === 'column') return code('encoding.ts', `slot-${layout}`);
      return code('core/number/bf16.ts', 'round');
    case 'overflow':
      if (step.about === 'hybrid') return null;
      return step.about === 'lower' ? code('overflow.ts', 'lower') : code('encoding.ts', 'overflow');
    case 'row':
      return code(layout === 'packed' ? 'twell/packed_row.wgsl' : 'twell/split_row.wgsl', 'product');
    case 'walk':
      return layout === 'packed' ? code(WALK[step.about], step.about) : code('walk.ts', step.about);
    case 'walked':
      return layout === 'packed' ? code(WALK.down, 'down') : code('walk.ts', 'down');
    case 'gate':
      // Only the packed layout has a gate that packs its own tiles.
      return layout === 'packed' ? code('twell/gate.wgsl', step.about) : null;
    case 'backward':
      return step.about === 'column' ? code('backward.ts', 'column') : code('common/gated_backward.wgsl', step.about);
    case 'published':
    case 'route':
    case 'routed':
    case 'transpose':
    case 'skipped':
      return null;
  }
}
