// The tab Quality: how well a model predicts tales at each density.

import './quality.css';
import { useCallback, useMemo, useState } from 'react';
import { AnswerLine } from '../../../../src/kit/frame/AnswerLine.tsx';
import { isImported } from '../../theory/imported.ts';
import { UserQuality } from '../bring/UserQuality.tsx';
import type { TabProps } from '../tab.ts';
import { TabAside } from '../TabAside.tsx';
import { qualityAnswer } from './answer.ts';
import { brokenFirst, commonLaws } from './broken-laws.ts';
import { asideTexts, bytesWords, measureText, whereText, QUALITY_TITLE } from './quality-words.ts';
import { curveOf, denseOf, pointName, type QualityPoint, RECIPES, SPENSE } from './points.ts';
import { type KnownQuality, useKnownQuality } from './use-known-quality.ts';
import { densityOf, type LanguageModelChoice, sourceOf, withDensity } from '../model-choice.ts';
import { usePrune } from '../use-change-model.ts';
import { BytesChart } from './BytesChart.tsx';
import { DensityChart } from './DensityChart.tsx';
import { InputsUsed } from './InputsUsed.tsx';
import { UnbrokenChart } from './UnbrokenChart.tsx';
import { PRUNED_ACCURACY, PRUNED_PERPLEXITY } from '../../../../src/theory/models/published-losses.ts';
import { aboveFloor } from '../curve/above-floor.ts';
import type { PublishedPoint } from './Marks.tsx';
import { JobProgress } from '../../../../src/kit/controls/JobProgress.tsx';
import type { Recipe } from '../../decoders/stored/recipe.ts';
import type { Pruning } from '../../../../src/engine/matrix/source-types.ts';
import { useApp } from '../../../../src/kit/app-context.ts';
import { Button, TextButton } from '../../../../src/kit/controls/Button.tsx';
import { REFERENCE_FORMAT, withChosen, withSource } from '../../../../src/state/index.ts';
import { SHIPPED_MODELS, type ShippedModel, shippedModel } from '../../../../src/theory/models/known-models.ts';
import { LANGUAGE_FIELDS, withTab } from '../address.ts';
import { allMatrices, type MatrixChoice, type MatrixPruning, withOverrides } from '../../overrides/matrix-overrides.ts';
import { overridesField } from '../../overrides/overrides-field.ts';
import { TabDetails } from '../TabDetails.tsx';

/** The target of a click on a point: a pruning in the selection bar, choices in the tab Text, or a model. */
type PointTarget =
  | { readonly to: 'sentence'; readonly pruning: Pruning | null }
  | { readonly to: 'own'; readonly choice: MatrixChoice }
  | { readonly to: 'model'; readonly model: ShippedModel };

/** The shipped model that was trained after pruning: its id, the model that was pruned, and to which density. */
const TRAINED = { id: 'tales-pruned', origin: SHIPPED_MODELS[0].id, density: 0.25 };

/** What a click on a point opens; null if this page cannot show a text of that model. */
export function targetOf(point: QualityPoint, { id }: Pick<ShippedModel, 'id'>): PointTarget | null {
  const { method, density, pattern, valueType, trained } = point;
  if (trained > 0) {
    // Of the models that were trained after pruning, only one is shipped; the others have no text.
    const isShipped = id === TRAINED.origin && pattern === null && Math.abs(density - TRAINED.density) < 1e-9;
    const model = isShipped && valueType === 'f16' ? shippedModel(TRAINED.id) : null;
    return model && { to: 'model', model };
  }
  if (valueType === 'f16' && (point.pruning !== null || method === 'none'))
    return { to: 'sentence', pruning: point.pruning };
  const pruning = userPruning(point);
  if (pruning === null) return null;
  // Every value type can be stored in the reference format.
  return { to: 'own', choice: valueType === 'f16' ? { pruning } : { pruning, valueType, format: REFERENCE_FORMAT } };
}

/** The pruning of a point as the tab Text can choose it for single matrices; null if it cannot. */
function userPruning({ method, density, pattern }: QualityPoint): MatrixPruning | null {
  if (method === 'none') return { way: method };
  // The tab Text has N:M alone.
  if (pattern === SPENSE) return null;
  if (pattern !== null) {
    const [keptOfGroup, group] = pattern.split(':').map(Number);
    return { way: 'n-of-m', kept: keptOfGroup, group, by: method === 'wanda' ? 'wanda' : 'magnitude' };
  }
  return method === 'random' || Number.isNaN(density) ? null : { way: method, density };
}

