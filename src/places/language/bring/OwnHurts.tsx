import { useMemo } from 'react';
import { useStore } from 'zustand';
import { counted } from '../../../core/story/words.ts';
import { type App, useApp } from '../../../kit/app-context.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { blockMatrices } from '../../../language/decoder.ts';
import { modelUrl } from '../../../kit/models/model-url.ts';
import { HeatMap } from '../curve/HeatMap.tsx';
import type { language } from '../service/service.ts';
import type { LanguageSubject } from '../subject.ts';
import { createMeasuringParts, type MeasuringParts, PART_DENSITY, partsLost } from './own-parts.ts';

const partsOfApp = new WeakMap<App['session'], MeasuringParts>();

/** The page's measurement: it stays when the place is left. */
function useMeasuringParts(): MeasuringParts {
  const { session, engine } = useApp();
  const known = partsOfApp.get(session);
  if (known) return known;
  const made = createMeasuringParts(engine.service<typeof language>('language'));
  partsOfApp.set(session, made);
  return made;
}

interface OwnHurtsProps {
  readonly model: LanguageSubject['model'];
  readonly text: string;
}

/** Which layers, kinds and matrices of a brought model cost most on the beginning of a text if they alone are pruned. */
export function OwnHurts({ model, text }: OwnHurtsProps) {
  const measuring = useMeasuringParts();
  const state = useStore(measuring.store);
  const isOfText = state.of?.model === model.id && state.of.text === text;
  const lost = useMemo(() => partsLost(state.lost), [state.lost]);
  const left = Math.round(100 * PART_DENSITY);
  const isMeasured = isOfText && state.lost.size > 0;
  return (
    <section className="own-hurts" aria-label="Where it hurts">
      <h3 className="side-head">
        Where it hurts{' '}
        <span className="section-caption">bits of your text lost, if only this is pruned to {left} % in its rows</span>
      </h3>
      {isMeasured && <HeatMap layers={model.shape.layers} kinds={blockMatrices(model.shape)} lost={lost} />}
      {isOfText && state.whole && (
        <p className="quiet">
          Measured on the CPU, on its first {counted(state.whole.tokens, 'token')}, which cost{' '}
          {state.whole.bits.toFixed(1)} bits not pruned. Matrices, layers and kinds get a density of their own below the
          text, in Text.
        </p>
      )}
      {state.error !== null && state.running === null && (
        <p className="problem" role="alert">
          {state.error}
        </p>
      )}
      {state.running ? (
        <JobProgress job={state.running} onCancel={measuring.stop} />
      ) : (
        <p className="own-text-actions">
          <button
            type="button"
            className="button"
            onClick={() => void measuring.measure({ id: model.id, url: modelUrl(model.id) }, text)}
          >
            Measure where it hurts
          </button>
        </p>
      )}
    </section>
  );
}
