import { useMemo } from 'react';
import { useStore } from 'zustand';
import { counted } from '../../../../core/story/words.ts';
import { type App, useApp } from '../../../../kit/app-context.ts';
import { JobProgress } from '../../../../kit/controls/JobProgress.tsx';
import { BLOCK_MATRICES, blockMatrices } from '../../decoders/decoder.ts';
import { modelUrl } from '../../overrides/model-url.ts';
import { HeatMap, type PartsLost } from '../curve/HeatMap.tsx';
import type { LanguageService } from '../service/service.ts';
import type { LanguageSubject } from '../subject.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServiceOf } from '../../../../engine/bridge/service.ts';
import type { ModelAddress } from '../../models/loaded-models.ts';
import { partKey } from '../curve/part-key.ts';
import { NewestWork, type Working } from '../newest-work.ts';
import type { OwnParts } from '../service/own-text-types.ts';
import { ownTextProblem } from './own-measuring.ts';

/** How much is left of a part that is pruned alone. */
const PART_DENSITY = 0.3;

interface PartsState extends Working {
  /** id of the model, and the text, that were measured; null: none were */
  readonly of: { readonly model: string; readonly text: string } | null;
  /** bits lost, by `partKey` */
  readonly lost: ReadonlyMap<string, number>;
  /** once all were measured */
  readonly whole: OwnParts | null;
}

/** What parts of a model cost on the beginning of a text, each pruned alone. */
interface MeasuringParts {
  readonly store: StoreApi<PartsState>;
  /** Measures all parts; what was measured stays where it is stopped. */
  measure(model: ModelAddress, text: string): Promise<void>;
  stop(): void;
}

export function createMeasuringParts(service: Pick<ServiceOf<LanguageService>, 'ownParts'>): MeasuringParts {
  const store = createStore<PartsState>()(() => ({
    of: null,
    lost: new Map(),
    whole: null,
    running: null,
    error: null,
  }));
  const newest = new NewestWork(store);
  return {
    store,
    async measure(model, text) {
      const problem = ownTextProblem(text);
      if (problem !== null) return store.setState({ error: problem });
      store.setState({ of: { model: model.id, text }, lost: new Map(), whole: null });
      const whole = await newest.run('Measuring where it hurts', (watch) =>
        service.ownParts(watch, { model, text, density: PART_DENSITY }, ({ layer, kind }, lost) => {
          if (watch.isNewest)
            store.setState((state) => ({ lost: new Map(state.lost).set(partKey(layer, kind), lost) }));
        }),
      );
      if (whole) store.setState({ whole });
    },
    stop() {
      newest.stop();
    },
  };
}

/** The same as a map of heat reads it. */
export function partsLost(lost: ReadonlyMap<string, number>): PartsLost {
  const of = (layer: number | null, kind: number | null): number | null =>
    lost.get(partKey(layer, kind === null ? null : BLOCK_MATRICES[kind])) ?? null;
  return {
    matrix: (layer, kind) => of(layer, kind),
    layer: (layer) => of(layer, null),
    kind: (kind) => of(null, kind),
  };
}

const partsOfApp = new WeakMap<App['session'], MeasuringParts>();

/** The page's measurement: it stays when the place is left. */
function useMeasuringParts(): MeasuringParts {
  const { session, engine } = useApp();
  const known = partsOfApp.get(session);
  if (known) return known;
  const made = createMeasuringParts(engine.service<LanguageService>('language'));
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
