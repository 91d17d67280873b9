import { countText } from '../../core/story/words.ts';
import type { MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import { Facts } from '../../kit/primitives/Boxes.tsx';
import { shape, value } from '../../kit/words/quantity.ts';
import { leftText } from '../../kit/words/shares.ts';

/** Figures of a matrix. Unusual ones (empty rows, NaN, infinities) are listed only if they occur. */
export function SummaryFigures({ summary }: { readonly summary: MatrixSummary }) {
  const approx = summary.isExpected ? '≈\u00a0' : '';
  const facts: readonly (readonly [string, string])[] = [
    ['rows × cols', shape(summary.rows, summary.cols)],
    ['non-zeros', approx + countText(summary.nnz)],
    ['left', approx + leftText(summary.density)],
    ['longest row', countText(summary.longestRow)],
    ...(summary.emptyRows > 0 ? [['empty rows', countText(summary.emptyRows)] as const] : []),
    // The largest finite magnitude; 0 if none is finite.
    [summary.infCount > 0 ? 'largest finite |value|' : 'largest |value|', value(summary.absMax)],
    ...(summary.nanCount > 0 ? [['NaN', countText(summary.nanCount)] as const] : []),
    ...(summary.infCount > 0 ? [['infinite', countText(summary.infCount)] as const] : []),
  ];
  return <Facts facts={facts} />;
}
