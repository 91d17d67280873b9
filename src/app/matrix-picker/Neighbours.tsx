import './columns.css';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { baseOf } from '../../state/index.ts';
import { neighbours } from '../../theory/models/model-tree.ts';
import { previewedCrumbs } from './crumbs.ts';
import { type Choice, choiceOf, choiceAt, modelsWith, sourceOf, withLayer, crumbsOfChoice } from './choice.ts';
import { ModelColumn } from './ModelColumn.tsx';

interface LayerNumbersProps {
  readonly layers: number;
  readonly layer: number;
  readonly onChoose: (layer: number) => void;
  readonly onHover: (layer: number | null) => void;
}

/** Layer numbers per line, as in the class name `repeat(8,1fr)` below. */
const PER_LINE = 8;

/** The numbers of all layers as buttons, eight in a line. */
function LayerNumbers({ layers, layer, onChoose, onHover }: LayerNumbersProps) {
  return (
    <div
      className="grid grid-cols-[repeat(8,1fr)] gap-0.5"
      role="listbox"
      aria-label="Layer"
      onPointerLeave={() => onHover(null)}
    >
      {Array.from({ length: layers }, (_, number) => (
        <button
          // A layer is identified by its number.
          // oxlint-disable-next-line react/no-array-index-key
          key={number}
          type="button"
          role="option"
          className="picker-option number text-center min-h-7 cursor-pointer rounded-md"
          aria-label={`layer ${number}`}
          aria-selected={number === layer}
          tabIndex={number === layer ? 0 : -1}
          onPointerEnter={() => onHover(number)}
          onFocus={() => onHover(number)}
          onClick={() => onChoose(number)}
        >
          {number}
        </button>
      ))}
    </div>
  );
}

/** The list that '›' after a name in the breadcrumb opens: the same matrix in other models, or in other layers. */
export function Neighbours({ level, onClose }: { readonly level: 'model' | 'layer'; readonly onClose: () => void }) {
  const { session } = useApp();
  const source = useDocument((doc) => baseOf(doc.source));
  const box = useRef<HTMLDivElement>(null);
  const choice = choiceOf(source, null);
  const { selection } = choice;
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    return () => previewedCrumbs.setState(null, true);
  }, []);
  const preview = (next: Choice | null): void => previewedCrumbs.setState(next && crumbsOfChoice(next), true);
  const open = (next: Choice): void => {
    onClose();
    const nextSource = sourceOf(next);
    if (nextSource) void session.openModel(nextSource);
  };
  if (selection === null) return <p className="py-3 px-4 text-muted">Not part of a listed model.</p>;
  const models = modelsWith(selection.model);
  const inModel = (index: number): Choice => {
    const { model, matrix, layer } = neighbours(selection, 'model', models)[index];
    return choiceAt(
      {
        model,
        ...(choice.level !== 'model' && layer !== undefined && { layer }),
        ...(choice.level === 'matrix' && { matrix }),
      },
      models,
    );
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const options = [...(box.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])];
    const perLine = level === 'model' ? 1 : PER_LINE;
    const by = { ArrowDown: perLine, ArrowUp: -perLine, ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const from = options.findIndex((option) => option === document.activeElement);
    if (by === undefined || from < 0) return;
    options[Math.min(options.length - 1, Math.max(0, from + by))]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // The keys belong to the options inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={box} className="picker-neighbours w-80 py-3 px-4" onKeyDown={onKeyDown}>
      {level === 'model' ? (
        <ModelColumn
          models={models}
          model={selection.model}
          isWholeModel
          onChoose={(model) => open(inModel(models.indexOf(model)))}
          onHover={(model) => preview(model && inModel(models.indexOf(model)))}
          onConfirm={() => {}}
        />
      ) : (
        <LayerNumbers
          layers={selection.model.layers}
          layer={selection.matrix.layer ?? 0}
          onChoose={(layer) => open(withLayer(choice, layer))}
          onHover={(layer) => preview(layer === null ? null : withLayer(choice, layer))}
        />
      )}
    </div>
  );
}
