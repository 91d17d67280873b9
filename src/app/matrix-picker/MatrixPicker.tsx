import { type KeyboardEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { baseOf } from '../../state/index.ts';
import type { ModelShape } from '../../theory/models/model-shape.ts';
import { shippedId } from '../../theory/models/known-models.ts';
import { MatrixPickerHead } from './MatrixPickerHead.tsx';
import {
  type Choice,
  choiceOf,
  choiceAfterKey,
  type Level,
  modelsWith,
  sameMatrix,
  sourceOf,
  withLevel,
  withModel,
  crumbsOfChoice,
  weightsText,
} from './choice.ts';
import { MatrixPickerColumns } from './MatrixPickerColumns.tsx';
import { previewedCrumbs } from './crumbs.ts';
import { MatrixPickerPanel } from './MatrixPickerPanel.tsx';
import { Examples } from './Gallery.tsx';
import { useSearch } from './use-search.ts';
import type { MatrixPickerResult } from './search.ts';
import { bytes, shape, value } from '../../kit/words/quantity.ts';
import { type PanelName, useShell } from '../../kit/frame/shell-context.ts';
import { Button, TextButton } from '../../kit/controls/Button.tsx';
import { countText } from '../../core/text/words.ts';
import type { MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import { Facts } from '../../kit/primitives/Boxes.tsx';
import { densityText } from '../../kit/words/shares.ts';

/** The figures of the open matrix, at the foot of the matrix picker. */
function OpenMatrix() {
  const summary = useSession((s) => s.summary);
  if (!summary) return null;
  return (
    <section
      className="flex flex-wrap items-center justify-between gap-3 text-muted text-12 border-t border-hairline py-3 px-6 in-data-list:order-2 in-data-list:px-4"
      aria-label="The open matrix"
    >
      <SummaryFigures summary={summary} />
      {summary.notes.length > 0 && (
        <ul className="wrap-anywhere basis-full max-w-[70rem]" aria-label="Notes">
          {summary.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Functions that open a choice, example or search result. All but `openChoice` close the picker first. */
function useChoiceActions(currentChoice: Choice, onClose: () => void) {
  const { session } = useApp();
  const { openFile } = useShell();
  const openChoice = (next: Choice): void => {
    const source = sourceOf(next);
    const isSame =
      sameMatrix(next.selection, currentChoice.selection) &&
      levelOfSource(next.level) === levelOfSource(currentChoice.level);
    if (source !== null && !isSame) void session.openModel(source, next.window ?? undefined);
    else if (next.window) session.setWindow(next.window);
  };
  /** closes the picker, then calls `act` */
  const closing =
    <T,>(act: (argument: T) => void) =>
    (argument: T): void => {
      onClose();
      act(argument);
    };
  return {
    openChoice,
    confirm: closing(openChoice),
    confirmExample: closing((id: string) => void session.openExample(id)),
    confirmResult: closing((result: MatrixPickerResult) => {
      if (result.kind === 'in-model') openChoice(result.choice);
      else if (result.kind === 'example') void session.openExample(result.id);
      else if (result.kind === 'link') void session.openRemote(result.reference, null);
      else openFile();
    }),
  };
}

/** The level of the source that a choice opens: for a window, the matrix. */
function levelOfSource(level: Level): Level {
  return level === 'window' ? 'matrix' : level;
}

interface MatrixPickerProps {
  readonly onClose: () => void;
  /** for a narrow page: the picker is in the page's list of choices, and shows one level at a time */
  readonly isNarrow: boolean;
  /** the panel shown at first; null: the columns */
  readonly panel: PanelName | null;
}

const BOX = 'picker w-[min(74rem,calc(100vw-2rem))] in-data-list:w-auto in-data-list:flex in-data-list:flex-col';

/** Chooses the page's model or matrix. A choice is previewed until confirmed; on a narrow page it opens at once. */
export function MatrixPicker({ onClose, isNarrow, panel: firstPanel }: MatrixPickerProps) {
  const source = useDocument((doc) => baseOf(doc.source));
  const window = useDocument((doc) => doc.window);
  const summary = useSession((s) => s.summary);
  const [panel, setPanel] = useState(firstPanel);
  const currentChoice = useMemo(() => choiceOf(source, window), [source, window]);
  const [changedChoice, setChangedChoice] = useState<Choice | null>(null);
  const choice = changedChoice ?? currentChoice;
  const [hoveredChoice, setHoveredChoice] = useState<Choice | null>(null);
  const [firstModel, setFirstModel] = useState<ModelShape | null>(currentChoice.selection?.model ?? null);
  const models = useMemo(() => modelsInOrder(firstModel), [firstModel]);
  const search = useSearch(models);
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  usePreview(hoveredChoice ?? changedChoice);
  useFocusOnChoice(box, choice);
  const hadPanel = useRef(false);
  useEffect(() => {
    // On a phone the keyboard would cover the choices, so the field gets no focus there.
    const focusTarget = isNarrow ? hadPanel.current && box.current?.querySelector('button') : field.current;
    if (panel === null && focusTarget) focusTarget.focus({ preventScroll: true });
    hadPanel.current = panel !== null;
  }, [isNarrow, panel]);

  const choose = useCallback((next: Choice): void => {
    setHoveredChoice(null);
    setChangedChoice(next);
  }, []);
  const { openChoice, confirm, confirmResult, confirmExample } = useChoiceActions(currentChoice, onClose);
  // On a phone there is no hover: what is pressed is opened at once, and the list stays open.
  const pick = (next: Choice): void => {
    choose(next);
    if (isNarrow) openChoice(next);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || panel !== null) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    const isField = target === field.current;
    if (!isField && !target?.matches('[role=option], [role=slider], [type=radio]')) return;
    if (search.isOn && isField) {
      const result = search.onKey(event.key);
      if (result === null) return; // not a key of the search
      if (result !== 'moved') confirmResult(result); // 'moved': an arrow key made another result the active one
    } else if (event.key === 'Enter') confirm(choice);
    else {
      const next = choiceAfterKey(choice, event.key, models, summary);
      if (next === null) {
        // Typing searches, wherever the focus is.
        if (!isField && event.key.length === 1 && event.key !== ' ') {
          field.current?.focus();
          event.stopPropagation();
        }
        return;
      }
      choose(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // The keys belong to the focused element inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={box} className={BOX} onKeyDown={onKeyDown}>
      {panel !== null ? (
        <MatrixPickerPanel
          panel={panel}
          choice={choice}
          onBack={() => setPanel(null)}
          onClose={onClose}
          onExample={confirmExample}
          onModel={(model) => {
            setFirstModel(model);
            choose(withModel(model));
            setPanel(null);
          }}
        />
      ) : (
        <>
          <MatrixPickerHead
            {...{ field, search, isNarrow }}
            level={choice.level}
            onLevel={(level) => choose(withLevel(choice, level))}
            onPanel={setPanel}
            onClose={onClose}
          />
          {search.isOn ? (
            <SearchResults
              {...search}
              onHover={(result) => setHoveredChoice(result?.kind === 'in-model' ? result.choice : null)}
              onConfirm={confirmResult}
            />
          ) : (
            <MatrixPickerColumns
              {...{ models, choice, isNarrow }}
              currentChoice={currentChoice}
              onChoose={pick}
              onDrag={choose}
              onHover={setHoveredChoice}
              onConfirm={() => confirm(choice)}
              onConfig={() => setPanel('config')}
            />
          )}
          {!isNarrow && !search.isOn && <Examples onChoose={confirmExample} onAll={() => setPanel('examples')} />}
          <OpenMatrix />
          <MatrixPickerFoot
            choice={choice}
            isChanged={changedChoice !== null}
            isNarrow={isNarrow}
            onConfirm={() => confirm(choice)}
            onPanel={setPanel}
            onClose={onClose}
          />
        </>
      )}
    </div>
  );
}

/** Moves the focus to the option that a key has chosen, if an option has the focus. */
function useFocusOnChoice(box: RefObject<HTMLElement | null>, choice: Choice): void {
  useEffect(() => {
    const focused = document.activeElement;
    if (!box.current?.contains(focused) || !focused?.matches('[role=option], [role=slider]')) return;
    const chosenSelector = '[data-level] [aria-selected="true"], [data-level] [role="slider"]';
    box.current.querySelector<HTMLElement>(chosenSelector)?.focus({ preventScroll: true });
  }, [box, choice]);
}

/** Shows a choice in the selection bar as long as the picker is open. */
function usePreview(choice: Choice | null): void {
  useEffect(() => {
    previewedCrumbs.setState(choice && crumbsOfChoice(choice), true);
  }, [choice]);
  useEffect(() => () => previewedCrumbs.setState(null, true), []);
}

interface SearchResultsProps {
  readonly results: readonly MatrixPickerResult[];
  readonly active: number;
  readonly onHover: (result: MatrixPickerResult | null) => void;
  readonly onConfirm: (result: MatrixPickerResult) => void;
}

/** The results of the search. The search field keeps the focus, and its keys choose a result. */
function SearchResults({ results, active, onHover, onConfirm }: SearchResultsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div className="min-h-72 px-4 pb-4 in-data-list:pt-3">
      <p className="unseen" role="status">
        {results.length} found.
      </p>
      {results.length === 0 && <p className="text-quiet py-2 px-2">Nothing found. Try: llama 8b layer 12 down.</p>}
      <div
        ref={list}
        id="picker-found"
        role="listbox"
        aria-label="Found"
        hidden={results.length === 0}
        onPointerLeave={() => onHover(null)}
      >
        {results.map((result, i) => (
          <button
            // Each result is listed once.
            key={`${result.kind} ${result.title}`}
            id={`picker-found-${i}`}
            type="button"
            role="option"
            aria-selected={i === active}
            tabIndex={-1}
            className="picker-option grid grid-cols-[1fr_auto] items-center gap-2 text-start w-full cursor-pointer rounded-md px-2 min-h-8"
            onPointerEnter={() => onHover(result)}
            onClick={() => onConfirm(result)}
          >
            <span>{result.title}</span>
            <span className="text-quiet">{result.description}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

interface MatrixPickerFootProps {
  readonly choice: Choice;
  readonly isChanged: boolean;
  readonly isNarrow: boolean;
  readonly onConfirm: () => void;
  readonly onPanel: (panel: PanelName) => void;
  readonly onClose: () => void;
}

/** At the foot of the picker: where the weights are from, the keys, and the button that confirms the choice. */
function MatrixPickerFoot({ choice, isChanged, isNarrow, onConfirm, onPanel, onClose }: MatrixPickerFootProps) {
  const { session } = useApp();
  const source = useDocument((doc) => baseOf(doc.source));
  const name = useSession((s) => s.summary?.name ?? null);
  const hasTensors = useSession((s) => s.summary?.read?.from.tensor !== undefined);
  const { selection } = choice;
  const crumbs = crumbsOfChoice(choice);
  return (
    <div className="flex flex-wrap items-center gap-y-2 gap-x-6 text-muted text-12 sticky bg-sunken border-t border-hairline bottom-0 z-1 min-h-12 py-2 px-6 in-data-list:static in-data-list:order-2 in-data-list:px-4 in-data-list:bg-transparent">
      <p className="underlined wrap-anywhere flex-[1_1_20rem]">
        {selection === null ? name : weightsText(selection)}{' '}
        {selection !== null && shippedId(selection.model) === null && (
          <TextButton className="text-start" onClick={() => onPanel('web')}>
            Load the real ones, {bytes(selection.matrix.bytes)} in f16
          </TextButton>
        )}
        {selection === null && source.kind === 'generated' && (
          <TextButton className="text-start" onClick={() => onPanel('generate')}>
            Generate another
          </TextButton>
        )}
        {selection === null && hasTensors && (
          <TextButton
            aria-haspopup="dialog"
            onClick={() => {
              onClose();
              void session.browseTensors();
            }}
          >
            Other tensors
          </TextButton>
        )}
      </p>
      {!isNarrow && (
        <p className="flex flex-wrap gap-y-1 gap-x-4 number" aria-hidden="true">
          <span>← → level</span>
          <span>↑ ↓ choice</span>
          <span>Enter choose</span>
          <span>Esc close</span>
        </p>
      )}
      {isChanged && !isNarrow && (
        <Button kind="solid" onClick={onConfirm}>
          Take {crumbs ? crumbs.names.at(-1) : 'this region'}
        </Button>
      )}
      <p className="unseen" role="status">
        {isChanged && crumbs ? `${crumbs.names.join(', ')}, ${crumbs.detail ?? ''}` : ''}
      </p>
    </div>
  );
}

/** The models by size, but `first` in front; null: none. */
function modelsInOrder(first: ModelShape | null): readonly ModelShape[] {
  return modelsWith(first).toSorted((a, b) => Number(b === first) - Number(a === first));
}

/** Figures of a matrix. Unusual ones (empty rows, NaN, infinities) are listed only if they occur. */
export function SummaryFigures({ summary }: { readonly summary: MatrixSummary }) {
  const approx = summary.isExpected ? '≈\u00a0' : '';
  const facts: readonly (readonly [string, string])[] = [
    ['rows × cols', shape(summary.rows, summary.cols)],
    ['non-zeros', approx + countText(summary.nnz)],
    ['left', approx + densityText(summary.density)],
    ['longest row', countText(summary.longestRow)],
    ...(summary.emptyRows > 0 ? [['empty rows', countText(summary.emptyRows)] as const] : []),
    // The largest finite magnitude; 0 if none is finite.
    [summary.infCount > 0 ? 'largest finite |value|' : 'largest |value|', value(summary.absMax)],
    ...(summary.nanCount > 0 ? [['NaN', countText(summary.nanCount)] as const] : []),
    ...(summary.infCount > 0 ? [['infinite', countText(summary.infCount)] as const] : []),
  ];
  return <Facts facts={facts} />;
}
