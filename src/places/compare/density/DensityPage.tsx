import './density.css';
import { Fragment, useCallback, useMemo, useState } from 'react';
import type { Shape } from '../../../core/format.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { type ChartCursor, linearSteps, ratioSteps } from '../../../kit/charts/cursor.ts';
import { density as densityText, nameAndShape, shape as shapeText } from '../../../kit/words/quantity.ts';
import { NOT_OF_A_GPU } from '../../../kit/words/speed-of.ts';
import { DeviceBar } from '../../../kit/devices/DeviceBar.tsx';
import { isOnCpu, onText } from '../../../kit/devices/DeviceLabel.tsx';
import { isBound, shapesOf } from '../../../state/devices/device.ts';
import { readDeviceId } from '../../../state/devices/ids.ts';
import { QuestionFrame } from '../../../kit/frame/QuestionFrame.tsx';
import { useOwnRun } from '../../../kit/frame/shell-context.ts';
import { Answer } from '../../../kit/frame/Answer.tsx';
import { useChoices } from '../../../kit/browser/choices.ts';
import { Controls } from './Controls.tsx';
import { DENSITY_AXES } from './density-axis.ts';
import { DENSITY_FIELDS, type DensityChoices } from './density-choices.ts';
import { densitySentence } from './density-sentence.ts';
import { comingDots, speedAt } from './measured-speeds.ts';
import { ranking } from './ranking.ts';
import { RankingTable } from './RankingTable.tsx';
import { publishedNotes } from './references.ts';
import { densitiesOf, pruningTo, sizeRequests, speedRequest } from './run-requests.ts';
import { SideBySide } from './side-by-side/SideBySide.tsx';
import { SizeChart } from './SizeChart.tsx';
import { SpeedChart } from './SpeedChart.tsx';
import { useLive } from './use-live.ts';
import { liveWords } from './live-words.ts';
import { paramsAt } from '../../../state/index.ts';
import { type Density, useDensity, usePublished } from './use-density.ts';
import { denseBytes } from './variants.ts';
import { WinnerMap } from './WinnerMap.tsx';
import { type Strip, type StripPart, WinnerStrips } from './WinnerStrips.tsx';
import { merged, type Stretch } from './winners.ts';
import { useSizeRuns } from './size-runs.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { SectionHead } from '../../../kit/controls/Section.tsx';

const WAYS_IN_WORDS = {
  random: 'pruned at random',
  magnitude: 'pruned by magnitude',
  rows: 'pruned by magnitude in every row',
  'n-of-m': 'pruned to N:M',
} as const;

