import './opened-matrix.css';
import { countText } from '../../core/story/words.ts';
import type { MatrixSummary } from '../../engine/matrix/types.ts';
import { useSession } from '../../kit/app-context.ts';
import { Facts } from '../../kit/primitives/Boxes.tsx';
import { Row } from '../../kit/primitives/Layout.tsx';
import { shape, value } from '../../kit/words/quantity.ts';
import { leftText } from '../../kit/words/shares.ts';

/** Figures of the open matrix, and notes about it. */
export function OpenedMatrix() {
  const summary = useSession((s) => s.summary);
  if (!summary) return null;
  return (
    <Row
      as="section"
      spread="between"
      className="opened-matrix quiet size-12 line-above py-3 px-6"
      aria-label="The open matrix"
    >
      <SummaryFigures summary={summary} />
      {summary.notes.length > 0 && (
        <ul className="breakable" aria-label="Notes">
          {summary.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </Row>
  );
}

/** Unusual figures (empty rows, NaN, infinities) are listed only if they occur. */
export function SummaryFigures({ summary }: { readonly summary: MatrixSummary }) {
  const about = summary.isExpected ? '≈\u00a0' : '';
  const facts: readonly (readonly [string, string])[] = [
    ['rows × cols', shape(summary.rows, summary.cols)],
    ['non-zeros', about + countText(summary.nnz)],
    ['left', about + leftText(summary.density)],
    ['longest row', countText(summary.longestRow)],
    ...(summary.emptyRows > 0 ? [['empty rows', countText(summary.emptyRows)] as const] : []),
    // The largest finite magnitude; 0 if none is finite.
    [summary.infCount > 0 ? 'largest finite |value|' : 'largest |value|', value(summary.absMax)],
    ...(summary.nanCount > 0 ? [['NaN', countText(summary.nanCount)] as const] : []),
    ...(summary.infCount > 0 ? [['infinite', countText(summary.infCount)] as const] : []),
  ];
  return <Facts facts={facts} />;
}
