import { useApp, useDocument } from '../../../kit/app-context.ts';
import { baseOf } from '../../../state/index.ts';
import type { ButtonsProps } from '../word.ts';
import { levelOf } from '../../chooser/crumbs.ts';
import { useCrumbs, useIsStandIn } from './use-crumbs.ts';

const STAND_IN = 'Random weights, until its file is opened';

/** Opens the panel that opens the model's file. */
export function LoadWeightsButton({ onOpen }: { readonly onOpen: (part: string) => void }) {
  return useIsStandIn() ? (
    <button
      type="button"
      className="word word--beside word-quiet quiet size-13"
      title={STAND_IN}
      onClick={() => onOpen('web')}
    >
      load the real ones
    </button>
  ) : null;
}

/** The breadcrumb: a name goes up to its level, the sign after it offers its neighbours, the last name opens the chooser. */
export function WeightsButtons({ isOpen, onOpen }: ButtonsProps) {
  const { session } = useApp();
  const source = useDocument((doc) => doc.source);
  const { names, detail, levels } = useCrumbs();
  const level = levelOf(source);
  const base = baseOf(source);
  const last = names.length - 1;
  const isStandIn = useIsStandIn();
  const climb = (to: 'model' | 'layer'): void => {
    if (base.kind !== 'model' || to === level) return onOpen();
    const { kind, model, layer } = base;
    void session.openModel(to === 'model' || layer === undefined ? { kind, model } : { kind, model, layer });
  };
  return (
    <span className="crumbs inline-flex items-center rounded" data-open={isOpen || undefined}>
      {levels.map((to, i) => (
        <span
          key={to}
          className={i > 0 ? 'crumb inline-flex items-center word-middle' : 'crumb inline-flex items-center'}
        >
          <button type="button" className="word crumb-name weight-500" data-word="of" onClick={() => climb(to)}>
            <span className="unseen">{to === 'model' ? 'Whole model: ' : 'Whole layer: '}</span>
            {names[i]}
          </button>
          <button
            type="button"
            className="word crumb-sign quiet min-w-6"
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
        <span className="word-gap quiet" aria-hidden="true">
          … ›
        </span>
      )}
      <button
        type="button"
        className="word crumb-name weight-500"
        data-word="of"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={isStandIn ? STAND_IN : undefined}
        onClick={() => onOpen()}
      >
        <span className="unseen">Weights: </span>
        <span>
          {names[last]}
          {detail !== null && <span className="word-quiet">,</span>}
        </span>
        {detail !== null && <span className="word-quiet number quiet weight-400"> {detail}</span>}
      </button>
      {isStandIn && <span className="word-quiet quiet size-12">random weights</span>}
    </span>
  );
}
