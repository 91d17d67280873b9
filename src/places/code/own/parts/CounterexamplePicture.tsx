import type { CsrMatrix } from '../../../../core/matrix/index.ts';
import { shortestF32 } from '../../../../core/number/index.ts';
import { asStored, gathered, valueTypeOf } from '../../../../own/decoded.ts';
import type { Counterexample } from '../live/module-state.ts';

/** Rows, columns and elements that are drawn; the rest is said in words. */
const MAX_ROWS = 4;
const MAX_COLUMNS = 5;
const MAX_ELEMENTS = 6;

/** A small matrix, the arrays it becomes, and what decode makes of them. */
export function CounterexamplePicture({ found: { matrix, run } }: { readonly found: Counterexample }) {
  const back = run && gathered(run.decoding.puts, matrix).matrix;
  const expected = run ? asStored(matrix, valueTypeOf(run.chosen.arrays)) : matrix;
  return (
    <div className="own-example">
      <figure>
        <figcaption>matrix</figcaption>
        <Cells of={matrix} />
      </figure>
      {run?.encoding.arrays.map(({ array, elements }) => (
        <figure key={array.name}>
          <figcaption>{array.name}</figcaption>
          <div className="own-cells">
            {Array.from({ length: Math.min(MAX_ELEMENTS, elements.length) }, (_, i) => (
              // oxlint-disable-next-line react/no-array-index-key -- elements are known by their place
              <span key={i} className={`own-cell own-cell--${array.byteClass}`}>
                {array.type.kind === 'float' ? textOf(elements[i]) : elements[i]}
              </span>
            ))}
            {elements.length > MAX_ELEMENTS && <span className="faint">… {elements.length}</span>}
            {elements.length === 0 && <span className="faint">empty</span>}
          </div>
        </figure>
      ))}
      {back && (
        <figure>
          <figcaption>decoded</figcaption>
          <Cells of={back} against={expected} />
        </figure>
      )}
    </div>
  );
}

function Cells({ of, against }: { readonly of: CsrMatrix; readonly against?: CsrMatrix }) {
  const rows = Math.min(MAX_ROWS, of.rows);
  const columns = Math.min(MAX_COLUMNS, of.cols);
  return (
    <div>
      {Array.from({ length: rows }, (_, r) => {
        const cells = Array.from({ length: columns }, (__, c) => {
          const value = cellOf(of, r, c);
          const wanted = against ? cellOf(against, r, c) : value;
          return { value, wanted, isWrong: !Object.is(value, wanted) };
        });
        const wrong = cells.filter(({ isWrong }) => isWrong);
        return (
          <div key={r} className="own-cells">
            {cells.map(({ value, wanted, isWrong }, c) => (
              // oxlint-disable-next-line react/no-array-index-key -- cells are known by their place
              <span
                key={c}
                className={`own-cell own-cell--${isWrong ? 'wrong' : value === 0 ? 'zero' : 'values'}`}
                title={isWrong ? `not ${textOf(wanted)}` : undefined}
              >
                {textOf(value)}
              </span>
            ))}
            {wrong.length > 0 && (
              <span className="own-example-wrong">not {wrong.map(({ wanted }) => textOf(wanted)).join(', ')}</span>
            )}
          </div>
        );
      })}
      {(of.rows > rows || of.cols > columns) && (
        <span className="faint">
          of {of.rows} × {of.cols}
        </span>
      )}
    </div>
  );
}

function cellOf({ indptr, indices, data }: CsrMatrix, row: number, column: number): number {
  for (let i = indptr[row]; i < indptr[row + 1]; i++) if (indices[i] === column) return data[i];
  return 0;
}

function textOf(value: number): string {
  const text = shortestF32(value);
  return text.length <= 6 ? text : String(Number(value.toPrecision(2)));
}
