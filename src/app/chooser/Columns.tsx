import './columns.css';
import { type ReactNode, useCallback, useState } from 'react';
import type { ModelShape } from '../../theory/models/model-shape.ts';
import { type Choice, type Level, LEVELS, withLayer, withLevel, withMatrix, withModel } from './choice.ts';
import { LayerColumn } from './LayerColumn.tsx';
import { MatrixColumn } from './MatrixColumn.tsx';
import { ModelColumn } from './ModelColumn.tsx';
import { useLookedAt } from './use-looked-at.ts';
import { WindowColumn } from './WindowColumn.tsx';

interface ColumnsProps {
  readonly models: readonly ModelShape[];
  readonly choice: Choice;
  readonly opened: Choice;
  readonly inList: boolean;
  readonly onChoose: (choice: Choice) => void;
  /** chosen while the pointer is down */
  readonly onDrag: (choice: Choice) => void;
  readonly onHover: (choice: Choice | null) => void;
  readonly onTake: () => void;
  readonly onConfig: () => void;
}

/** Model, layer, matrix and window; in a list only the one that is being chosen. */
export function Columns({ models, choice, opened, inList, onChoose, onDrag, onHover, onTake, onConfig }: ColumnsProps) {
  const { level, at } = choice;
  const [tab, setTab] = useState(level);
  // Of no model, what there would be is shown, and nothing of it is chosen.
  const { at: shown } = at ? choice : withLevel(choice, 'model');
  const setWindow = useCallback(
    (window: NonNullable<Choice['window']>) => onChoose({ ...choice, level: 'window', window }),
    [choice, onChoose],
  );
  const looked = useLookedAt(choice, opened, setWindow);
  if (!shown) return null;
  const { model, matrix } = shown;
  const isHead = at !== null && matrix.layer === null;
  const columns: Readonly<Record<Level, { readonly title: string; readonly about: string; readonly body: ReactNode }>> =
    {
      model: {
        title: 'Model',
        about: 'dense, GB',
        body: (
          <>
            <ModelColumn
              models={models}
              model={at?.model ?? null}
              isLevel={level === 'model'}
              onChoose={(one) => onChoose(withModel(one))}
              onHover={(one) => onHover(one && withModel(one))}
              onTake={onTake}
            />
            <button type="button" className="text-button" onClick={onConfig}>
              another, by its config.json
            </button>
          </>
        ),
      },
      layer: {
        title: 'Layer',
        about: at === null ? '' : model.layers === 1 ? 'one' : `${model.layers} alike`,
        body: (
          <LayerColumn
            layers={model.layers}
            layer={at === null || level === 'model' || isHead ? null : matrix.layer}
            isLevel={level === 'layer'}
            onChoose={(layer) => onDrag(withLayer(choice, layer))}
            onRelease={(layer) => inList && onChoose(withLayer(choice, layer))}
            onHover={(layer) => onHover(layer === null ? null : withLayer(choice, layer))}
          />
        ),
      },
      matrix: {
        title: 'Matrix',
        about: at === null ? `of ${model.name}` : 'one block, to scale',
        body: (
          <MatrixColumn
            model={model}
            layer={matrix.layer ?? 0}
            chosen={at === null ? null : matrix}
            isLevel={level === 'matrix'}
            onChoose={(name) => onChoose(withMatrix(choice, name))}
            onHover={(name) => onHover(name && withMatrix(choice, name))}
            onTake={onTake}
          />
        ),
      },
      window: {
        title: 'Window',
        about: 'what Watch shows',
        body: looked && <WindowColumn of={looked} />,
      },
    };
  const values: Readonly<Record<Level, string>> = {
    model: at?.model.name ?? 'none',
    layer: at === null || level === 'model' ? 'all' : isHead ? 'none' : `${matrix.layer} of ${model.layers}`,
    matrix: at === null ? 'none' : level === 'model' || level === 'layer' ? 'all' : matrix.title,
    window: choice.window ? `${choice.window.rows} × ${choice.window.cols}` : 'any',
  };
  return (
    <>
      {inList && (
        <div className="chooser-levels" role="group" aria-label="Level">
          {LEVELS.map((one) => (
            <button
              key={one}
              type="button"
              className="chooser-level"
              aria-pressed={one === tab}
              onClick={() => setTab(one)}
            >
              <span>{one}</span>
              <b>{values[one]}</b>
            </button>
          ))}
        </div>
      )}
      <div className="chooser-columns">
        {LEVELS.filter((one) => !inList || one === tab).map((one) => (
          <div
            key={one}
            className={`chooser-column chooser-column--${one}`}
            role="group"
            aria-label={columns[one].title}
          >
            {!inList && (
              <h2 className="chooser-title">
                {columns[one].title} <span>{columns[one].about}</span>
              </h2>
            )}
            {columns[one].body}
          </div>
        ))}
      </div>
    </>
  );
}
