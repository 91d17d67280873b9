import type { MatrixName, ModelShape } from '../../theory/models/model-shape.ts';
import { countText } from '../../core/text/words.ts';
import { Muted } from '../../kit/primitives/Text.tsx';
import { matricesIn, shareText, type TreeMatrix } from '../../theory/models/model-tree.ts';
import { bytes, shape } from '../../kit/words/quantity.ts';

interface MatrixColumnProps {
  readonly model: ModelShape;
  readonly layer: number;
  /** the chosen matrix; null without one */
  readonly chosenMatrix: TreeMatrix | null;
  /** the choice is a matrix, not a whole layer or model, nor a window */
  readonly isMatrixLevel: boolean;
  readonly onChoose: (name: MatrixName) => void;
  readonly onHover: (name: MatrixName | null) => void;
  readonly onConfirm: () => void;
}

/** The longest side of a drawn matrix, px. */
const LONGEST_SIDE_PX = 150;

/** The shortest side that stays visible, px. */
const SHORTEST_SIDE_PX = 5;

const sidePx = (extent: number, scale: number): number => Math.max(SHORTEST_SIDE_PX, extent * scale);

/** The matrices of each part of a transformer block, by the column in which they are drawn. */
const ATTENTION: readonly (readonly MatrixName[])[] = [['q', 'q_a', 'q_b'], ['k', 'v', 'kv_a', 'kv_b'], ['o']];
const FEED_FORWARD: readonly (readonly MatrixName[])[] = [['gate'], ['up'], ['down']];
const SHARED: readonly (readonly MatrixName[])[] = [['shared_gate'], ['shared_up'], ['shared_down']];
const EXPERTS: readonly (readonly MatrixName[])[] = [['router'], ['expert_gate'], ['expert_up'], ['expert_down']];

/** The column 'Matrix': the matrices of one transformer block, drawn to scale, and lm_head, which is in no block. */
export function MatrixColumn(props: MatrixColumnProps) {
  const { model, layer, chosenMatrix, isMatrixLevel } = props;
  const matrices = matricesIn(model, layer);
  const head = matricesIn(model).find(({ name }) => name === 'lm_head');
  const experts = matrices.find(({ name }) => name === 'expert_down');
  // The facts of the chosen matrix are below the last matrix of a feed-forward block.
  const aboveFacts = experts ? experts.name : 'down';
  const longestSide = matrices.reduce((longest, { rows, cols }) => Math.max(longest, rows, cols), 1);
  const group = (title: string, columns: readonly (readonly MatrixName[])[]) => (
    <>
      <Muted small aria-hidden="true">
        {title}
      </Muted>
      <div className="flex gap-3 mb-2 items-start" role="presentation">
        {columns.map((names) => {
          const inColumn = matrices.filter(({ name }) => names.includes(name));
          return (
            inColumn.length > 0 && (
              <div key={names[0]} className="grid justify-items-start gap-0.5" role="presentation">
                {inColumn.map((matrix) => (
                  <MatrixOption key={matrix.name} {...props} matrix={matrix} scale={LONGEST_SIDE_PX / longestSide} />
                ))}
                {names.includes(aboveFacts) && chosenMatrix && <ChosenFacts matrix={chosenMatrix} />}
              </div>
            )
          );
        })}
      </div>
    </>
  );
  return (
    <div
      className="grid justify-items-start gap-2"
      role="listbox"
      aria-label="Matrix"
      data-level={isMatrixLevel || undefined}
      onPointerLeave={() => props.onHover(null)}
    >
      {group('attention', ATTENTION)}
      {matrices.some(({ name }) => name === 'down') && group('feed-forward', FEED_FORWARD)}
      {experts && group(`router, and one of ${countText(experts.perLayer)} experts`, EXPERTS)}
      {matrices.some(({ name }) => name === 'shared_down') && group('shared experts', SHARED)}
      {head && <MatrixOption {...props} matrix={head} scale={null} />}
    </div>
  );
}

interface MatrixOptionProps extends MatrixColumnProps {
  readonly matrix: TreeMatrix;
  /** px of a row or a column; null: as a line of text */
  readonly scale: number | null;
}

/** A matrix of the column: its shape to scale with its name, or a line of text. */
function MatrixOption({ matrix, scale, chosenMatrix, onChoose, onHover, onConfirm }: MatrixOptionProps) {
  const { name, title, rows, cols } = matrix;
  const isChosen = chosenMatrix?.name === name;
  return (
    <button
      type="button"
      role="option"
      className={
        scale === null
          ? 'flex items-baseline gap-3 text-muted text-12 cursor-pointer rounded-md min-w-6 min-h-[1.6rem] -ms-2 px-2 hover:bg-sunken aria-selected:bg-sunken aria-selected:text-ink aria-selected:font-semibold'
          : 'grid content-start justify-items-center gap-0.5 text-muted text-12 cursor-pointer min-w-6 aria-selected:text-ink aria-selected:font-semibold'
      }
      aria-selected={isChosen}
      aria-label={`${title}, ${shape(rows, cols)}`}
      title={`${title}, ${shape(rows, cols)}`}
      tabIndex={isChosen || (chosenMatrix === null && name === 'q') ? 0 : -1}
      onPointerEnter={() => onHover(name)}
      onClick={() => onChoose(name)}
      onDoubleClick={onConfirm}
    >
      {scale !== null && (
        <span
          className="picker-shape rounded-[1px] bg-track"
          style={{ inlineSize: sidePx(cols, scale), blockSize: sidePx(rows, scale) }}
        />
      )}
      <span>{isChosen || scale === null ? title : name.replace(/^(?:expert|shared)_/, '')}</span>
      {scale === null && <span className="number">{shape(rows, cols)}, not drawn</span>}
    </button>
  );
}

/** Shape, bytes and share of the chosen matrix; hidden from screen readers, which read them elsewhere. */
function ChosenFacts({ matrix }: { readonly matrix: TreeMatrix }) {
  return (
    <p className="grid text-muted text-12 mt-2" aria-hidden="true">
      <span className="number text-ink">{shape(matrix.rows, matrix.cols)}</span>
      <span>{bytes(matrix.bytes)} in f16</span>
      <span>{shareText(matrix)}</span>
    </p>
  );
}
