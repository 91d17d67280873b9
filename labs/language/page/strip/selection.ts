// Which matrices of the strip are selected, and how clicks change that.

import { BLOCK_MATRICES, type BlockMatrix } from '../../decoders/decoder.ts';
import { isSameMatrix, type MatrixAt } from '../../overrides/matrix-overrides.ts';

/** The selected matrices of a model, and the anchor from which Shift extends the selection. */
export interface Selection {
  readonly matrices: readonly MatrixAt[];
  readonly anchor: MatrixAt | null;
}

export const NOTHING_SELECTED: Selection = { matrices: [], anchor: null };

export function isSelected({ matrices }: Selection, matrix: MatrixAt): boolean {
  return matrices.some((selected) => isSameMatrix(selected, matrix));
}

/** The selection with one matrix added or removed. */
export function withToggled(selection: Selection, matrix: MatrixAt): Selection {
  const matrices = isSelected(selection, matrix)
    ? selection.matrices.filter((selected) => !isSameMatrix(selected, matrix))
    : [...selection.matrices, matrix];
  return { matrices, anchor: matrix };
}

/** All matrices between the anchor and `to`, by layer and by position in `names`; `to` alone if there is no anchor. */
export function withExtended(
  { anchor }: Selection,
  to: MatrixAt,
  names: readonly BlockMatrix[] = BLOCK_MATRICES,
): Selection {
  if (anchor === null) return { matrices: [to], anchor: to };
  const [first, last] = [Math.min(anchor.layer, to.layer), Math.max(anchor.layer, to.layer)];
  const kinds = [anchor, to].map(({ name }) => names.indexOf(name)).toSorted((a, b) => a - b);
  const matrices: MatrixAt[] = [];
  for (let layer = first; layer <= last; layer++) {
    for (const name of names.slice(kinds[0], kinds[1] + 1)) matrices.push({ layer, name });
  }
  return { matrices, anchor };
}

/** The selection with all matrices of a group; without them if all were selected. `isMore`: keeps other matrices. */
export function withGroup(selection: Selection, group: readonly MatrixAt[], isMore: boolean): Selection {
  const isWhole = group.every((matrix) => isSelected(selection, matrix));
  const others = selection.matrices.filter((selected) => !group.some((matrix) => isSameMatrix(matrix, selected)));
  if (isWhole && (isMore || others.length === 0)) return { matrices: others, anchor: null };
  return { matrices: [...(isMore ? others : []), ...group], anchor: group[0] ?? null };
}
