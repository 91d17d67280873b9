import type { MatrixSource } from '../../engine/matrix/source-types.ts';
import type { MatrixLocation } from '../../engine/matrix/matrix-types.ts';
import { baseOf, type FormatChoice } from '../../state/index.ts';
import type { AnyListedFormat } from '../../core/format.ts';

// The names of A and B, the two formats that the page compares, and of the matrix in texts.

/** The name of A or B in a text: 'MACKO', 'dense f16'; with differing parameters if both are the same format. */
export function storedName(
  { title, id }: Pick<AnyListedFormat, 'id' | 'title'>,
  { params }: FormatChoice,
  other: FormatChoice | null,
): string {
  const entries = Object.entries(params);
  if (entries.length === 1) return `${title} ${String(entries[0][1])}`;
  if (other?.format !== id) return title;
  const differing = entries.filter(([name, value]) => other.params[name] !== value).map(([, value]) => String(value));
  return [title, ...differing].join(' ');
}

/** The open matrix, in a text. */
export const THIS_MATRIX = 'this matrix';

/** Which matrix an answer is about, in words; for a model or a layer, one of its matrices by name. */
export function matrixInText(source: MatrixSource, location: MatrixLocation | undefined): string {
  const base = baseOf(source);
  if (base.kind !== 'model' || base.matrix !== undefined || !location) return THIS_MATRIX;
  return location.layer === null ? location.matrix : `${location.matrix} of layer ${location.layer}`;
}