/** A function that opens a point: sets the pruning in the selection bar if possible, else opens the tab Text. */
function useOpenPoint(modelChoice: LanguageModelChoice): (point: QualityPoint) => void {
  const { model } = modelChoice;
  const { session, document, formats, announce } = useApp();
  const prune = usePrune(modelChoice);
  return useCallback(
    (point) => {
      const target = targetOf(point, model);
      if (target === null) return;
      const doc = document.getState();
      if (target.to === 'sentence') {
        document.setState(withChosen(doc, LANGUAGE_FIELDS, { own: '' }));
        prune(target.pruning);
        announce(`${target.pruning === null ? 'Nothing is pruned' : 'Pruned'}: Text shows what it writes`);
      } else if (target.to === 'model') {
        const textTab = withTab(withChosen(doc, LANGUAGE_FIELDS, { own: '' }), 'text');
        void session.restore(withSource(textTab, sourceOf(target.model, null)));
      } else {
        const overrides = withOverrides([], allMatrices(model.shape), target.choice);
        const text = overridesField(formats.map(({ id }) => id)).write(overrides);
        document.setState(withTab(withChosen(doc, LANGUAGE_FIELDS, { own: text }), 'text'));
      }
    },
    [model, session, document, formats, announce, prune],
  );
}

/** How many laws of a tale (spelling, grammar ...: tales/judge.ts) have separate tints; all others share one. */
const NAMED_LAWS = 5;
const TINTS = [100, 72, 52, 38, 26, 16] as const;
const lawStyle = (law: number) => ({ background: `color-mix(in oklab, var(--danger) ${TINTS[law]}%, var(--ground))` });

/** The laws that tales broke first: a bar for each point. `currentDensity`: the page's density, whose row is emphasised. */
export function BreaksFirst({
  points,
  shown: currentDensity,
}: {
  readonly points: readonly QualityPoint[];
  readonly shown: number;
}) {
  const judged = points.filter((p) => p.judged > 0);
  const dense = denseOf(judged);
  const densities = [...new Set([0.6, 0.5, 0.4, currentDensity])].toSorted((a, b) => b - a);
  const rows = [
    ...(dense ? [dense] : []),
    ...curveOf(judged, 'wanda').filter((p) => p !== dense && densities.some((d) => Math.abs(d - p.density) < 1e-9)),
  ];
  if (rows.length === 0) return <p className="text-muted">No tale judged yet.</p>;
  const laws = commonLaws(rows, NAMED_LAWS);
  return (
    <>
      <ul className="grid grid-cols-[max-content_minmax(0,1fr)_max-content] items-center gap-x-3 gap-y-4 my-4">
        {rows.map((point) => {
          const broken = brokenFirst(point, laws);
          const brokenCount = broken.reduce((sum, { count }) => sum + count, 0);
          const words = broken.map(({ law, count }) => `${law} ${count}`).join(', ');
          return (
            <li
              className="grid grid-cols-subgrid items-center text-12 col-span-full data-shown:font-semibold"
              key={point.id}
              data-shown={Math.abs(point.density - currentDensity) < 1e-9 || undefined}
            >
              <span>{pointName(point)}</span>
              <span
                className="flex bg-sunken h-3.5"
                role="img"
                aria-label={`${brokenCount} of ${point.judged} tales broken: ${words}`}
              >
                {broken.map(({ law, count }) => (
                  <span
                    key={law}
                    title={`${law}: ${count} of ${point.judged}`}
                    className="border-e border-ground"
                    style={{
                      ...lawStyle(law === 'other' ? NAMED_LAWS : laws.indexOf(law)),
                      inlineSize: `${(100 * count) / point.judged}%`,
                    }}
                  />
                ))}
              </span>
              <span className="number">
                {brokenCount} of {point.judged}
              </span>
            </li>
          );
        })}
      </ul>
      <ul className="flex flex-wrap gap-y-1 gap-x-4 text-muted text-12" aria-hidden="true">
        {[...laws, 'other'].map((law, i) => (
          <li className="flex items-center gap-2" key={law}>
            <span className="size-2.5" style={lawStyle(i)} />
            {law}
          </li>
        ))}
      </ul>
    </>
  );
}

