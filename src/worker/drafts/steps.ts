import type { EncodedMatrix } from '../../core/format.ts';

/**
 * Turns that one lane may take in a loop of a first run: far more than one takes that walks a whole row or column, cell by
 * cell; few enough that a GPU takes them in a moment.
 */
export function stepsFor({ rows, cols }: Pick<EncodedMatrix, 'rows' | 'cols'>): number {
  return 65_536 + 16 * (rows + cols);
}
