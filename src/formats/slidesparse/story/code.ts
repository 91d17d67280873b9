import slidesparseRowPairSource from '../../../../shaders/slidesparse/row_pair.wgsl?raw';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import groupTableSource from '../group-table.ts?raw';
import quantiseSource from '../../../core/number/quantise.ts?raw';
import liftSource from './lift.ts?raw';
import pruneSource from '../../../core/matrix/prune-pattern.ts?raw';
import slideSource from '../slide.ts?raw';
import theorySource from '../../../theory/sliding-windows.ts?raw';
import { firstWindow, type SlideSparseStep, type SlideSparseTrace } from './trace.ts';

const sources = {
  'core/matrix/prune-pattern.ts': pruneSource,
  'core/number/quantise.ts': quantiseSource,
  'encode.ts': encodeSource,
  'group-table.ts': groupTableSource,
  'lift.ts': liftSource,
  'slide.ts': slideSource,
  'theory/sliding-windows.ts': theorySource,
  'slidesparse/row_pair.wgsl': slidesparseRowPairSource,
};

const code = excerptsOf(sources);

/** Those of them that belong to kernels. */
export const quotes = kernelFilesOf(sources);

/** The lines that run in a step; null if none does. */
export function codeOf(t: SlideSparseTrace, step: SlideSparseStep | null): CodeExcerpt | null {
  switch (step?.kind) {
    case undefined:
    case 'fits':
    case 'prune':
      return code('core/matrix/prune-pattern.ts', 'prune');
    case 'slide':
      return code('slide.ts', 'take');
    case 'compress': {
      const group = t.groups[step.group];
      const now = step.window - firstWindow(group, t.params);
      const count = group.windowOf.filter((w) => w === now).length;
      return code('group-table.ts', count === 2 ? 'compress' : count === 1 ? 'single' : 'metadata');
    }
    case 'scale':
      return code('encode.ts', 'scale');
    case 'fill':
      return code('encode.ts', 'empty');
    case 'absmax':
      return code('core/number/quantise.ts', 'scale');
    case 'quantise':
      return code('core/number/quantise.ts', 'round');
    case 'in-place':
      return code('lift.ts', 'lift');
    case 'lift':
      return code('lift.ts', 'pack');
    case 'multiply':
      return code('slidesparse/row_pair.wgsl', 'product');
    case 'sum':
      return code('slidesparse/row_pair.wgsl', 'sum');
    case 'theorem':
      return code('theory/sliding-windows.ts', 'hall');
    default:
      return null;
  }
}
