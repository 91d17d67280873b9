import './chart.css';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { useMedia } from '../../../kit/browser/use-media.ts';
import { Segmented } from '../../../kit/controls/Segmented.tsx';
import { CHART_FIELDS, isChosen } from '../curves/curve-choices.ts';
import type { Compared } from '../rows/compare-row.ts';
import { MatrixSpeed } from './MatrixSpeed.tsx';
import { ModelPicture } from './ModelPicture.tsx';
import { SmallestMap } from './SmallestMap.tsx';
import { leftCursor, type PictureProps } from './picture-parts.ts';
import { type Left, useLeft } from '../curves/left.ts';
import { useLiveEnds } from './use-live.ts';
import { useModelAsked } from './model-asked.ts';
import { isProvided } from '../../../core/format.ts';
import { Check, toggled } from '../../../kit/controls/Check.tsx';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { useStoredA } from '../curves/use-stored-a.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import type { Series } from '../../../kit/charts/series.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { unstructuredLines } from '../curves/references.ts';
import { evenWithDense } from '../curves/size-curves.ts';
import { usePublished } from '../curves/use-published.ts';
import type { SizeQuestion, Variant } from '../curves/variants.ts';
import { ChartHead } from './ChartHead.tsx';
import { sizeWords } from './chart-words.ts';
import { denseRules, leftLines } from './lines.ts';
import { type EncodedDot, type SizedLine, sizeFacts, SizePicture } from './SizePicture.tsx';
import { type TypedCurves, useTypedCurves } from './use-typed-curves.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import { LEFT_AXES } from '../curves/left-axis.ts';
import { merged, smallestAlong } from '../curves/winners.ts';
import { type Strip, WinnerStrips } from './WinnerStrips.tsx';
import { Drawer } from '../../../kit/primitives/Boxes.tsx';

interface MatrixSizeProps {
  readonly compared: Compared;
  readonly left: Left;
  readonly picture: PictureProps;
  /** what else can be shown */
  readonly tools: ReactNode;
  /** told of a share that is chosen */
  readonly onPick: (share: number) => void;
}

const USUAL = ['f16', 'i8', 'i4'] as const;
const WITH_F32 = [...USUAL, 'f32'] as const;

/** Bytes of the matrix over what is left, and below them the smallest. */
function MatrixSize({ compared, left, picture, onPick, tools }: MatrixSizeProps) {
  const { formats } = useApp();
  const [{ formats: chosen, beside }] = useChoices(CHART_FIELDS);
  const summary = useSession((s) => s.summary);
  const a = useStoredA();
  const b = useDocument((doc) => doc.against);
  const params = useDocument((doc) => doc.params);
  const [rows, cols] = [summary?.rows ?? 0, summary?.cols ?? 0];
  const isEven = left.pruning?.way === 'n-of-m';
  const question = useMemo(
    (): SizeQuestion => ({ rows, cols, valueType: 'f16', placement: isEven ? 'even' : 'independent' }),
    [rows, cols, isEven],
  );
  const isWide = [a, b].some((stored) => stored?.params.valueType === 'f32');
  const sampled = useTypedCurves(formats, params, question, isWide ? WITH_F32 : USUAL);
  const curves = useMemo(() => sampled.filter(({ format }) => chosen.includes(format.id)), [sampled, chosen]);
  const lines = useMemo(
    () =>
      leftLines(curves, a, b).map((line): SizedLine => ({
        line,
        sizes: line.curve.sizes,
        evenAt: evenWithDense(line.curve, question),
      })),
    [curves, a, b, question],
  );
  const isBeside = (what: (typeof beside)[number]): boolean => beside.includes(what);
  const rules = useMemo(() => {
    const all = denseRules(curves);
    return beside.includes('quantised') ? all : all.slice(0, 1);
  }, [curves, beside]);
  const density = summary?.density ?? 0;
  const dots = useMemo(
    () =>
      compared.rows.flatMap(({ format, detail, bytes, isExpected, state }): readonly EncodedDot[] =>
        bytes === null || isExpected || state !== 'known' || format.id === referenceFormat.id
          ? []
          : [{ format: format.id, title: `${format.title} ${detail}`, left: density, size: bytes / compared.f16Bytes }],
      ),
    [compared, density],
  );
  const published = usePublished(formats);
  const squares = useMemo(
    () =>
      published
        .filter(({ figures, format }) => figures.of === 'size' && chosen.includes(format))
        .map(({ format, figures }): Series => ({
          id: `${format} ${figures.title}`,
          group: format,
          kind: 'published',
          title: null,
          color: cssColorOf(format),
          textColor: cssTextColorOf(format),
          points: figures.points.map((point) => ({ x: point.density, y: point.value })),
        })),
    [published, chosen],
  );
  const others = useMemo(() => unstructuredLines(question), [question]);
  const said = lines.filter(({ line }) => line.side !== null);
  return (
    <>
      <ChartHead
        tools={tools}
        title="Size against what is left"
        said={sizeWords(said.map(sizeFacts))}
        note="Line: expected. Dot: this matrix, encoded. The thumb is the word in the sentence."
      />
      <SizePicture
        {...picture}
        subject="this matrix"
        lines={lines}
        rules={rules}
        dots={dots}
        published={isBeside('published') ? squares : NONE}
        others={isBeside('unstructured') ? others : NO_LINES}
      />
      <SmallestStrips curves={curves} question={question} scale={picture.scale} onPick={onPick} />
    </>
  );
}

const NONE: readonly Series[] = [];
const NO_LINES: ReturnType<typeof unstructuredLines> = [];

