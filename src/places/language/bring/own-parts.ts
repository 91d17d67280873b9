import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import type { ModelAddress } from '../../../engine/models/loaded-models.ts';
import { BLOCK_MATRICES } from '../../../language/decoder.ts';
import type { PartsLost } from '../curve/HeatMap.tsx';
import { partKey } from '../curve/part-key.ts';
import { NewestWork, type Working } from '../newest-work.ts';
import type { OwnParts } from '../service/own-text-types.ts';
import type { language } from '../service/service.ts';
import { ownTextProblem } from './own-measuring.ts';

/** How much is left of a part that is pruned alone. */
export const PART_DENSITY = 0.3;

interface PartsState extends Working {
  /** id of the model, and the text, that were measured; null: none were */
  readonly of: { readonly model: string; readonly text: string } | null;
  /** bits lost, by `partKey` */
  readonly lost: ReadonlyMap<string, number>;
  /** once all were measured */
  readonly whole: OwnParts | null;
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
