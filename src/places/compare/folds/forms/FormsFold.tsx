import './forms.css';
import { Fragment, useCallback, useMemo, useState } from 'react';
import type { Shape } from '../../../../core/format.ts';
import { referenceFormat } from '../../../../formats/catalog.ts';
import { useApp, useDocument, useSession } from '../../../../kit/app-context.ts';
import { nameAndShape, shape as shapeText } from '../../../../kit/words/quantity.ts';
import { NOT_OF_A_GPU } from '../../../../kit/words/speed-of.ts';
import { isOnCpu, onText } from '../../../../kit/devices/DeviceLabel.tsx';
import { isBound, shapesOf } from '../../../../state/devices/device.ts';
import { AnswerHead } from '../../../../kit/frame/Answer.tsx';
import { useChoices } from '../../../../kit/browser/choices.ts';
import { FormsControls } from './FormsControls.tsx';
import { LEFT_AXES } from '../../curves/left-axis.ts';
import { FORMS_FIELDS } from '../../curves/curve-choices.ts';
import { useCurveChoices } from '../../curves/use-curve-choices.ts';
import { densitySentence } from './density-sentence.ts';
import { speedAt } from '../../curves/measured-speeds.ts';
import { ranking } from '../../curves/ranking.ts';
import { RankingTable } from './RankingTable.tsx';
import { PublishedNotes } from './PublishedNotes.tsx';
import { FormsSpeed } from './FormsSpeed.tsx';
import { useFormsMeasuring } from './use-forms-measuring.ts';
import { SizeChart } from '../../chart/SizeChart.tsx';
import { useLive } from '../../chart/use-live.ts';
import { useLeft } from '../../curves/left.ts';
import { leftCursor, type PictureProps } from '../../chart/picture-parts.ts';
import { paramsAt } from '../../../../state/index.ts';
import { type Density, useDensity } from '../../curves/use-curves.ts';
import { usePublished } from '../../curves/use-published.ts';
import type { FoldProps } from '../fold.ts';
import { denseBytes, type Variant } from '../../curves/variants.ts';
import { WinnerMap } from './WinnerMap.tsx';
import { type Strip, type StripPart, WinnerStrips } from '../../chart/WinnerStrips.tsx';
import { merged, type Stretch } from '../../curves/winners.ts';
import { cssColorOf, cssTextColorOf } from '../../../../kit/format-color.ts';
import { SectionHead } from '../../../../kit/controls/Section.tsx';

const WAYS_IN_WORDS = {
  random: 'pruned at random',
  magnitude: 'pruned by magnitude',
  rows: 'pruned by magnitude in every row',
  'n-of-m': 'pruned to N:M',
} as const;

/** Closed forms of any shape and any values: which format is smallest and which is fastest, with all that can be measured. */
export function FormsFold({ wide }: FoldProps) {
  const left = useLeft();
  const [chosen, choose] = useChoices(FORMS_FIELDS);
  const { formats } = useApp();
  const device = useSession((s) => s.device);
  const summary = useSession((s) => s.summary);
  const choices = useCurveChoices(chosen, left);
  const { at } = choices;
  const density = useDensity(choices);
  const { question, shown } = density;
  const given = useDocument((doc) => doc.params);
  const params = useMemo(() => paramsAt(formats, given, question), [formats, given, question]);
  const live = useLive(choices);
  const published = usePublished(formats);
  const [strong, setStrong] = useState<string | null>(null);

  const { axis: scale } = choices;
  const { ask } = live;
  const { preview, commit } = left;
  const cursor = useMemo(() => {
    const move = (to: number): void => {
      preview(to);
      ask(to);
    };
    return leftCursor(at, scale, move, commit);
  }, [at, scale, preview, commit, ask]);
  const pick = useCallback(
    (share: number) => {
      preview(share);
      commit();
    },
    [preview, commit],
  );

  const { curves, others, smallest, encoded, fastest, quantised, unstructured } = density;
  const names = useMemo(() => merged(smallest, (curve) => curve.variant.format.title).filter(isWide), [smallest]);
  const on = onText(shown.device, device);
  const words = densitySentence({
    smallest: names,
    fastest,
    reference: referenceFormat.title,
    titles: [...curves.map((c) => c.format.title), ...others.map((v) => v.format.title)],
    on,
    caution: isOnCpu(shown.device, device) ? NOT_OF_A_GPU : null,
  });
  const rows = rowsAt(density, at, live.speedOf);
  const measuring = useFormsMeasuring(choices, density, params);
  const shownPublished = choices.beside.includes('published') && choices.values === 'f16' ? published : NONE;
  const sizesPublished = useMemo(
    () => shownPublished.filter((p) => p.figures.of === 'size' && choices.formats.includes(p.format)),
    [shownPublished, choices.formats],
  );
  const picture: PictureProps = { cursor, scale, height: 0, strong, onStrong: setStrong };
  return (
    <div className="forms">
      <AnswerHead
        about={`${nameAndShape({ ...question, name: choices.matrix === 'stage' && summary ? summary.name : 'uniform' })}, ${choices.values} · ${WAYS_IN_WORDS[choices.way]} · y = A x, one token`}
        words={words}
      />
      <FormsControls
        choices={choices}
        choose={choose}
        density={density}
        {...measuring}
        speedDensities={{ done: measuring.done, all: measuring.asked.length }}
      />
      <p className="field-hint">
        <Lacks density={density} onShape={(shape) => choose({ matrix: 'generated', ...shape })} />
      </p>
      <SectionHead
        level={3}
        title="Size"
        caption={`bytes relative to dense ${choices.values} · line: expected, dashed with the best parameters · dot: encoded`}
      />
      <SizeChart
        curves={curves}
        others={others}
        encoded={encoded}
        smallest={smallest}
        question={question}
        {...picture}
        quantised={quantised}
        unstructured={unstructured}
        published={sizesPublished}
        reference={referenceFormat.id}
        height={wide ? 320 : 220}
      />
      <WinnerStrips strips={stripsOf(density, on)} axis={LEFT_AXES[scale]} onPick={pick} />
      <PublishedNotes published={sizesPublished} />
      <FormsSpeed
        choices={choices}
        density={density}
        measuring={measuring}
        published={shownPublished}
        picture={{ ...picture, height: wide ? 260 : 200 }}
      />
      <RankingTable
        rows={rows}
        density={at}
        nonZeros={at * question.rows * question.cols}
        sort={choices.ranked}
        onSort={(ranked) => choose({ ranked })}
        strong={strong}
        onStrong={setStrong}
      />
      <WinnerMap choices={choices} choose={choose} curves={curves} question={question} onPick={pick} />
    </div>
  );
}

/** All formats at a density. */
function rowsAt(
  { curves, others, encoded, question, quantised, speeds }: Density,
  at: number,
  liveSpeedOf: (variant: Variant) => number | null,
): ReturnType<typeof ranking> {
  return ranking({
    curves,
    others,
    encoded,
    question,
    density: at,
    denseBytes: denseBytes(question),
    quantised,
    speedOf: (variant) => {
      if (variant.format.id === referenceFormat.id && !quantised.some((line) => line.variant === variant)) return 1;
      const points = speeds.filter(
        (s) =>
          s.format === variant.format.id &&
          Object.entries(variant.params).every(([name, value]) => s.params[name] === value),
      );
      return speedAt(points, at);
    },
    liveSpeedOf,
  });
}

const NONE: ReturnType<typeof usePublished> = [];

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
