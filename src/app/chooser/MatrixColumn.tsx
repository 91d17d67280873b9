import type { MatrixName, ModelShape } from '../../theory/models/model-shape.ts';
import { matricesIn, shareText, type TreeMatrix } from '../../theory/models/model-tree.ts';
import { bytes, shape } from '../../kit/words/quantity.ts';

interface MatrixColumnProps {
  readonly model: ModelShape;
  readonly layer: number;
  /** what is chosen; null where nothing is */
  readonly chosen: TreeMatrix | null;
  readonly isLevel: boolean;
  readonly onChoose: (name: MatrixName) => void;
  readonly onHover: (name: MatrixName | null) => void;
  readonly onTake: () => void;
}

/** The longest side of a matrix of the block, px. */
const LONGEST = 150;

/** The shortest side that can be seen, px. */
const SHORTEST = 5;

/** Where the matrices of a block are drawn, by columns of the picture. */
const ATTENTION: readonly (readonly MatrixName[])[] = [['q'], ['k', 'v'], ['o']];
const FEED_FORWARD: readonly (readonly MatrixName[])[] = [['gate'], ['up'], ['down']];

/** One block with its matrices to scale, rows down and columns across, and the matrix that is in no block. */
export function MatrixColumn(props: MatrixColumnProps) {
  const { model, layer, chosen, isLevel } = props;
  const all = matricesIn(model, layer);
  const head = matricesIn(model).find(({ name }) => name === 'lm_head');
  const max = all.reduce((found, { rows, cols }) => Math.max(found, rows, cols), 1);
  const group = (title: string, columns: readonly (readonly MatrixName[])[]) => (
    <>
      <span className="chooser-part" aria-hidden="true">
        {title}
      </span>
      <div className="chooser-block" role="presentation">
        {columns.map((names) => {
          const found = all.filter(({ name }) => names.includes(name));
          return (
            found.length > 0 && (
              <div key={names[0]} className="chooser-stack" role="presentation">
                {found.map((matrix) => (
                  <MatrixOption key={matrix.name} {...props} matrix={matrix} scale={LONGEST / max} />
                ))}
                {names[0] === 'down' && chosen && <Facts matrix={chosen} />}
              </div>
            )
          );
        })}
      </div>
    </>
  );
  return (
    <div
      className="chooser-matrices"
      role="listbox"
      aria-label="Matrix"
      data-level={isLevel || undefined}
      onPointerLeave={() => props.onHover(null)}
    >
      {group('attention', ATTENTION)}
      {group('feed-forward', FEED_FORWARD)}
      {head && <MatrixOption {...props} matrix={head} scale={null} />}
    </div>
  );
}

function MatrixOption({
  matrix,
  scale,
  chosen,
  onChoose,
  onHover,
  onTake,
}: MatrixColumnProps & { readonly matrix: TreeMatrix; readonly scale: number | null }) {
  const { name, title, rows, cols } = matrix;
  const isChosen = chosen?.name === name;
  return (
    <button
      type="button"
      role="option"
      className={scale === null ? 'chooser-matrix chooser-matrix--line' : 'chooser-matrix'}
      aria-selected={isChosen}
      aria-label={`${title}, ${shape(rows, cols)}`}
      title={`${title}, ${shape(rows, cols)}`}
      tabIndex={isChosen || (chosen === null && name === 'q') ? 0 : -1}
      onPointerEnter={() => onHover(name)}
      onClick={() => onChoose(name)}
      onDoubleClick={onTake}
    >
      {scale !== null && (
        <span
          className="chooser-shape"
          style={{ inlineSize: Math.max(SHORTEST, cols * scale), blockSize: Math.max(SHORTEST, rows * scale) }}
        />
      )}
      <span className="chooser-name">{isChosen || scale === null ? title : name}</span>
      {scale === null && <span className="number">{shape(rows, cols)}, not drawn</span>}
    </button>
  );
}

/** Shape, bytes and share of the matrix that is chosen, which its name and the foot say as well. */
function Facts({ matrix }: { readonly matrix: TreeMatrix }) {
  return (
    <p className="chooser-facts" aria-hidden="true">
      <span className="number">{shape(matrix.rows, matrix.cols)}</span>
      <span>{bytes(matrix.bytes)} in f16</span>
      <span>{shareText(matrix)}</span>
    </p>
  );
}
