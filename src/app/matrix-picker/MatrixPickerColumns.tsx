import './columns.css';
import { type PointerEvent, type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import type { MatrixName, ModelShape } from '../../theory/models/model-shape.ts';
import type { Choice, Level } from './choice.ts';
import { LEVELS, sameMatrix, sourceOf, withLayer, withLevel, withMatrix, withModel, levelName } from './choice.ts';
import { ModelColumn } from './ModelColumn.tsx';
import { WindowColumn } from './WindowColumn.tsx';
import { countText } from '../../core/text/words.ts';
import type { Region } from '../../core/matrix/index.ts';
import type { ModelSource } from '../../engine/matrix/source-types.ts';
import type { matrix as matrixService } from '../../engine/matrix-service.ts';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { Muted } from '../../kit/primitives/Text.tsx';
import { type ViewedMatrix, useOpenMatrix } from '../../kit/matrix/MatrixView.tsx';
import { modelPruning } from '../../state/index.ts';
import { matricesIn, shareText, type TreeMatrix } from '../../theory/models/model-tree.ts';
import { bytes, shape } from '../../kit/words/quantity.ts';
import { TextButton } from '../../kit/controls/Button.tsx';
import { shareOf } from '../../kit/forms/use-density.ts';

interface MatrixColumnProps {
  readonly model: ModelShape;
  readonly layer: number;
  /** the chosen matrix; null without one */
  readonly chosen: TreeMatrix | null;
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
  const { model, layer, chosen, isMatrixLevel } = props;
  const all = matricesIn(model, layer);
  const head = matricesIn(model).find(({ name }) => name === 'lm_head');
  const experts = all.find(({ name }) => name === 'expert_down');
  const aboveFacts = experts ? experts.name : 'down';
  const longestSide = all.reduce((longest, { rows, cols }) => Math.max(longest, rows, cols), 1);
  const group = (title: string, columns: readonly (readonly MatrixName[])[]) => (
    <>
      <Muted small aria-hidden="true">
        {title}
      </Muted>
      <div className="flex gap-3 mb-2 items-start" role="presentation">
        {columns.map((names) => {
          const matrices = all.filter(({ name }) => names.includes(name));
          return (
            matrices.length > 0 && (
              <div key={names[0]} className="grid justify-items-start gap-0.5" role="presentation">
                {matrices.map((matrix) => (
                  <MatrixOption key={matrix.name} {...props} matrix={matrix} scale={LONGEST_SIDE_PX / longestSide} />
                ))}
                {names.includes(aboveFacts) && chosen && <ChosenFacts matrix={chosen} />}
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
      {all.some(({ name }) => name === 'down') && group('feed-forward', FEED_FORWARD)}
      {experts && group(`router, and one of ${countText(experts.each)} experts`, EXPERTS)}
      {all.some(({ name }) => name === 'shared_down') && group('shared experts', SHARED)}
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
function MatrixOption({ matrix, scale, chosen, onChoose, onHover, onConfirm }: MatrixOptionProps) {
  const { name, title, rows, cols } = matrix;
  const isChosen = chosen?.name === name;
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
      tabIndex={isChosen || (chosen === null && name === 'q') ? 0 : -1}
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

interface LayerColumnProps {
  readonly layers: number;
  /** null: no layer, as for lm_head */
  readonly layer: number | null;
  readonly isWholeLayer: boolean;
  readonly onChoose: (layer: number) => void;
  /** Called when the press or drag that chose a layer ends. */
  readonly onRelease: (layer: number) => void;
  readonly onHover: (layer: number | null) => void;
}

/** Maximum number of bars; with more layers a bar represents several. */
const MAX_BARS = 96;

/** The column 'Layer': all layers as a slider; a press or a drag chooses one. */
function LayerColumn({ layers, layer, isWholeLayer, onChoose, onRelease, onHover }: LayerColumnProps) {
  const track = useRef<HTMLDivElement>(null);
  const bars = Math.min(layers, MAX_BARS);
  const layerAt = (event: PointerEvent): number => {
    const box = track.current?.getBoundingClientRect();
    if (!box || box.height === 0) return layer ?? 0;
    return Math.min(layers - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * layers)));
  };
  const isChosen = (bar: number): boolean => layer !== null && Math.floor((layer / layers) * bars) === bar;
  return (
    <div className="grid grid-cols-[4.25rem_2rem] gap-3 h-78" data-level={isWholeLayer || undefined}>
      {/* The keys of the chooser move it, as they move every choice. */}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div
        ref={track}
        className="grid auto-rows-[1fr] cursor-pointer touch-none"
        data-many={bars >= 60 || undefined}
        role="slider"
        tabIndex={0}
        aria-label="Layer"
        aria-orientation="vertical"
        aria-valuemin={0}
        aria-valuemax={layers - 1}
        aria-valuenow={layer ?? 0}
        aria-valuetext={layer === null ? 'in no layer' : `${layer} of ${layers}`}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          onChoose(layerAt(event));
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) onChoose(layerAt(event));
          else if (event.pointerType === 'mouse') onHover(layerAt(event));
        }}
        onPointerUp={(event) => onRelease(layerAt(event))}
        onPointerLeave={() => onHover(null)}
      >
        {Array.from({ length: bars }, (_, bar) => (
          // The position of a bar is its only identity.
          // oxlint-disable-next-line react/no-array-index-key
          <span
            key={bar}
            className="bg-track w-[88%] border-ground border-b-2 in-data-many:border-b data-chosen:bg-values data-chosen:w-full"
            data-chosen={isChosen(bar) || undefined}
          />
        ))}
      </div>
      <div className="text-muted relative number" aria-hidden="true">
        {layerMarks(layers, layer).map((mark) => (
          <span
            className="absolute -translate-y-1/2 data-chosen:text-ink data-chosen:font-semibold"
            key={mark}
            data-chosen={mark === layer || undefined}
            style={{ insetBlockStart: `${((mark + 0.5) / layers) * 100}%` }}
          >
            {mark}
          </span>
        ))}
      </div>
    </div>
  );
}

/** The layer numbers next to the bars: evenly spaced, the last one, and the chosen one instead of near ones. */
function layerMarks(layers: number, layer: number | null): readonly number[] {
  const steps = [1, 2, 4, 5, 10, 20, 50];
  const step = steps.find((one) => layers / one <= 9) ?? Math.ceil(layers / 8);
  const last = layers - 1;
  const even = Array.from({ length: Math.ceil(layers / step) }, (_, i) => i * step).filter(
    (mark) => last - mark >= 0.6 * step,
  );
  const marks = [...even, last];
  if (layer === null) return marks;
  return [...marks.filter((mark) => mark === layer || Math.abs(mark - layer) > 0.7 * step), layer]
    .filter((mark, i, all) => all.indexOf(mark) === i)
    .toSorted((a, b) => a - b);
}

/** The largest magnitude to expect among random weights, in standard deviations. */
const MAX_DEVIATIONS = 4.3;

/** The matrix that the column 'Region' draws: the open one, or random weights of the chosen shape. */
function useViewedMatrix(choice: Choice, opened: Choice, onWindow: (window: Region) => void): ViewedMatrix | null {
  const { engine } = useApp();
  const open = useOpenMatrix();
  const openSource = useDocument((doc) => doc.source);
  const density = useSession((s) => s.summary?.density ?? 1);
  const { selection, window } = choice;
  const isOpen = selection === null || sameMatrix(selection, opened.selection);
  // Without the window: another window of the same matrix needs no new drawing.
  const { rows = 0, cols = 0 } = selection?.matrix ?? {};
  const key = selection && JSON.stringify(sourceOf({ level: 'matrix', selection, window: null }));
  const randomWeights = useMemo(() => {
    if (key === null) return null;
    const source: ModelSource = JSON.parse(key);
    // Random weights, even for a model whose weights come with the page.
    const pruning = modelPruning(openSource, { model: '' });
    const service = engine.service<typeof matrixService>('matrix');
    const tile: ViewedMatrix['tile'] = (request) => service.spyOn({}, source, pruning, request);
    return {
      shape: { rows, cols, absMax: MAX_DEVIATIONS / Math.sqrt(cols) },
      density: pruning === null ? 1 : shareOf(pruning),
      marginals: null,
      tile,
      valueAt: async (row: number, col: number) => {
        const { buckets } = await tile({ region: { row, col, rows: 1, cols: 1 }, width: 1, height: 1 });
        return buckets[0] ?? null;
      },
    };
  }, [key, rows, cols, engine, openSource]);
  return useMemo(() => {
    if (isOpen) return open && { ...open, density, window: window ?? open.window, onWindow };
    return randomWeights && { ...randomWeights, window, onWindow };
  }, [isOpen, open, randomWeights, window, onWindow, density]);
}

interface MatrixPickerColumnsProps {
  readonly models: readonly ModelShape[];
  readonly choice: Choice;
  /** the open matrix, as a choice */
  readonly opened: Choice;
  /** shown in the dialog that narrow pages open from the selection bar (format, matrix), one level at a time */
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
  const { models, choice, opened, isNarrow, onChoose, onDrag, onHover, onConfirm, onConfig } = props;
  const { level, selection } = choice;
  const [tab, setTab] = useState(level);
  // Without a model, the columns show a default model with nothing chosen.
  const shown = selection ?? withLevel(choice, 'model').selection;
  const setWindow = useCallback(
    (window: NonNullable<Choice['window']>) => onChoose({ ...choice, level: 'window', window }),
    [choice, onChoose],
  );
  const viewed = useViewedMatrix(choice, opened, setWindow);
  if (!shown) return null;
  const { model, matrix } = shown;
  // The open matrix is of no model. On a phone, where one level is shown, its columns are those of a default model.
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
              onChoose={(one) => onChoose(withModel(one))}
              onHover={(one) => onHover(one && withModel(one))}
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
            chosen={selection === null ? null : matrix}
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
        body: viewed && <WindowColumn matrix={viewed} />,
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
          {LEVELS.map((one) => (
            <button
              key={one}
              type="button"
              className="grid text-muted text-12 text-start min-w-0 cursor-pointer rounded-md border border-transparent px-2 aria-pressed:border-ink aria-pressed:bg-control"
              aria-pressed={one === tab}
              onClick={() => setTab(one)}
            >
              <span>{levelName(one)}</span>
              <b className="truncate text-ink font-medium">{values[one]}</b>
            </button>
          ))}
        </div>
      )}
      <div className={isNarrow ? IN_LIST : IN_COLUMNS}>
        {LEVELS.filter((one) => !isNarrow || one === tab).map((one) => (
          <div key={one} className="max-[62rem]:last:col-span-full" role="group" aria-label={columns[one].title}>
            {!isNarrow && (
              <h2 className="flex items-baseline justify-between gap-2 text-ink text-12 border-b border-hairline mb-1 pb-2">
                {columns[one].title} <span className="text-muted font-normal">{columns[one].about}</span>
              </h2>
            )}
            {columns[one].body}
          </div>
        ))}
      </div>
    </>
  );
}