/**
 * What pruning costs in bits per byte, by a published perplexity: bits per token over bytes per token. The label is on
 * the side of the chart away from the line at `density`.
 */
export function publishedLoss(denseAbove: number, density: number): PublishedPoint {
  const { dense, pruned, bytesPerToken } = PRUNED_PERPLEXITY;
  const bits = Math.log2(pruned / dense) / bytesPerToken;
  return {
    id: 'llama',
    x: PRUNED_PERPLEXITY.density,
    y: aboveFloor(denseAbove + bits),
    text: [
      `◇ ${PRUNED_PERPLEXITY.model}`,
      `by ${PRUNED_PERPLEXITY.pruning}, published:`,
      `perplexity ${PRUNED_PERPLEXITY.dense} to ${PRUNED_PERPLEXITY.pruned.toFixed(1)}`,
    ],
    textAt: { ...labelSide(density), y: aboveFloor(CLEAR_EXCESS) },
  };
}

/** Bits per byte above the floor, at which a label covers no line: there are none between the floor and 0.001. */
const CLEAR_EXCESS = 0.00072;

/** The side of the chart away from a density, for labels. */
const labelSide = (density: number) =>
  density > 0.55 ? ({ x: 0.06, anchor: 'start' } as const) : ({ x: 0.98, anchor: 'end' } as const);

const accuracyText = ({ pruning, accuracy }: (typeof PRUNED_ACCURACY.points)[number]): string =>
  `${pruning} ${accuracy.toFixed(1)}`;

/** Published accuracies, as shares. Their label is above the curves, away from the line at `density`. */
export function publishedAccuracy(density: number): readonly PublishedPoint[] {
  return PRUNED_ACCURACY.points.map(({ density: pointDensity, accuracy }, i, points) => ({
    id: `qwen ${pointDensity}`,
    x: pointDensity,
    y: accuracy / 100,
    text:
      i === 0
        ? [
            `◇ ${PRUNED_ACCURACY.model}`,
            `accuracy, published: ${accuracy.toFixed(1)},`,
            `${points.slice(1).map(accuracyText).join(', ')} %`,
          ]
        : [],
    textAt: { ...labelSide(density), y: 0.94 },
  }));
}

export const PUBLISHED_SOURCES = `Diamonds: ${PRUNED_PERPLEXITY.model} by ${PRUNED_PERPLEXITY.pruning} (EC-SpMV, ${PRUNED_PERPLEXITY.bytesPerToken} bytes a token); ${PRUNED_ACCURACY.model} (SlideSparse).`;

interface QualityChartsProps {
  readonly modelChoice: LanguageModelChoice;
  readonly quality: KnownQuality;
}

/** The chart of quality by the share of weights left, buttons that measure here, and collapsible sections. */
function QualityCharts({ modelChoice, quality }: QualityChartsProps) {
  const { model, pruning } = modelChoice;
  const { recorded, points, live, bytesPerTale, denseBytes, floor } = quality;
  const prune = usePrune(modelChoice);
  const [draggedDensity, setDraggedDensity] = useState<number | null>(null);
  const density = densityOf(pruning);
  const dense = denseOf(points);
  const visibleDensity = draggedDensity ?? density;
  const published = useMemo(
    () => (recorded && dense ? [publishedLoss(dense.excessBits, visibleDensity)] : []),
    [recorded, dense, visibleDensity],
  );
  const accuracies = useMemo(() => (recorded ? publishedAccuracy(visibleDensity) : []), [recorded, visibleDensity]);
  const pick = useOpenPoint(modelChoice);
  const hasTarget = useCallback((point: QualityPoint) => targetOf(point, model) !== null, [model]);
  const caption = `${model.shape.name}, ${recorded ? `${recorded.tales} tales, recorded` : 'measured in this browser'}`;
  return (
    <>
      <section className="min-w-0">
        <h3 className="mb-2">
          {QUALITY_TITLE} <span className="section-caption">bits per byte, by density</span>
        </h3>
        <DensityChart
          caption={caption}
          points={points}
          isGrowing={recorded === null}
          live={live}
          floor={floor}
          published={published}
          density={visibleDensity}
          bytesPerTale={bytesPerTale}
          onMove={setDraggedDensity}
          onRelease={() => {
            if (draggedDensity !== null && draggedDensity !== density)
              prune(withDensity(pruning, Math.round(100 * draggedDensity) / 100));
            setDraggedDensity(null);
          }}
          hasTarget={hasTarget}
          onPick={pick}
        />
      </section>
      <MeasureHere modelChoice={modelChoice} quality={quality} />
      <TabDetails
        sections={[
          {
            id: 'unbroken',
            title: 'unbroken tales',
            content: (
              <>
                <UnbrokenChart
                  caption={caption}
                  points={points}
                  live={live}
                  published={accuracies}
                  density={visibleDensity}
                />
                {recorded && <p className="text-12 mt-5 text-muted">{PUBLISHED_SOURCES}</p>}
              </>
            ),
          },
          {
            id: 'breaks',
            title: 'what breaks first',
            content: <BreaksFirst points={points} shown={density} />,
          },
          {
            id: 'bytes',
            title: 'quality by bytes',
            content: (
              <>
                {bytesWords(points) !== '' && <p className="text-muted">{bytesWords(points)}</p>}
                <BytesChart
                  caption={caption}
                  points={points}
                  denseBytes={denseBytes}
                  bytesPerTale={bytesPerTale}
                  hasTarget={hasTarget}
                  onPick={pick}
                />
              </>
            ),
          },
          {
            id: 'inputs',
            title: 'inputs used',
            content: <InputsUsed model={model} />,
          },
        ]}
        resetKey={model.id}
      />
    </>
  );
}

