import './opened-matrix.css';
import { countText } from '../../core/story/words.ts';
import type { MatrixSummary } from '../../engine/matrix/types.ts';
import { useApp, useCurrentFormat, useSession } from '../../kit/app-context.ts';
import { saveArrays, saveMatrix } from '../../kit/browser/save-files.ts';
import { Facts } from '../../kit/primitives/Boxes.tsx';
import { Row } from '../../kit/primitives/Layout.tsx';
import { density, shape, value } from '../../kit/words/quantity.ts';

/** The matrix that is open: in figures, with what is to be known about it, and as files. */
export function OpenedMatrix() {
  const summary = useSession((s) => s.summary);
  if (!summary) return null;
  return (
    <Row as="section" spread="between" className="opened-matrix" aria-label="The open matrix">
      <Figures summary={summary} />
      <Save />
      {summary.notes.length > 0 && (
        <ul aria-label="Notes">
          {summary.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </Row>
  );
}

/** Unusual figures (empty rows, NaN, infinities) are listed only if they occur. */
export function Figures({ summary }: { readonly summary: MatrixSummary }) {
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
  return <Facts facts={facts} />;
}

/** The matrix, and the arrays of A, as files. */
function Save() {
  const app = useApp();
  const { title } = useCurrentFormat();
  return (
    <Row as="p" gap={5} className="opened-save">
      <span role="group" aria-label="Save the matrix">
        save the matrix{' '}
        <button type="button" className="text-button" onClick={() => void saveMatrix('mtx', app)}>
          .mtx
        </button>{' '}
        <button type="button" className="text-button" onClick={() => void saveMatrix('npz', app)}>
          .npz (scipy)
        </button>
      </span>
      <span role="group" aria-label={`Save the arrays of ${title}`}>
        its {title} arrays{' '}
        <button type="button" className="text-button" onClick={() => void saveArrays('npz', app)}>
          .npz
        </button>{' '}
        <button type="button" className="text-button" onClick={() => void saveArrays('safetensors', app)}>
          .safetensors
        </button>
      </span>
    </Row>
  );
}
