/* The items of the selection bar: matrix, pruning, formats A and B, device, tokens. */

import { Fragment, Suspense, useMemo } from 'react';
import { useStore } from 'zustand';
import { counted } from '../../core/text/words.ts';
import type { Pruning } from '../../engine/matrix/source-types.ts';
import { useDocument, useSession, useApp } from '../../kit/app-context.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { previewedPruning } from '../../kit/forms/use-density.ts';
import { writingModel } from '../../kit/frame/shell-context.ts';
import { densityText } from '../../kit/words/shares.ts';
import { baseOf } from '../../state/index.ts';
import { shippedModel } from '../../theory/models/known-models.ts';
import { type Crumbs, crumbsOf, levelOf, previewedCrumbs } from '../matrix-picker/crumbs.ts';
import { FormatALabel, FormatBLabel } from './FormatLabel.tsx';
import type { SelectionItem, ButtonsProps, ItemPart } from './selection-item.ts';

/** Whether the matrix has random weights instead of a model's. Models that come with the page have their weights. */
function useAreRandomWeights(): boolean {
  const base = useDocument((doc) => baseOf(doc.source));
  return base.kind === 'model' && shippedModel(base.model) === null;
}

/** The breadcrumb (model › layer › matrix) of what the matrix picker previews, else of the open matrix. */
function useCrumbs(): Crumbs {
  const { catalog } = useApp();
  const source = useDocument((doc) => doc.source);
  const summary = useSession((s) => s.summary);
  const previewed = useStore(previewedCrumbs);
  const current = useMemo(
    () => crumbsOf(source, summary, (id) => catalog.examples.find((one) => one.id === id)?.title ?? null),
    [source, summary, catalog],
  );
  return previewed ?? current;
}

/** Model, layer and matrix, or the single name of a matrix outside models, with its shape. */
function WeightsLabel() {
  const { names, detail } = useCrumbs();
  const last = names.length - 1;
  const writing = useStore(writingModel);
  const areRandomWeights = useAreRandomWeights();
  if (writing) return <b className="font-medium">{writing.name}</b>;
  return (
    <>
      {names.map((name, i) => {
        const isMiddle = i > 0 && i < last;
        return (
          // Names may repeat: a model may have the name of one of its matrices.
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={i}>
            {i > 0 && (
              <span
                className={isMiddle ? 'crumb-sign text-muted word-middle' : 'crumb-sign text-muted'}
                aria-hidden="true"
              >
                {' › '}
              </span>
            )}
            {i === last && last > 1 && (
              <span className="word-gap" aria-hidden="true">
                {'… › '}
              </span>
            )}
            <b className={isMiddle ? 'word-middle font-medium' : 'font-medium'}>{name}</b>
          </Fragment>
        );
      })}
      {detail !== null && <span className="word-quiet crumb-about crumb-aside number text-muted">, {detail}</span>}
      {areRandomWeights && <span className="crumb-aside text-muted">, random weights</span>}
    </>
  );
}

const PRUNING_WORDS = {
  magnitude: 'by magnitude',
  rows: 'by magnitude in every row',
  wanda: 'by Wanda',
  random: 'at random',
} as const;

/** The pruning of the model that writes text, if any; else the pruning that a slider previews, or the matrix's. */
function usePruning(): Pruning | null {
  const current = useDocument(({ source }) => (source.kind === 'pruned' ? source.pruning : null));
  const writing = useStore(writingModel);
  const previewed = useStore(previewedPruning);
  return writing ? writing.pruning : (previewed ?? current);
}

/** The words before the share that is left; none before 'not pruned'. */
function PrunedToText() {
  return usePruning() === null ? null : 'pruned to';
}

/** The share of weights that pruning left. A matrix that has zeros when opened may have been pruned before. */
function PrunedLabel() {
  const pruning = usePruning();
  const hasZeros = useSession((s) => (s.summary?.density ?? 1) < 0.95);
  // On a wide page this is a button, which names its action; on a narrow page it is text, which states a fact.
  if (pruning === null)
    return (
      <b className="word-unpruned font-medium">
        <span className={hasZeros ? 'lg:hidden' : undefined}>not pruned</span>
        {hasZeros && <span className="max-lg:hidden">prune further</span>}
      </b>
    );
  if (pruning.way === 'n-of-m') return <b className="font-medium">{`${pruning.kept}:${pruning.group}`}</b>;
  return (
    <>
      <b className="font-medium">{densityText(pruning.density)} left</b>
      <span className="word-quiet text-muted"> {PRUNING_WORDS[pruning.way]}</span>
    </>
  );
}

/** The word before B; none before 'compare with another'. */
function AgainstText() {
  return useDocument((doc) => doc.formatB) === null ? null : 'against';
}

function TokensLabel() {
  const tokens = useDocument((doc) => doc.tokens);
  return <b className="font-medium">{counted(tokens, 'token')}</b>;
}

