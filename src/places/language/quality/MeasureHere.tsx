import { useMemo } from 'react';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import type { Recipe } from '../../../language/stored/recipe.ts';
import { modelUrl } from '../../../kit/models/model-url.ts';
import { densityOf, type LanguageSubject } from '../subject.ts';
import { RECIPES } from './points.ts';
import type { KnownQuality } from './use-points.ts';
import { measureWords, whereWords } from './words.ts';

interface MeasureHereProps {
  readonly subject: LanguageSubject;
  readonly known: KnownQuality;
}

/** Measures points of the chart in this browser. */
export function MeasureHere({ subject: { model, pruning }, known }: MeasureHereProps) {
  const { recorded, measuring, mine, points, live } = known;
  const address = useMemo(() => ({ id: model.id, url: modelUrl(model.id) }), [model.id]);
  const density = densityOf(pruning);
  const way = pruning?.way === 'magnitude' || pruning?.way === 'rows' ? pruning.way : 'wanda';
  return (
    <section className="quality-measure">
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
      <p className="quiet">{measureWords(live.length > 0 ? live : points, recorded !== null, live.length)}</p>
    </section>
  );
}

/** The subject's density, with the dense model to compare with. */
function oneRecipe(density: number, way: 'magnitude' | 'rows' | 'wanda'): readonly Recipe[] {
  return density >= 1 ? RECIPES.slice(0, 1) : [RECIPES[0], { pruning: { way, density }, valueType: 'f16' }];
}
