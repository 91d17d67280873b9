import { useCallback, useMemo } from 'react';
import type { BenchEntry } from '../../../engine/bench/bench-types.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { shapeKey, useDevice } from '../../../kit/devices/use-device.ts';
import { timedMatrixOf, type FormatQuery } from '../../../kit/report/matrix-times.ts';
import type { BenchReport } from '../../../core/report.ts';
import type { Device } from '../../../state/devices/device.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { type ChartChoices, isChosen, type PruningMethod } from './curve-choices.ts';
import { fastestAlong } from './fastest-along.ts';
import { extendedTo, type MeasuredSpeed, measuredSpeeds } from './measured-speeds.ts';
import { type QuantisedLine, quantisedLines } from './references.ts';
import { type SizeQuestion, type Variant, variantsOf } from './variants.ts';
import { largest, smallest } from '../../../core/number/statistics.ts';
import { substituteOf } from '../../../kit/words/substitute.ts';
import type { AnyListedFormat } from '../../../core/format.ts';
import type { FormatParams } from '../../../state/index.ts';
import { useTypedCurves } from './use-typed-curves.ts';

interface SpeedLine {
  readonly title: string;
  readonly variant: Pick<Variant, 'format' | 'params'>;
  readonly points: readonly MeasuredSpeed[];
}

/** The speeds on the matrix of the sentence, with 16-bit values, by weights left. */
export function useSpeeds({ formats: chosen, beside }: Pick<ChartChoices, 'formats' | 'beside'>, way: PruningMethod) {
  const { formats } = useApp();
  const params = useDocument((doc) => doc.params);
  const summary = useSession((s) => s.summary);
  const rows = summary?.rows ?? 0;
  const cols = summary?.cols ?? 0;
  const question = useMemo<SizeQuestion>(
    () => ({ rows, cols, valueType: 'f16', placement: way === 'n-of-m' ? 'even' : 'independent' }),
    [rows, cols, way],
  );
  const all = useTypedCurves(formats, params, question, F16);
  const curves = useMemo(() => all.filter((f) => isChosen(f.format, chosen)), [all, chosen]);
  const quantised = useMemo(
    () => quantisedLines(referenceFormat, params[referenceFormat.id], question),
    [params, question],
  );
  const typed = useMemo(
    () =>
      formats.flatMap((format) => {
        const [own] = variantsOf(format, params[format.id], question);
        return own ? [own] : [];
      }),
    [formats, params, question],
  );
  const pointsIn = useCallback(
    (reports: Device['reports'], { format, params: given }: SpeedLine['variant']): readonly MeasuredSpeed[] => {
      const dense = typed.find((one) => one.format.id === referenceFormat.id);
      return summary && dense
        ? measuredSpeeds(
            reports,
            timedMatrixOf(summary, 1),
            queryOf(format, given),
            queryOf(dense.format, dense.params),
          )
        : [];
    },
    [summary, typed],
  );
  const linesIn = useCallback(
    (reports: Device['reports']) => {
      const ofFormats = typed
        .filter(({ format }) => format.id !== referenceFormat.id)
        .map((variant): SpeedLine => ({ title: variant.format.title, variant, points: pointsIn(reports, variant) }));
      const ofDense = quantised.map((line) => ({ ...line, points: pointsIn(reports, line.variant) }));
      return { ofFormats, ofDense };
    },
    [typed, quantised, pointsIn],
  );
  const hasSpeeds = useCallback(
    ({ reports }: Device) => {
      const { ofFormats, ofDense } = linesIn(reports);
      return [...ofFormats, ...ofDense].some(({ points }) => points.length > 0);
    },
    [linesIn],
  );
  const shown = useDevice(hasSpeeds, { shapes: [shapeKey({ rows, cols })] });
  const { reports } = shown.device;
  const known = useMemo(() => linesIn(reports), [linesIn, reports]);
  const mark = [...known.ofFormats, ...known.ofDense].some(({ points }) => points.length > 0)
    ? substituteOf(reports[0])
    : null;
  const isShown = useCallback(
    ({ variant: { format }, points }: SpeedLine) => isChosen(format, chosen) && points.length > 0,
    [chosen],
  );
  const measured = useMemo(
    () => known.ofFormats.filter(isShown).map(({ variant: { format }, points }) => ({ format, points })),
    [known, isShown],
  );
  /** the fastest of the chosen formats, and of these and dense in fewer bits */
  const fastest = useMemo(() => {
    // While a density is being measured, formats that already have times would beat those that wait. The fastest on a CPU that
    // simulates a GPU means nothing.
    const isWhole = ({ unfinished }: BenchReport): boolean => unfinished === undefined && mark !== 'software';
    const { ofFormats, ofDense } = linesIn(reports.filter(isWhole));
    return { ...fastestOf(ofFormats.filter(isShown), ofDense), quantised: ofDense };
  }, [linesIn, reports, isShown, mark]);
  const isBeside = beside.includes('quantised');
  /** dense in fewer bits, with its speeds relative to dense */
  const besides = useMemo(
    () => (isBeside ? known.ofDense.map(({ points, ...line }) => ({ line, points })) : []),
    [isBeside, known],
  );
  const pointsOf = useCallback(
    ({ format: id, params: given }: Pick<BenchEntry, 'format' | 'params'>) => {
      const format = formats.find((one) => one.id === id);
      return format ? pointsIn(reports, { format, params: given as FormatParams }) : [];
    },
    [formats, pointsIn, reports],
  );
  return { shown, mark, curves, measured, fastest, quantised: isBeside ? quantised : NONE, besides, pointsOf };
}

const NONE: readonly QuantisedLine[] = [];

const F16 = ['f16'] as const;

/** The fastest format, and the fastest if dense in fewer bits is included, over the measured range of the formats. */
export function fastestOf(
  lines: readonly Pick<SpeedLine, 'title' | 'points'>[],
  ofDense: readonly Pick<SpeedLine, 'title' | 'points'>[],
) {
  const along = (some: readonly Pick<SpeedLine, 'title' | 'points'>[]) =>
    fastestAlong(
      some.map(({ title, points }) => ({ name: title, points })),
      referenceFormat.title,
    );
  const densities = lines.flatMap(({ points }) => points.map(({ density }) => density));
  // bounded: a few densities of each format
  const range = [smallest(densities, 1), largest(densities, 0)] as const;
  const extended = ofDense.map(({ title, points }) => ({ title, points: extendedTo(points, range) }));
  return { ofFormats: along(lines), withDense: along([...lines, ...extended]) };
}

function queryOf(format: AnyListedFormat, params: FormatParams): FormatQuery {
  return { format: format.id, params, spec: format.params };
}
