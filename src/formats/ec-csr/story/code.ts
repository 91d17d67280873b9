import ecCsrSumsSource from '../../../../shaders/ec-csr/sums.wgsl?raw';
import ecCsrRows1Source from '../../../../shaders/ec-csr/rows_1.wgsl?raw';
import ecCsrRows2Source from '../../../../shaders/ec-csr/rows_2.wgsl?raw';
import ecCsrRows4Source from '../../../../shaders/ec-csr/rows_4.wgsl?raw';
import ecCsrRows8Source from '../../../../shaders/ec-csr/rows_8.wgsl?raw';
import ecCsrSumRowsSource from '../../../../shaders/ec-csr/sum_rows.wgsl?raw';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import extractSource from '../extract.ts?raw';
import matchingSource from '../matching.ts?raw';
import packSource from '../pack.ts?raw';
import type { BarsStage, EcCsrStep, EcCsrTrace } from './trace.ts';

const sources = {
  'encoding.ts': encodingSource,
  'extract.ts': extractSource,
  'matching.ts': matchingSource,
  'pack.ts': packSource,
  'ec-csr/sums.wgsl': ecCsrSumsSource,
  'ec-csr/rows_1.wgsl': ecCsrRows1Source,
  'ec-csr/rows_2.wgsl': ecCsrRows2Source,
  'ec-csr/rows_4.wgsl': ecCsrRows4Source,
  'ec-csr/rows_8.wgsl': ecCsrRows8Source,
  'ec-csr/sum_rows.wgsl': ecCsrSumRowsSource,
};

const code = excerptsOf(sources);

/** Those of them that belong to kernels. */
export const quotes = kernelFilesOf(sources);

/** The function of a lane for blocks of each number of rows. */
const ROWS: Readonly<Record<number, keyof typeof sources>> = {
  1: 'ec-csr/rows_1.wgsl',
  2: 'ec-csr/rows_2.wgsl',
  4: 'ec-csr/rows_4.wgsl',
  8: 'ec-csr/rows_8.wgsl',
};

/** The lines of the encoder or, from Multiply on, of the kernel that run in a step. */
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
      return code('encoding.ts', 'base');
    case 'memory':
      return code('encoding.ts', 'delta');
    case 'sets':
      return code('encoding.ts', 'value');
    case 'gather':
      return code(ROWS[t.infos[step.set].granularity], 'gather');
    case 'partials':
      return code('ec-csr/sums.wgsl', 'partials');
    case 'row':
      return code('ec-csr/sum_rows.wgsl', 'row');
  }
}

/** The line of pack.ts for a step of the bars. */
function barsMarker({ sets }: EcCsrTrace, stage: BarsStage): string {
  if (stage === 'ordered') return 'order';
  return stage === 'clipped' && sets.some(({ part }) => part === 'short') ? 'remainder' : 'clip';
}
