import type { MatrixSource } from '../../engine/matrix/source-types.ts';
import type { NamedPlace } from '../../engine/matrix/types.ts';
import { baseOf } from '../../state/index.ts';

export const THIS_MATRIX = 'this matrix';

/** The matrix that an answer is about, in words: of a model or a layer it is one of their matrices, which has a name. */
export function storedMatrix(source: MatrixSource, place: NamedPlace | undefined): string {
  const base = baseOf(source);
  if (base.kind !== 'model' || base.matrix !== undefined || !place) return THIS_MATRIX;
  return place.layer === null ? place.matrix : `${place.matrix} of layer ${place.layer}`;
}
