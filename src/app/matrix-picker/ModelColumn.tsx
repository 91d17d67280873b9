import { useEffect, useRef, useState } from 'react';
import { TextButton } from '../../kit/controls/Button.tsx';
import { DENSE_BYTES_PER_WEIGHT } from '../../theory/models/model-bytes.ts';
import { type ModelShape, weightsOf } from '../../theory/models/model-shape.ts';
import { modelId } from '../../theory/models/model-tree.ts';
import { modelSize } from '../../kit/words/model-sizes.ts';

/** Ids of the models that a short list shows at first. */
const FIRST_MODELS: readonly string[] = ['tales', 'gpt-2', 'llama-2-7b', 'mistral-7b-v0.1', 'llama-3.1-8b', 'qwen3-8b'];

interface ModelColumnProps {
  /** shows a few models and the first one, until the others are requested or keys choose one of them */
  readonly isShort?: boolean;
  readonly models: readonly ModelShape[];
  /** null until a model is chosen */
  readonly model: ModelShape | null;
  /** the choice is a whole model */
  readonly isWholeModel: boolean;
  readonly onChoose: (model: ModelShape) => void;
  readonly onHover: (model: ModelShape | null) => void;
  readonly onConfirm: () => void;
}

/** The column 'Model' of the matrix picker: all models, with the size of their weights in f16. */
export function ModelColumn(props: ModelColumnProps) {
  const { isShort = false, models, model, isWholeModel, onChoose, onHover, onConfirm } = props;
  const [showsAll, setShowsAll] = useState(!isShort);
  const isInShortList = (candidate: ModelShape): boolean =>
    FIRST_MODELS.includes(modelId(candidate)) || (model !== null && candidate === models[0]);
  // A key has chosen a model outside the short list, which from then on shows all. The state is set during rendering, so that
  // the list is never drawn without the chosen model.
  if (!showsAll && model !== null && !isInShortList(model)) setShowsAll(true);
  const listed = showsAll ? models : models.filter(isInShortList);
  const maxWeights = models.reduce((largest, candidate) => Math.max(largest, weightsOf(candidate)), 0);
  const list = useRef<HTMLDivElement>(null);
  const chosen = model === null ? null : modelId(model);
  // The button is gone once it has shown all models, and its focus moves to the list.
  const isPressed = useRef(false);
  useEffect(() => {
    if (isPressed.current) list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    isPressed.current = false;
  }, [showsAll]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <>
      <div
        ref={list}
        className="max-h-84 overscroll-contain grid -mx-2 overflow-auto in-[.picker-neighbours]:max-h-none"
        role="listbox"
        aria-label="Model, with its dense size"
        // In the list with this attribute, MatrixPicker focuses the chosen option.
        data-level={isWholeModel || undefined}
        onPointerLeave={() => onHover(null)}
      >
        {listed.map((option) => (
          <button
            key={modelId(option)}
            type="button"
            role="option"
            className="picker-option group grid grid-cols-[minmax(7.75rem,1fr)_minmax(0,4rem)_3.5rem] min-h-[1.6rem] items-center gap-2 text-start cursor-pointer rounded-md px-2"
            aria-selected={modelId(option) === chosen}
            tabIndex={modelId(option) === chosen || (chosen === null && option === listed[0]) ? 0 : -1}
            onPointerEnter={() => onHover(option)}
            onClick={() => onChoose(option)}
            onDoubleClick={onConfirm}
          >
            <span>{option.name}</span>
            <span aria-hidden="true">
              <span
                className="block h-[6px] bg-track group-aria-selected:bg-values"
                style={{ inlineSize: `${Math.max(2, (100 * weightsOf(option)) / maxWeights)}%` }}
              />
            </span>
            <span className="number text-end">{modelSize(DENSE_BYTES_PER_WEIGHT * weightsOf(option))}</span>
          </button>
        ))}
      </div>
      {listed.length < models.length && (
        <TextButton
          className="block"
          onClick={() => {
            isPressed.current = true;
            setShowsAll(true);
          }}
        >
          {models.length - listed.length} more models
        </TextButton>
      )}
    </>
  );
}
