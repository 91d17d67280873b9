import { countText } from '../../../core/story/words.ts';
import type { MatrixSummary } from '../../../engine/matrix/types.ts';
import { density, shape, value } from '../../../kit/words/quantity.ts';

/** The matrix in figures. Unusual ones (empty rows, NaN, infinities) are listed only if they occur. */
export function Statistics({ summary }: { readonly summary: MatrixSummary }) {
  const about = summary.isExpected ? '≈\u00a0' : '';
  const facts: readonly (readonly [string, string])[] = [
    ['rows × cols', shape(summary.rows, summary.cols)],
    ['non-zeros', about + countText(summary.nnz)],
    ['density', about + density(summary.density)],
    ['longest row', countText(summary.longestRow)],
    ...(summary.emptyRows > 0 ? [['empty rows', countText(summary.emptyRows)] as const] : []),
    // The largest finite magnitude; 0 if none is finite.
    [summary.infCount > 0 ? 'largest finite |value|' : 'largest |value|', value(summary.absMax)],
    ...(summary.nanCount > 0 ? [['NaN', countText(summary.nanCount)] as const] : []),
    ...(summary.infCount > 0 ? [['infinite', countText(summary.infCount)] as const] : []),
  ];
  return (
    <>
      <dl className="facts matrix-facts">
        {facts.map(([name, text]) => (
          <Fact key={name} name={name} text={text} />
        ))}
      </dl>
      {summary.notes.length > 0 && (
        <ul className="matrix-notes" aria-label="Notes">
          {summary.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Fact({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </>
  );
}
