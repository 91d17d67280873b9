import { useCallback, useMemo, useState } from 'react';
import { densityOf, type LanguageSubject, withDensity } from '../subject.ts';
import { usePrune } from '../use-pruning.ts';
import { BreaksFirst } from './BreaksFirst.tsx';
import { BytesChart } from './BytesChart.tsx';
import { DensityChart } from './DensityChart.tsx';
import { leadOf, useFollow } from './leads.ts';
import { MeasureHere } from './MeasureHere.tsx';
import { denseOf, type QualityPoint } from './points.ts';
import { PUBLISHED_ACCURACY, PUBLISHED_SOURCES, publishedLoss } from './published.ts';
import { UnbrokenChart } from './UnbrokenChart.tsx';
import type { KnownQuality } from './use-points.ts';
import { bytesWords } from './words.ts';

interface QualityChartsProps {
  readonly subject: LanguageSubject;
  readonly known: KnownQuality;
}

/** Quality by density; unfolded also unbroken tales, what breaks first, and quality by bytes. */
export function QualityCharts({ subject, known }: QualityChartsProps) {
  const { model, pruning } = subject;
  const { recorded, points, live, bytesPerTale, denseBytes, floor } = known;
  const prune = usePrune(subject);
  const [moved, setMoved] = useState<number | null>(null);
  const [isOpen, setOpen] = useState(false);
  const density = densityOf(pruning);
  const dense = denseOf(points);
  const judged = dense?.judged ?? 0;
  const shown = moved ?? density;
  const ghosts = useMemo(
    () => (recorded && dense ? [publishedLoss(recorded, dense.above, shown)] : []),
    [recorded, dense, shown],
  );
  const pick = useFollow(subject);
  const leads = useCallback((point: QualityPoint) => leadOf(point, model) !== null, [model]);
  const caption = `${model.shape.name}, ${recorded ? `${recorded.tales} tales, recorded` : 'measured in this browser'}`;
  return (
    <>
      <section className="quality-chart">
        <h3>
          Bits per byte above the floor <span className="quiet">by density</span>
        </h3>
        <DensityChart
          caption={caption}
          points={points}
          isGrowing={recorded === null}
          live={live}
          floor={floor}
          ghosts={ghosts}
          density={shown}
          bytesPerTale={bytesPerTale}
          onMove={setMoved}
          onRelease={() => {
            if (moved !== null && moved !== density) prune(withDensity(pruning, Math.round(100 * moved) / 100));
            setMoved(null);
          }}
          leads={leads}
          onPick={pick}
        />
      </section>
      <MeasureHere subject={subject} known={known} />
      <details className="disclosure" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Unbroken tales, what breaks first, and bytes</summary>
        {isOpen && (
          <div className="quality-columns">
            <section className="quality-chart">
              <h3>
                Unbroken tales{' '}
                <span className="quiet">{judged > 0 ? `of ${judged}, by the judge` : 'by the judge'}</span>
              </h3>
              <UnbrokenChart
                caption={caption}
                points={points}
                live={live}
                ghosts={recorded ? PUBLISHED_ACCURACY : []}
                density={shown}
              />
            </section>
            <section className="quality-chart">
              <h3>
                What breaks first{' '}
                <span className="quiet">{judged > 0 ? `first broken law of ${judged} tales` : 'first broken law'}</span>
              </h3>
              <BreaksFirst points={points} shown={density} />
              {recorded && <p className="quality-note quiet">{PUBLISHED_SOURCES}</p>}
            </section>
            <section className="quality-chart">
              <h3>
                Bits per byte above the floor, by bytes <span className="quiet">{bytesWords(points)}</span>
              </h3>
              <BytesChart
                caption={caption}
                points={points}
                denseBytes={denseBytes}
                bytesPerTale={bytesPerTale}
                leads={leads}
                onPick={pick}
              />
            </section>
          </div>
        )}
      </details>
    </>
  );
}