interface MeasureHereProps {
  readonly modelChoice: LanguageModelChoice;
  readonly quality: KnownQuality;
}

/** Measures points of the chart in this browser. */
function MeasureHere({ modelChoice: { pruning }, quality }: MeasureHereProps) {
  const { recorded, measuredHere, running: job, error, measure, stop, points, live } = quality;
  const density = densityOf(pruning);
  const method = pruning?.way === 'magnitude' || pruning?.way === 'rows' ? pruning.way : 'wanda';
  return (
    <section>
      <h3 className="mb-2">
        Measure it here{' '}
        <span className="section-caption">{whereText([...measuredHere.values()].map((entry) => entry.measured))}</span>
      </h3>
      {job ? (
        <JobProgress job={job} onCancel={stop} />
      ) : (
        <p className="underlined flex flex-wrap items-center gap-y-2 gap-x-3 mt-2">
          <Button onClick={() => measure(recorded ? recipesAt(density, method) : RECIPES)}>
            {recorded ? 'Measure this density' : `Measure all ${RECIPES.length} settings`}
          </Button>
          {recorded && <TextButton onClick={() => measure(RECIPES)}>measure all {RECIPES.length} settings</TextButton>}
        </p>
      )}
      {error !== null && <p className="problem mt-2 text-12">{error}</p>}
      <p className="text-muted mt-2 text-12">
        {measureText(live.length > 0 ? live : points, recorded !== null, live.length)}
      </p>
    </section>
  );
}

/** The dense model, for comparison, and the model pruned to `density`. */
function recipesAt(density: number, method: 'magnitude' | 'rows' | 'wanda'): readonly Recipe[] {
  return density >= 1 ? RECIPES.slice(0, 1) : [RECIPES[0], { pruning: { way: method, density }, valueType: 'f16' }];
}

/** The tab Quality: how well the model writes, pruned and stored in different ways. */
export function QualityTab({ modelChoice }: TabProps) {
  return isImported(modelChoice.model.id) ? (
    <UserQuality modelChoice={modelChoice} />
  ) : (
    <TalesQuality modelChoice={modelChoice} />
  );
}

/** The quality of a shipped model, measured on many tales (short stories). */
function TalesQuality({ modelChoice }: Pick<TabProps, 'modelChoice'>) {
  const quality = useKnownQuality(modelChoice);
  const { running: job, points, bytesPerTale } = quality;
  const words = useMemo(() => qualityAnswer(points, bytesPerTale), [points, bytesPerTale]);
  return (
    <div className="quality-tab flex flex-col gap-4">
      <TabAside>
        {asideTexts(quality).map((text) => (
          <span key={text} className="max-sm:hidden">
            {text}
          </span>
        ))}
      </TabAside>
      <AnswerLine words={words} waitingText={`How good the model is: ${job ? 'being measured' : 'not measured yet'}`} />
      <QualityCharts modelChoice={modelChoice} quality={quality} />
    </div>
  );
}