const SelectedDeviceLabel = lazyPart(async () => (await import('./SelectedDeviceLabel.tsx')).SelectedDeviceLabel);

/** The device; its code is loaded after the first screen. */
function DeviceLabelInBar() {
  return (
    <Suspense fallback={<b className="font-medium">this device</b>}>
      <SelectedDeviceLabel />
    </Suspense>
  );
}

const WeightsPopover = lazyPart(async () => (await import('./weights/WeightsPopover.tsx')).WeightsPopover);
const PrunedPopover = lazyPart(async () => (await import('./weights/PrunedPopover.tsx')).PrunedPopover);
const FormatAPopover = lazyPart(async () => (await import('./FormatPopover.tsx')).FormatAPopover);
const FormatBPopover = lazyPart(async () => (await import('./FormatPopover.tsx')).FormatBPopover);
const DevicePopover = lazyPart(async () => (await import('./DevicePopover.tsx')).DevicePopover);
const TokensPopover = lazyPart(async () => (await import('./TokensPopover.tsx')).TokensPopover);

/** All items in the order of the selection bar. */
export const SELECTION_ITEMS: readonly SelectionItem[] = [
  {
    id: 'of',
    before: 'weights',
    name: 'Weights',
    Label: WeightsLabel,
    Popover: WeightsPopover,
    Buttons: WeightsButtons,
    Shortcut: LoadWeightsButton,
  },
  { id: 'pruned', before: <PrunedToText />, name: 'Pruned to', Label: PrunedLabel, Popover: PrunedPopover },
  { id: 'a', before: 'in', name: 'A', Label: FormatALabel, Popover: FormatAPopover },
  { id: 'b', before: <AgainstText />, name: 'B', Label: FormatBLabel, Popover: FormatBPopover },
  { id: 'on', before: 'on', name: 'Device', Label: DeviceLabelInBar, Popover: DevicePopover },
  { id: 'tokens', before: 'with', name: 'Tokens', Label: TokensLabel, Popover: TokensPopover },
];

const RANDOM_WEIGHTS_TITLE = 'Random weights, until its file is opened';

/** A button to the matrix picker's panel in which the model's files are opened; none if the weights are real. */
function LoadWeightsButton({ onOpen }: { readonly onOpen: (part: ItemPart) => void }) {
  return useAreRandomWeights() ? (
    <button
      type="button"
      className="word word--second word-quiet text-muted text-13"
      title={RANDOM_WEIGHTS_TITLE}
      onClick={() => onOpen('web')}
    >
      load the real ones
    </button>
  ) : null;
}

/** The breadcrumb as buttons: a name opens its model or layer, '›' lists others, the last name opens the picker. */
function WeightsButtons({ isOpen, onOpen }: ButtonsProps) {
  const { session } = useApp();
  const source = useDocument((doc) => doc.source);
  const { names, detail, levels } = useCrumbs();
  const level = levelOf(source);
  const base = baseOf(source);
  const last = names.length - 1;
  const areRandomWeights = useAreRandomWeights();
  const goUp = (to: 'model' | 'layer'): void => {
    if (base.kind !== 'model' || to === level) return onOpen();
    const { kind, model, layer } = base;
    void session.openModel(to === 'model' || layer === undefined ? { kind, model } : { kind, model, layer });
  };
  return (
    <span className="crumbs inline-flex items-center rounded-md" data-open={isOpen || undefined}>
      {levels.map((to, i) => (
        <span
          key={to}
          className={i > 0 ? 'crumb inline-flex items-center word-middle' : 'crumb inline-flex items-center'}
        >
          <button type="button" className="word crumb-name font-medium" data-word="of" onClick={() => goUp(to)}>
            <span className="unseen">{to === 'model' ? 'Whole model: ' : 'Whole layer: '}</span>
            {names[i]}
          </button>
          <button
            type="button"
            className="word crumb-sign text-muted min-w-6"
            data-word="of"
            aria-label={to === 'model' ? 'Other models' : 'Other layers'}
            aria-haspopup="dialog"
            onClick={() => onOpen(to)}
          >
            ›
          </button>
        </span>
      ))}
      {levels.length > 1 && (
        <span className="word-gap text-muted" aria-hidden="true">
          … ›
        </span>
      )}
      <button
        type="button"
        className="word crumb-name font-medium"
        data-word="of"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={areRandomWeights ? RANDOM_WEIGHTS_TITLE : undefined}
        onClick={() => onOpen()}
      >
        <span className="unseen">Weights: </span>
        <span>
          {names[last]}
          {detail !== null && <span className="word-quiet">,</span>}
        </span>
        {detail !== null && <span className="word-quiet number text-muted font-normal"> {detail}</span>}
      </button>
      {areRandomWeights && <span className="word-quiet text-muted text-12">random weights</span>}
    </span>
  );
}