interface SmallestStripsProps {
  readonly curves: readonly TypedCurves[];
  readonly question: SizeQuestion;
  readonly scale: 'linear' | 'log';
  readonly onPick: (share: number) => void;
}

/** Which format is the smallest over what is left: with values of 16 bits, and of all. */
function SmallestStrips({ curves, question, scale, onPick }: SmallestStripsProps) {
  const strips = useMemo(
    () => [
      stripOf(
        'smallest in f16',
        curves.filter(({ valueType }) => valueType === 'f16'),
        question,
      ),
      stripOf('smallest of all', curves, question),
    ],
    [curves, question],
  );
  return <WinnerStrips strips={strips} axis={LEFT_AXES[scale]} onPick={onPick} />;
}

function stripOf(name: string, curves: readonly TypedCurves[], question: SizeQuestion): Strip {
  const all = curves.flatMap(({ variants }) => variants);
  const stretches = merged(smallestAlong(all, question), ({ variant }) => nameOf(variant));
  const formatOf = new Map(all.map(({ variant }) => [nameOf(variant), variant.format.id]));
  return {
    name,
    says: 'is the smallest',
    parts: stretches.map(({ from, to, winner }) => {
      const id = formatOf.get(winner) ?? referenceFormat.id;
      return {
        key: `${winner} ${from}`,
        from,
        to,
        title: winner,
        detail: '',
        color: cssColorOf(id),
        textColor: cssTextColorOf(id),
      };
    }),
    empty: 'no format is chosen',
  };
}

/** 'MACKO', 'MACKO i8', 'dense i4' */
function nameOf({ format, params: { valueType } }: Variant): string {
  const bits = Object.entries(VALUE_BITS).find(([name]) => name === valueType)?.[1] ?? VALUE_BITS.f16;
  return bits === VALUE_BITS.f16 ? format.title : `${format.title} ${String(valueType)}`;
}

const BESIDE = [
  ['published', 'published figures'],
  ['quantised', 'dense in fewer bits'],
  ['unstructured', 'Tiled-CSL, 4 bytes per non-zero'],
] as const;

/** Which formats the chart shows, and what it compares them with. */
function ChartShown() {
  const { formats } = useApp();
  const [{ formats: chosen, beside }, choose] = useChoices(CHART_FIELDS);
  return (
    <Drawer title="formats in the chart">
      <div className="left-shown">
        {formats.map((format) => (
          <Check
            key={format.id}
            checked={isChosen(format, chosen)}
            disabled={isProvided(format)}
            onChange={() => choose({ formats: toggled(chosen, format.id) })}
          >
            <Swatch format={format.id} />
            {format.title}
          </Check>
        ))}
        {BESIDE.map(([name, label]) => (
          <Check key={name} checked={beside.includes(name)} onChange={() => choose({ beside: toggled(beside, name) })}>
            {label}
          </Check>
        ))}
      </div>
    </Drawer>
  );
}

/** One chart over what is left: bytes of a matrix, tokens per second of a model; its thumb is the word in the sentence. */
export function CompareChart({ compared }: { readonly compared: Compared }) {
  const [{ picture: chosen, axis: scale }, choose] = useChoices(CHART_FIELDS);
  const left = useLeft();
  const summary = useSession((s) => s.summary);
  const isNarrow = useMedia('(width < 34.5rem)');
  const asked = useModelAsked(compared);
  const [strong, setStrong] = useState<string | null>(null);
  useLiveEnds();
  const isModel = asked !== null;
  const shown = chosen === '' ? (isModel ? 'speed' : 'size') : chosen;
  const { at, preview, commit } = left;
  const picture = useMemo(
    (): PictureProps | null =>
      at === null
        ? null
        : {
            cursor: leftCursor(at, scale, preview, commit),
            scale,
            height: isNarrow ? 240 : 260,
            narrow: isNarrow,
            strong,
            onStrong: setStrong,
          },
    [at, scale, preview, commit, isNarrow, strong],
  );
  const pick = useCallback(
    (share: number) => {
      preview(share);
      commit();
    },
    [preview, commit],
  );
  const tools = (
    <div className="left-choices">
      <Segmented
        label="over what is left"
        value={shown}
        options={[
          { value: 'size', label: isModel ? 'GB' : 'size' },
          { value: 'speed', label: isModel ? 'tokens per second' : 'speed' },
          { value: 'smallest', label: 'who is smallest' },
        ]}
        onChange={(value) => choose({ picture: value })}
      />
      {shown !== 'smallest' && (
        <Segmented
          label="axis"
          value={scale}
          options={[
            { value: 'linear', label: 'linear' },
            { value: 'log', label: 'logarithmic' },
          ]}
          onChange={(axis) => choose({ axis })}
        />
      )}
    </div>
  );
  if (summary === null || at === null || picture === null) return <section className="left" aria-busy="true" />;
  return (
    <section className="left" aria-label="Over what is left">
      {shown === 'smallest' ? (
        <SmallestMap left={left} tools={tools} onPick={pick} />
      ) : isModel ? (
        <ModelPicture
          compared={compared}
          asked={asked}
          shown={shown}
          left={left}
          at={at}
          picture={picture}
          tools={tools}
        />
      ) : shown === 'size' ? (
        <MatrixSize compared={compared} left={left} picture={picture} onPick={pick} tools={tools} />
      ) : (
        <MatrixSpeed left={left} picture={picture} onPick={pick} tools={tools} />
      )}
      <ChartShown />
    </section>
  );
}