/** Which format is smallest and which is fastest, by density. */
export function DensityPage({ wide }: { readonly wide: boolean }) {
  const [choices, choose] = useChoices<DensityChoices>(DENSITY_FIELDS);
  const { formats, session, announce } = useApp();
  const { sizes } = useSizeRuns();
  const device = useSession((s) => s.device);
  const summary = useSession((s) => s.summary);
  const running = useSession((s) => s.bench.running);
  const density = useDensity(choices);
  const { question, shown } = density;
  const chosen = useDocument((doc) => doc.params);
  const params = useMemo(() => paramsAt(formats, chosen, question), [formats, chosen, question]);
  const live = useLive(choices);
  const published = usePublished(formats);
  const titles = useMemo(() => new Map(formats.map((format) => [format.id, format.title])), [formats]);
  const [strong, setStrong] = useState<string | null>(null);

  const { axis: scale, at } = choices;
  const axis = DENSITY_AXES[scale];
  const { ask } = live;
  const moveTo = useCallback(
    (to: number) => {
      const place = Math.max(1e-4, scale === 'log' ? Number(to.toPrecision(3)) : Number(to.toFixed(3)));
      choose({ at: place });
      ask(place);
    },
    [choose, scale, ask],
  );
  const cursor = useMemo<ChartCursor>(
    () => ({
      at,
      label: 'density',
      text: `density ${densityText(at)}`,
      step: scale === 'log' ? ratioSteps(20) : linearSteps(0.01),
      onMove: moveTo,
      handle: false,
    }),
    [at, scale, moveTo],
  );

  const { curves, others, smallest, encoded, measured, fastest, quantised, unstructured } = density;
  const names = useMemo(() => merged(smallest, (curve) => curve.variant.format.title).filter(isWide), [smallest]);
  const where = device?.kind === 'unavailable' ? 'cpu' : 'gpu';
  const on = onText(shown.device, device);
  const words = densitySentence({
    smallest: names,
    fastest,
    reference: referenceFormat.title,
    titles: [...curves.map((c) => c.format.title), ...others.map((v) => v.format.title)],
    on,
    caution: isOnCpu(shown.device, device) ? NOT_OF_A_GPU : null,
  });
  const rows = ranking({
    curves,
    others,
    encoded,
    question,
    density: at,
    denseBytes: denseBytes(question),
    quantised,
    speedOf: (variant) => {
      if (variant.format.id === referenceFormat.id && !quantised.some((line) => line.variant === variant)) return 1;
      const points = density.speeds.filter(
        (s) =>
          s.format === variant.format.id &&
          Object.entries(variant.params).every(([name, value]) => s.params[name] === value),
      );
      return speedAt(points, at);
    },
    liveSpeedOf: live.speedOf,
  });

  const isStage = choices.matrix === 'stage' && summary !== null;
  const speedProblem =
    !isStage && choices.way === 'n-of-m'
      ? 'Speeds are measured only for independent non-zeros: choose another way of pruning.'
      : null;
  const asked = isStage ? [summary.density] : densitiesOf(choices);
  const isThis = shown.device.kind === 'this';
  const done = asked.filter(
    (d) => isThis && density.speeds.some((s) => Math.abs(s.density - d) < 0.004 * Math.max(d, 0.05)),
  ).length;
  const runs = useSession((s) => s.bench.runs);
  /** an interrupted run of this question */
  const broken = runs.find(
    (run) =>
      run.rest?.axis?.of === 'density' &&
      run.reports.some(({ workload }) => workload.rows === question.rows && workload.cols === question.cols),
  );
  const goOn = useCallback(() => {
    if (broken && running === null) void session.continueBench(broken.id);
  }, [broken, running, session]);
  const measureSpeeds = useCallback(() => {
    if (speedProblem !== null || running !== null) return;
    sizes.cancel();
    shown.release();
    const { request, axis: of } = speedRequest(choices, formats, params, where, quantised);
    void (of ? session.runSweep(request, of) : session.runBench(request));
  }, [speedProblem, running, session, sizes, shown, choices, formats, params, where, quantised]);
  useOwnRun(measureSpeeds);
  const measureSizes = (): void => void sizes.measure(density.subject, sizeRequests(choices, formats, params));

  const putOnStage = async (): Promise<void> => {
    if (choices.matrix === 'stage') await session.prune(pruningTo(choices, at));
    else {
      const { seed } = choices;
      await session.openGenerated({ pattern: 'uniform', rows: question.rows, cols: question.cols, density: at, seed });
    }
    announce(`A matrix of density ${densityText(at)} is on the stage.`);
  };

  const cards = useMemo(
    () => [
      ...new Set(
        published.flatMap(({ figures }) => (figures.of === 'speed' && figures.on !== null ? [figures.on] : [])),
      ),
    ],
    [published],
  );
  // Of a device without published speeds, those of the first card are shown, as its paper does.
  const card = cards.find((one) => readDeviceId(one) === shown.device.id) ?? CARD;
  const controls = (
    <Controls
      choices={choices}
      choose={choose}
      density={density}
      onMeasureSizes={measureSizes}
      onMeasureSpeeds={measureSpeeds}
      onGoOn={broken ? goOn : null}
      speedProblem={speedProblem}
      where={where}
      live={live}
      ownDensity={isStage ? summary.density : null}
      speedDensities={{ done, all: asked.length }}
    />
  );
  const shownPublished = choices.beside.includes('published') && choices.values === 'f16' ? published : NONE;
  const sizesPublished = useMemo(
    () => shownPublished.filter((p) => p.figures.of === 'size' && choices.formats.includes(p.format)),
    [shownPublished, choices.formats],
  );
  const speedsPublished = useMemo(
    () =>
      shownPublished.filter(
        (p) => p.figures.of === 'speed' && p.figures.on === card && choices.formats.includes(p.format),
      ),
    [shownPublished, choices.formats, card],
  );
  const publishedWords = !choices.beside.includes('published')
    ? ''
    : speedsPublished.length > 0
      ? ` · squares: published, ${card}`
      : ` · nothing published for ${card} in ${choices.values}`;
  const coming = useMemo(
    () =>
      running === null || shown.device.kind !== 'this'
        ? []
        : comingDots(running.request.entries, asked, density.speeds, quantised),
    // The densities depend on the choices only.
    // oxlint-disable-next-line react/exhaustive-deps
    [running, shown.device, choices, density.speeds, quantised],
  );
  const answer = (
    <Answer
      about={`${nameAndShape({ ...question, name: choices.matrix === 'stage' && summary ? summary.name : 'uniform' })}, ${choices.values} · ${WAYS_IN_WORDS[choices.way]} · y = A x, one token`}
      words={words}
    />
  );
  const bar = (
    <DeviceBar
      shown={shown}
      onMeasure={speedProblem === null && running === null ? measureSpeeds : null}
      lacks={<Lacks density={density} onShape={(shape) => choose({ matrix: 'generated', ...shape })} />}
    />
  );
  const strips = <WinnerStrips strips={stripsOf(density, on)} axis={axis} cursor={cursor} />;
  const liveLine = liveWords(live);
  const charts = (
    <>
      <SectionHead
        title="Size"
        caption={`bytes relative to dense ${choices.values} · line: expected, dashed with the best parameters · dot: encoded`}
      />
      <SizeChart
        curves={curves}
        others={others}
        encoded={encoded}
        smallest={smallest}
        question={question}
        scale={scale}
        cursor={cursor}
        quantised={quantised}
        unstructured={unstructured}
        published={sizesPublished}
        reference={referenceFormat.id}
        strong={strong}
        onStrong={setStrong}
        height={wide ? 320 : 220}
      />
      <PublishedNotes published={sizesPublished} />
      <SectionHead
        title="Speed"
        caption={`against dense on ${on}, y = A x, cold · ${isBound(shown.device) ? '' : 'thick: measured, p10 to p90 · '}thin: at most, by bytes${publishedWords}`}
      />
      {liveLine !== null && <p className="density-live">{liveLine}</p>}
      <SpeedChart
        curves={curves}
        measured={measured}
        besides={density.besides}
        fastest={fastest}
        coming={coming}
        live={live.speeds}
        titles={titles}
        published={speedsPublished}
        scale={scale}
        cursor={cursor}
        reference={referenceFormat.id}
        strong={strong}
        onStrong={setStrong}
        height={wide ? 260 : 200}
      />
      <PublishedNotes published={speedsPublished} />
    </>
  );
  const table = (
    <>
      <RankingTable
        rows={rows}
        density={at}
        nonZeros={at * question.rows * question.cols}
        sort={choices.sort}
        onSort={(sort) => choose({ sort })}
        strong={strong}
        onStrong={setStrong}
      />
      <button type="button" className="button button--wide" onClick={() => void putOnStage()}>
        Put density {densityText(at)} on the stage
      </button>
      <p className="field-hint">
        {choices.matrix === 'stage'
          ? `The stage’s matrix, ${WAYS_IN_WORDS[choices.way]} to this density; the other views follow.`
          : 'Generates a matrix of this density; the other views follow.'}
      </p>
    </>
  );
  const more = (
    <>
      <SideBySide choices={choices} choose={choose} density={density} published={published} wide={wide} />
      <WinnerMap choices={choices} choose={choose} curves={curves} question={question} />
    </>
  );
  return (
    <QuestionFrame
      wide={wide}
      name="Size and speed by density"
      className="density"
      narrow={{ title: 'Density', button: 'Matrix, formats, measure' }}
      leastCentre={480}
      more={more}
      left={{ name: 'What is asked', width: 'Width of the controls', least: 220, most: 420, content: controls }}
      right={{ name: 'At the cursor', width: 'Width of the table', least: 280, most: 520, content: table }}
    >
      {answer}
      {bar}
      {wide ? charts : strips}
      {wide ? strips : charts}
    </QuestionFrame>
  );
}

