import type { MatrixSource } from '../../engine/matrix/source-types.ts';
import type { MatrixLocation } from '../../engine/matrix/types.ts';
import { baseOf } from '../../state/index.ts';

export const THIS_MATRIX = 'this matrix';

/** Which matrix an answer is about, in words; for a model or a layer, one of its matrices by name. */
export function matrixInWords(source: MatrixSource, place: MatrixLocation | undefined): string {
  const base = baseOf(source);
  if (base.kind !== 'model' || base.matrix !== undefined || !place) return THIS_MATRIX;
  return place.layer === null ? place.matrix : `${place.matrix} of layer ${place.layer}`;
}
