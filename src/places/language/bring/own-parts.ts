import { createStore, type StoreApi } from 'zustand/vanilla';
import { Newest } from '../../../engine/bridge/newest.ts';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import type { ModelAddress } from '../../../engine/models/loaded-models.ts';
import { BLOCK_MATRICES } from '../../../language/decoder.ts';
import { asSentence, newJob, type RunningJob } from '../../../state/index.ts';
import type { PartsLost } from '../curve/HeatMap.tsx';
import { partKey } from '../curve/part-key.ts';
import type { OwnParts } from '../service/own-text-types.ts';
import type { language } from '../service/service.ts';
import { ownTextProblem } from './own-measuring.ts';

/** How much is left of a part that is pruned alone. */
export const PART_DENSITY = 0.3;

interface PartsState {
  /** id of the model, and the text, that were measured; null: none were */
  readonly of: { readonly model: string; readonly text: string } | null;
  /** bits lost, by `partKey` */
  readonly lost: ReadonlyMap<string, number>;
  /** once all were measured */
  readonly whole: OwnParts | null;
  readonly running: RunningJob | null;
  readonly error: string | null;
}

/** What parts of a model cost on the beginning of a text, each pruned alone. */
export interface MeasuringParts {
  readonly store: StoreApi<PartsState>;
  /** Measures all parts; what was measured stays where it is stopped. */
  measure(model: ModelAddress, text: string): Promise<void>;
  stop(): void;
}

export function createMeasuringParts(service: Pick<ServiceOf<typeof language>, 'ownParts'>): MeasuringParts {
  const store = createStore<PartsState>()(() => ({
    of: null,
    lost: new Map(),
    whole: null,
    running: null,
    error: null,
  }));
  const newest = new Newest();
  return {
    store,
    async measure(model, text) {
      const problem = ownTextProblem(text);
      if (problem !== null) return store.setState({ error: problem });
      const turn = newest.begin();
      store.setState({
        of: { model: model.id, text },
        lost: new Map(),
        whole: null,
        running: newJob('Measuring where it hurts'),
        error: null,
      });
      try {
        const whole = await service.ownParts(
          {
            signal: turn.signal,
            onProgress: (progress) => {
              if (turn.isNewest) store.setState(({ running }) => ({ running: running && { ...running, progress } }));
            },
          },
          { model, text, density: PART_DENSITY },
          (part, lost) => {
            if (turn.isNewest)
              store.setState((state) => ({ lost: new Map(state.lost).set(partKey(part.layer, part.kind), lost) }));
          },
        );
        if (turn.isNewest) store.setState({ running: null, whole });
      } catch (failure) {
        if (!turn.isNewest) return;
        const isCancelled = failure instanceof Error && failure.name === 'CancelledError';
        const message = failure instanceof Error ? failure.message : String(failure);
        store.setState({ running: null, error: isCancelled ? 'Stopped.' : asSentence(message) });
      }
    },
    stop() {
      newest.cancel();
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
