import { MatrixError } from '../core/errors.ts';
import type { Pattern, PatternInfo } from './pattern.ts';
import { activations } from './patterns/activations.ts';
import { banded } from './patterns/banded.ts';
import { blocks } from './patterns/blocks.ts';
import { magnitude } from './patterns/magnitude.ts';
import { nOfM } from './patterns/n-of-m.ts';
import { outlierColumns } from './patterns/outlier-columns.ts';
import { plantedBlocks } from './patterns/planted-blocks.ts';
import { rowSkewed } from './patterns/row-skewed.ts';
import { sharedColumns } from './patterns/shared-columns.ts';
import { uniform } from './patterns/uniform.ts';

export type { PatternInfo, PatternOption } from './pattern.ts';

const all: readonly Pattern[] = [
  uniform,
  magnitude,
  nOfM,
  rowSkewed,
  banded,
  blocks,
  plantedBlocks,
  sharedColumns,
  outlierColumns,
  activations,
];

/** Every pattern, in the order of the interface. */
export const patterns: readonly PatternInfo[] = all;

/** The pattern with this id. Throws MatrixError with the known ids. */
export function patternById(id: string): Pattern {
  const found = all.find((p) => p.id === id);
  if (!found) throw new MatrixError(`pattern: found '${id}', expected one of ${all.map((p) => p.id).join(', ')}`);
  return found;
}
