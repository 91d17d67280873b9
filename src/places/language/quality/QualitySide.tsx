import { useMemo } from 'react';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { BLOCK_MATRICES } from '../../../language/decoder.ts';
import type { Recipe } from '../../../language/stored/recipe.ts';
import { modelUrl } from '../../../kit/models/model-url.ts';
import { densityOf, type LanguageSubject } from '../subject.ts';
import { HeatMap, type PartsLost } from '../curve/HeatMap.tsx';
import { partKey } from '../curve/part-key.ts';
import type { MeasuringState } from './measuring.ts';
import { RECIPES } from './points.ts';
import type { KnownQuality } from './use-points.ts';
import { hurtWords, measureWords, whereWords } from './words.ts';

/** How much is left of a part that is pruned alone. */
const PART_DENSITY = 0.3;
const PART_TALES = 6;

interface QualitySideProps {
  readonly subject: LanguageSubject;
  readonly known: KnownQuality;
}

/** What is measured in this browser: points, and the parts that hurt. */
export function QualitySide({ subject, known }: QualitySideProps) {
  const { model, pruning } = subject;
  const { recorded, measuring, mine, live } = known;
  const address = useMemo(() => ({ id: model.id, url: modelUrl(model.id) }), [model.id]);
  const { layers } = model.shape;
  const density = densityOf(pruning);
  const way = pruning?.way === 'magnitude' || pruning?.way === 'rows' ? pruning.way : 'wanda';
  const isBusy = mine?.running != null;
  const lost = useMemo(() => partsLost(recorded?.sensitivity ?? null, mine?.parts), [recorded, mine?.parts]);
  return (
    <aside className="quality-side">
      <section>
        <h3>
          Measure it here{' '}
          <span className="quiet">{whereWords([...(mine?.points.values() ?? [])].map((one) => one.measured))}</span>
        </h3>
        {mine?.running ? (
          <JobProgress job={mine.running} onCancel={measuring.stop} />
        ) : (
          <p className="quality-actions">
            <button
              type="button"
              className="button"
              onClick={() => void measuring.measure(address, recorded ? oneRecipe(density, way) : RECIPES)}
            >
              {recorded ? 'Measure this density' : `Measure all ${RECIPES.length} ways`}
            </button>
            {recorded && (
              <button type="button" className="text-button" onClick={() => void measuring.measure(address, RECIPES)}>
                all {RECIPES.length} ways
              </button>
            )}
          </p>
        )}
        {mine?.error && <p className="problem">{mine.error}</p>}
        <p className="quiet">{measureWords(live.length > 0 ? live : known.points, recorded !== null, live.length)}</p>
      </section>
      <section>
        <h3>
          Where it hurts <span className="quiet">bits a tale, if only this is pruned to 30 %</span>
        </h3>
        <HeatMap layers={layers} lost={lost} />
        <p className="quiet">{hurtWords(lost, layers)}</p>
        <p className="quality-actions">
          <button
            type="button"
            className="text-button"
            aria-disabled={isBusy}
            onClick={isBusy ? undefined : () => void measuring.sensitivity(address, PART_DENSITY, PART_TALES)}
          >
            measure the map here, on {PART_TALES} tales
          </button>
        </p>
      </section>
    </aside>
  );
}

/** What was measured here, and otherwise recorded, of each part. */
function partsLost(
  recorded: NonNullable<KnownQuality['recorded']>['sensitivity'],
  parts: MeasuringState['parts'] | undefined,
): PartsLost {
  const of = (layer: number | null, kind: number | null): number | null =>
    parts?.get(partKey(layer, kind === null ? null : BLOCK_MATRICES[kind]))?.mean ?? null;
  return {
    matrix: (layer, kind) => of(layer, kind) ?? recorded?.byMatrix[layer]?.[kind] ?? null,
    layer: (layer) => of(layer, null) ?? recorded?.byLayer[layer] ?? null,
    kind: (kind) => of(null, kind) ?? recorded?.byKind[kind] ?? null,
  };
}

/** The subject's density, with the dense model to compare with. */
function oneRecipe(density: number, way: 'magnitude' | 'rows' | 'wanda'): readonly Recipe[] {
  return density >= 1 ? RECIPES.slice(0, 1) : [RECIPES[0], { pruning: { way, density }, valueType: 'f16' }];
}
