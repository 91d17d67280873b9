import './columns.css';
import { type ReactNode, useCallback, useState } from 'react';
import type { ModelShape } from '../../theory/models/model-shape.ts';
import type { Choice, Level } from './choice.ts';
import { LEVELS, withLayer, withLevel, withMatrix, withModel, levelName } from './choice.ts';
import { ModelColumn } from './ModelColumn.tsx';
import { WindowColumn } from './WindowColumn.tsx';
import { Muted } from '../../kit/primitives/Text.tsx';
import { TextButton } from '../../kit/controls/Button.tsx';
import { LayerColumn } from './LayerColumn.tsx';
import { MatrixColumn } from './MatrixColumn.tsx';
import { useViewedMatrix } from './use-viewed-matrix.ts';

interface MatrixPickerColumnsProps {
  readonly models: readonly ModelShape[];
  readonly choice: Choice;
  /** the open matrix, as a choice */
  readonly currentChoice: Choice;
  /** the columns are in the dialog that narrow pages open from the selection bar, one level at a time */
  readonly isNarrow: boolean;
  readonly onChoose: (choice: Choice) => void;
  /** chosen while the pointer is down */
  readonly onDrag: (choice: Choice) => void;
  readonly onHover: (choice: Choice | null) => void;
  readonly onConfirm: () => void;
  /** opens the form for a model's config.json */
  readonly onConfig: () => void;
}

const IN_LIST = 'grid grid-cols-1 gap-y-6 gap-x-8 *:min-w-0 px-4 pb-4';
const IN_COLUMNS =
  'grid gap-y-6 gap-x-8 *:min-w-0 px-6 pb-4 grid-cols-[minmax(14rem,15.5rem)_8rem_minmax(17rem,18rem)_minmax(15rem,1fr)] max-[76rem]:gap-y-4 max-[76rem]:gap-x-5 max-[76rem]:grid-cols-[minmax(12rem,14rem)_7rem_minmax(16rem,18rem)_minmax(12rem,1fr)] max-[62rem]:grid-cols-[minmax(12rem,1fr)_8rem_minmax(16rem,1.4fr)]';

/** The columns in which a matrix is chosen: model, layer, matrix, and its window (region); on a phone one at a time. */
export function MatrixPickerColumns(props: MatrixPickerColumnsProps) {
  const { models, choice, currentChoice, isNarrow, onChoose, onDrag, onHover, onConfirm, onConfig } = props;
  const { level, selection } = choice;
  const [tab, setTab] = useState(level);
  // A matrix outside models: the columns have a default model, in which nothing is chosen.
  const visibleSelection = selection ?? withLevel(choice, 'model').selection;
  const setWindow = useCallback(
    (window: NonNullable<Choice['window']>) => onChoose({ ...choice, level: 'window', window }),
    [choice, onChoose],
  );
  const viewedMatrix = useViewedMatrix(choice, currentChoice, setWindow);
  if (!visibleSelection) return null;
  const { model, matrix } = visibleSelection;
  // If the open matrix belongs to no model, the columns for layers and matrices are empty. On a phone, which shows one
  // column at a time, they list the layers and matrices of the default model.
  const isEmpty = selection === null && !isNarrow;
  const isLmHead = selection !== null && matrix.layer === null;
  const columns: Readonly<Record<Level, { readonly title: string; readonly about: string; readonly body: ReactNode }>> =
    {
      model: {
        title: 'Model',
        about: 'dense, f16',
        body: (
          <>
            <ModelColumn
              isShort={!isNarrow}
              models={models}
              model={selection?.model ?? null}
              isWholeModel={level === 'model'}
              onChoose={(chosenModel) => onChoose(withModel(chosenModel))}
              onHover={(hovered) => onHover(hovered && withModel(hovered))}
              onConfirm={onConfirm}
            />
            <TextButton onClick={onConfig}>another, by its config.json</TextButton>
          </>
        ),
      },
      layer: {
        title: 'Layer',
        about: selection === null ? '' : model.layers === 1 ? 'one' : `${model.layers} alike`,
        body: !isEmpty && (
          <LayerColumn
            layers={model.layers}
            layer={selection === null || level === 'model' || isLmHead ? null : matrix.layer}
            isWholeLayer={level === 'layer'}
            onChoose={(layer) => onDrag(withLayer(choice, layer))}
            onRelease={(layer) => isNarrow && onChoose(withLayer(choice, layer))}
            onHover={(layer) => onHover(layer === null ? null : withLayer(choice, layer))}
          />
        ),
      },
      matrix: {
        title: 'Matrix',
        about: selection === null ? '' : 'one block, to scale',
        body: isEmpty ? (
          <Muted>Choose a model, and its layers and matrices appear here.</Muted>
        ) : (
          <MatrixColumn
            model={model}
            layer={matrix.layer ?? 0}
            chosenMatrix={selection === null ? null : matrix}
            isMatrixLevel={level === 'matrix'}
            onChoose={(name) => onChoose(withMatrix(choice, name))}
            onHover={(name) => onHover(name && withMatrix(choice, name))}
            onConfirm={onConfirm}
          />
        ),
      },
      window: {
        title: 'Region',
        about: 'what Watch shows',
        body: viewedMatrix && <WindowColumn matrix={viewedMatrix} />,
      },
    };
  const values: Readonly<Record<Level, string>> = {
    model: selection?.model.name ?? 'none',
    layer: selection === null || level === 'model' ? 'all' : isLmHead ? 'none' : `${matrix.layer} of ${model.layers}`,
    matrix: selection === null ? 'none' : level === 'model' || level === 'layer' ? 'all' : matrix.title,
    window: choice.window ? `${choice.window.rows} × ${choice.window.cols}` : 'any',
  };
  return (
    <>
      {isNarrow && (
        <div className="grid grid-cols-[1.3fr_1fr_1.1fr_1fr] gap-1 px-2 pt-3 pb-4" role="group" aria-label="Level">
          {LEVELS.map((columnLevel) => (
            <button
              key={columnLevel}
              type="button"
              className="grid text-muted text-12 text-start min-w-0 cursor-pointer rounded-md border border-transparent px-2 aria-pressed:border-ink aria-pressed:bg-control"
              aria-pressed={columnLevel === tab}
              onClick={() => setTab(columnLevel)}
            >
              <span>{levelName(columnLevel)}</span>
              <b className="truncate text-ink font-medium">{values[columnLevel]}</b>
            </button>
          ))}
        </div>
      )}
      <div className={isNarrow ? IN_LIST : IN_COLUMNS}>
        {LEVELS.filter((columnLevel) => !isNarrow || columnLevel === tab).map((columnLevel) => (
          <div
            key={columnLevel}
            className="max-[62rem]:last:col-span-full"
            role="group"
            aria-label={columns[columnLevel].title}
          >
            {!isNarrow && (
              <h2 className="flex items-baseline justify-between gap-2 text-ink text-12 border-b border-hairline mb-1 pb-2">
                {columns[columnLevel].title}{' '}
                <span className="text-muted font-normal">{columns[columnLevel].about}</span>
              </h2>
            )}
            {columns[columnLevel].body}
          </div>
        ))}
      </div>
    </>
  );
}
