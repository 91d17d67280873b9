import { useCallback, useMemo } from 'react';
import { referenceFormat } from '../../../formats/catalog.ts';
import { shapeKey, useDevice } from '../../../kit/devices/use-device.ts';
import { timedMatrixOf, type FormatQuery } from '../../../kit/report/matrix-times.ts';
import type { BenchReport } from '../../../core/report.ts';
import type { Device } from '../../../state/devices/device.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { type DenseLine, withBits } from './chart-lines.ts';
import { isChosen } from './curve-choices.ts';
import type { ResolvedFormat } from './size-curves.ts';
import { fastestAlong } from './fastest-along.ts';
import { extendedTo, type MeasuredSpeed, measuredSpeeds } from './measured-speeds.ts';
import { largest, smallest } from '../../../core/number/statistics.ts';
import { substituteOf } from '../../../kit/words/substitute.ts';
import type { AnyListedFormat } from '../../../core/format.ts';
import type { FormatParams } from '../../../state/index.ts';

/** The measured speeds of a format against dense. */
export interface FormatSpeeds {
  readonly format: AnyListedFormat;
  readonly title: string;
  /** ascending in density */
  readonly points: readonly MeasuredSpeed[];
}

/** The measured speeds of dense in fewer bits against dense in 16. */
export type DenseSpeeds = DenseLine & Pick<FormatSpeeds, 'points'>;

/** Measured speeds of all formats with 16-bit values on this shape. `dense`: in f16 and in fewer bits. */
export function useMeasuredSpeeds(chosen: readonly string[], dense: readonly DenseLine[]) {
  const { formats } = useApp();
  const params = useDocument((doc) => doc.params);
  const summary = useSession((s) => s.summary);
  const in16Bits = useMemo(
    () =>
      formats.flatMap((format) => {
        const own = withBits(format, params[format.id], 16);
        return own ? [{ format, params: own }] : [];
      }),
    [formats, params],
  );
  const pointsIn = useCallback(
    (reports: Device['reports'], { format, params: given }: ResolvedFormat): readonly MeasuredSpeed[] => {
      const reference = in16Bits.find((one) => one.format.id === referenceFormat.id);
      return summary && reference
        ? measuredSpeeds(
            reports,
            timedMatrixOf(summary, 1),
            queryOf(format, given),
            queryOf(reference.format, reference.params),
          )
        : [];
    },
    [summary, in16Bits],
  );
  const linesIn = useCallback(
    (reports: Device['reports']) => {
      const ofFormats = in16Bits
        .filter(({ format }) => format.id !== referenceFormat.id)
        .map((one) => ({ title: one.format.title, format: one.format, points: pointsIn(reports, one) }));
      const ofDense = dense.slice(1).map((line) => ({ ...line, points: pointsIn(reports, line) }));
      return { ofFormats, ofDense };
    },
    [in16Bits, dense, pointsIn],
  );
  const hasSpeeds = useCallback(
    ({ reports }: Device) => {
      const { ofFormats, ofDense } = linesIn(reports);
      return [...ofFormats, ...ofDense].some(({ points }) => points.length > 0);
    },
    [linesIn],
  );
  const shown = useDevice(hasSpeeds, { shapes: [shapeKey(summary ?? { rows: 0, cols: 0 })] });
  const { reports } = shown.device;
  const known = useMemo(() => linesIn(reports), [linesIn, reports]);
  const mark = [...known.ofFormats, ...known.ofDense].some(({ points }) => points.length > 0)
    ? substituteOf(reports[0])
    : null;
  const isShown = useCallback(
    ({ format, points }: FormatSpeeds) => isChosen(format, chosen) && points.length > 0,
    [chosen],
  );
  const measured = useMemo(() => known.ofFormats.filter(isShown), [known, isShown]);
  /** the fastest of the chosen formats, and of these and dense in fewer bits */
  const fastest = useMemo(() => {
    // In an unfinished run some formats have no time yet; on a CPU that simulates a GPU the fastest means nothing.
    const isWhole = ({ unfinished }: BenchReport): boolean => unfinished === undefined && mark !== 'software';
    const { ofFormats, ofDense } = linesIn(reports.filter(isWhole));
    return { ...fastestOf(ofFormats.filter(isShown), ofDense), quantised: ofDense };
  }, [linesIn, reports, isShown, mark]);
  return { shown, mark, measured, fastest, ofDense: known.ofDense };
}

/** The fastest format, and the fastest if dense in fewer bits is included, over the measured range of the formats. */
export function fastestOf(
  lines: readonly Pick<FormatSpeeds, 'title' | 'points'>[],
  ofDense: readonly Pick<FormatSpeeds, 'title' | 'points'>[],
) {
  const along = (some: readonly Pick<FormatSpeeds, 'title' | 'points'>[]) =>
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
