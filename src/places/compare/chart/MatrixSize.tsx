import { type ReactNode, useMemo } from 'react';
import { useStoredA } from '../curves/use-stored-a.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import type { Series } from '../../../kit/charts/series.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { roughLeft } from '../../../kit/words/shares.ts';

import { CHART_FIELDS } from '../curves/curve-choices.ts';
import { unstructuredLines } from '../curves/references.ts';
import { evenWithDense } from '../curves/size-curves.ts';
import { usePublished } from '../curves/use-published.ts';
import type { SizeQuestion } from '../curves/variants.ts';
import type { Compared } from '../rows/compare-row.ts';
import { ChartHead } from './ChartHead.tsx';
import { denseRules, leftLines } from './lines.ts';
import type { PictureProps } from './picture-parts.ts';
import { type EncodedDot, type SizedLine, SizePicture } from './SizePicture.tsx';
import { SmallestStrips } from './SmallestStrips.tsx';
import type { Left } from '../curves/left.ts';
import { useTypedCurves } from './use-typed-curves.ts';

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
export function MatrixSize({ compared, left, picture, onPick, tools }: MatrixSizeProps) {
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
        said={said.map(({ line, evenAt }) => ({
          before: `${line.title} ${said[0].line === line ? 'is smaller than f16 ' : ''}`,
          strong: evenAt === null ? 'at every share' : `below ${roughLeft(evenAt)}`,
        }))}
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