const NONE: ReturnType<typeof usePublished> = [];

/** The card of published speeds. */
const CARD = 'RTX 4090';

interface LacksProps {
  readonly density: Density;
  readonly onShape: (shape: Shape) => void;
}

/** Why the device has no speeds for the question, and for which shapes it has some. */
function Lacks({ density: { shown, speeds, question }, onShape }: LacksProps) {
  const { device } = shown;
  if (speeds.length > 0 || isBound(device) || device.kind === 'this') return null;
  const { rows, cols, valueType } = question;
  const others = shapesOf(device).filter((shape) => shape.rows !== rows || shape.cols !== cols);
  return (
    <>
      It has no times for {shapeText(rows, cols)} in {valueType}.{others.length > 0 && ' It has some for '}
      {others.slice(0, MOST_SHAPES).map((shape, i) => (
        <Fragment key={shapeText(shape.rows, shape.cols)}>
          {i > 0 && ', '}
          <button type="button" className="text-button" onClick={() => onShape(shape)}>
            {shapeText(shape.rows, shape.cols)}
          </button>
        </Fragment>
      ))}
      {others.length > 0 && '.'}
    </>
  );
}

/** Shapes that are offered at most. */
const MOST_SHAPES = 6;

/** The meaning and sources of a chart's squares. */
function PublishedNotes({ published }: { readonly published: ReturnType<typeof usePublished> }) {
  return publishedNotes(published.map(({ figures }) => figures)).map((note) => (
    <p key={note} className="field-hint">
      {note}
    </p>
  ));
}

/** Ranges too short to see are not mentioned. */
function isWide({ from, to }: Stretch<string>): boolean {
  return to - from > 0.002 || to / from > 1.5;
}

function stripsOf({ smallest, fastest, measured, shown }: Density, on: string): readonly Strip[] {
  const partOf = (id: string, title: string, detail: string, from: number, to: number): StripPart => ({
    key: `${id} ${detail} ${from}`,
    from,
    to,
    title,
    detail,
    color: cssColorOf(id),
    textColor: cssTextColorOf(id),
  });
  const idOf = (title: string): string =>
    title === referenceFormat.title
      ? referenceFormat.id
      : (measured.find(({ format }) => format.title === title)?.format.id ?? '');
  return [
    {
      name: 'smallest',
      says: 'is the smallest',
      parts: smallest.map(({ from, to, winner: { variant } }) =>
        partOf(variant.format.id, variant.format.title, variant.label, from, to),
      ),
      empty: 'no format is chosen',
    },
    {
      name: 'fastest',
      says: 'is the fastest',
      parts: fastest.map(({ from, to, winner }) => partOf(idOf(winner), winner, '', from, to)),
      empty: isBound(shown.device) ? 'not measured: only bounds are known' : `not measured on ${on} yet`,
    },
  ];
}
