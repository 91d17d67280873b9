import { useEffect, useEffectEvent, useMemo } from 'react';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import type { RecordedQuality } from '../../../language/quality/recorded.ts';
import type { ShownFigure } from './address.ts';
import { Bars } from './Bars.tsx';
import { measured } from './facts.ts';
import { recipeOf } from './rows.ts';
import { LIVE_TALES, useLive } from './use-live.ts';

interface ComparedProps {
  readonly quality: RecordedQuality;
  readonly shown: ShownFigure;
  /** names of measured models */
  readonly rows: readonly string[];
  /** what would give an answer away is not shown */
  readonly hidden: boolean;
  /** an answer is waited for, or was given: the model measures it by itself then */
  readonly isAsked: boolean;
  readonly wide: boolean;
}

const TITLES: Readonly<Record<ShownFigure, string>> = {
  bits: 'Bits for each byte',
  unbroken: 'Unbroken tales',
  laws: 'What breaks first',
};

/** Measured models side by side: what was recorded, and below it what is measured in this browser. */
export function Compared({ quality, shown, rows: names, hidden, isAsked, wide }: ComparedProps) {
  const rows = useMemo(() => names.map((name) => measured(quality, name)), [quality, names]);
  const live = useLive(quality.model, rows, shown !== 'bits');
  // A phone is asked before it loads a model.
  const startSoon = useEffectEvent(() => {
    if (wide) live.start();
  });
  useEffect(() => {
    if (isAsked && !hidden) startSoon();
  }, [isAsked, hidden]);
  const canMeasure = !hidden && rows.some((row) => recipeOf(row) !== null);
  return (
    <>
      <h3 className="models-title">
        {TITLES[shown]}{' '}
        <span className="section-caption">
          {shown === 'bits' ? 'less is better' : `of ${quality.tales} tales that each model wrote`}
        </span>
      </h3>
      <Bars quality={quality} shown={shown} rows={rows} found={live.found} hidden={hidden} />
      <div className="models-live" role="status">
        {live.running && <JobProgress job={live.running} onCancel={live.stop} />}
        {live.error !== null && <p className="text-error">{live.error}</p>}
        <p className="lesson-models-source">
          Recorded on {quality.tales} tales{shown === 'bits' && ' that no model had read'}, {quality.date}.{' '}
          {live.found.size > 0 &&
            `The thin bars are measured here, on ${LIVE_TALES} tales${shown === 'bits' ? ', with a floor of their own' : ''}. `}
          {canMeasure && live.running === null && live.found.size === 0 && (
            <button type="button" className="text-button" onClick={live.start}>
              Measure it here, on {LIVE_TALES} tales
            </button>
          )}
        </p>
      </div>
    </>
  );
}
