import ecCsrRows1Source from '../../../../shaders/ec-csr/rows_1.wgsl?raw';
import ecCsrRows2Source from '../../../../shaders/ec-csr/rows_2.wgsl?raw';
import ecCsrRows4Source from '../../../../shaders/ec-csr/rows_4.wgsl?raw';
import ecCsrRows8Source from '../../../../shaders/ec-csr/rows_8.wgsl?raw';
import ecCsrSumRowsSource from '../../../../shaders/ec-csr/sum_rows.wgsl?raw';
import { type DeclaredStep, type DeclaredTrace, storesIn } from '../../../story/declared/trace.ts';
import { excerptsOf, kernelFilesOf } from '../../../story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import extractSource from '../extract.ts?raw';
import packSource from '../pack.ts?raw';
import { type EcCsrEncoded, infosOfSets } from '../layout.ts';

const sources = {
  'encoding.ts': encodingSource,
  'extract.ts': extractSource,
  'pack.ts': packSource,
  'ec-csr/rows_1.wgsl': ecCsrRows1Source,
  'ec-csr/rows_2.wgsl': ecCsrRows2Source,
  'ec-csr/rows_4.wgsl': ecCsrRows4Source,
  'ec-csr/rows_8.wgsl': ecCsrRows8Source,
  'ec-csr/sum_rows.wgsl': ecCsrSumRowsSource,
};

/** Lines of a source: `code(FILE, NAME)` are those around the comment `// step: NAME` in it. */
const code = excerptsOf(sources);

/** The files of kernels that the story quotes. */
export const quotes = kernelFilesOf(sources);

/** By the rows of a block: the file with the function that a lane runs. */
const FILE_BY_ROWS: Readonly<Record<number, keyof typeof sources>> = {
  1: 'ec-csr/rows_1.wgsl',
  2: 'ec-csr/rows_2.wgsl',
  4: 'ec-csr/rows_4.wgsl',
  8: 'ec-csr/rows_8.wgsl',
};

/** The code that a step of EC-SpMV’s story runs: lines of the encoder or, from Multiply on, of a kernel. */
export function codeOf(t: DeclaredTrace<EcCsrEncoded>, step: DeclaredStep | null): CodeExcerpt {
  switch (step?.kind) {
    case 'stored':
      return code('encoding.ts', storesIn(t, step, 'values') ? 'value' : 'delta');
    case 'encoded':
      return code('pack.ts', 'order');
    case 'product': {
      // The value that `decode` read for this product determines its set, and the set's granularity determines the kernel.
      const read = t.elementCells.readBefore(step.decodedCell);
      const { arrays } = t.run.encoding;
      const [, valueIndex = 0] = read.find(([array]) => arrays[array].array.name === 'values') ?? [];
      const set = infosOfSets(t.encoded).findLast(({ valuesAt }) => valuesAt <= valueIndex);
      return code(FILE_BY_ROWS[set?.granularity ?? 1], 'gather');
    }
    case 'zeros':
    case 'sum':
    case 'multiplied':
      return code('ec-csr/sum_rows.wgsl', 'row');
    case undefined:
      return code('extract.ts', 'extract');
  }
}
