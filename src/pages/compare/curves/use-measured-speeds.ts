import { useCallback, useMemo } from 'react';
import { referenceFormat } from '../../../formats/catalog.ts';
import { shapeKey, useDevice } from '../../../kit/devices/use-device.ts';
import { timedMatrixOf, type FormatQuery } from '../../../kit/report/matrix-times.ts';
import type { BenchReport } from '../../../core/report.ts';
import type { Device } from '../../../state/index.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { type DenseLine, withBits } from './chart-lines.ts';
import { isChosen } from './curve-choices.ts';
import type { ResolvedFormat } from './size-curves.ts';
import { fastestAlong } from './fastest-along.ts';
import { extendedTo, type MeasuredSpeed, measuredSpeeds } from './measured-speeds.ts';
import { largest, smallest } from '../../../core/number/statistics.ts';
import { substituteOf } from '../../../kit/words/ran-instead.ts';
import type { AnyListedFormat } from '../../../core/format.ts';

/** The measured speeds of a format against dense. */
export interface FormatSpeeds {
  readonly format: AnyListedFormat;
  readonly title: string;
  /** ascending in density */
  readonly points: readonly MeasuredSpeed[];
}

/** The measured speeds of dense in fewer bits against dense in 16. */
export type DenseSpeeds = DenseLine & Pick<FormatSpeeds, 'points'>;

/**
 * Speeds measured on the device that the page shows, of the chosen formats and of dense in fewer bits. `dense`: the
 * lines of dense, f16 first. `substitute`: what ran the kernels instead of a graphics card.
 */
export function useMeasuredSpeeds(chosenFormats: readonly string[], dense: readonly DenseLine[]) {
  const { formats } = useApp();
  const params = useDocument((doc) => doc.params);
  const summary = useSession((s) => s.summary);
  const formatsIn16Bits = useMemo(
    () =>
      formats.flatMap((format) => {
        const paramsIn16Bits = withBits(format, params[format.id], 16);
        return paramsIn16Bits ? [{ format, params: paramsIn16Bits }] : [];
      }),
    [formats, params],
  );
  const linesIn = useCallback(
    (reports: Device['reports']) => {
      const reference = formatsIn16Bits.find(({ format }) => format.id === referenceFormat.id);
      const pointsOf = (stored: ResolvedFormat): readonly MeasuredSpeed[] =>
        summary && reference
          ? measuredSpeeds(reports, timedMatrixOf(summary, 1), queryOf(stored), queryOf(reference))
          : [];
      const allFormatSpeeds = formatsIn16Bits
        .filter(({ format }) => format.id !== referenceFormat.id)
        .map((stored) => ({ title: stored.format.title, format: stored.format, points: pointsOf(stored) }));
      const denseSpeeds = dense.slice(1).map((line) => ({ ...line, points: pointsOf(line) }));
      const isEmpty = [...allFormatSpeeds, ...denseSpeeds].every(({ points }) => points.length === 0);
      return { allFormatSpeeds, denseSpeeds, isEmpty };
    },
    [summary, formatsIn16Bits, dense],
  );
  const hasSpeeds = useCallback(({ reports }: Device) => !linesIn(reports).isEmpty, [linesIn]);
  const visibleDevice = useDevice(hasSpeeds, { shapes: [shapeKey(summary ?? { rows: 0, cols: 0 })] });
  const { reports } = visibleDevice.device;
  const lines = useMemo(() => linesIn(reports), [linesIn, reports]);
  const substitute = lines.isEmpty ? null : substituteOf(reports[0]);
  const isVisible = useCallback(
    ({ format, points }: FormatSpeeds) => isChosen(format, chosenFormats) && points.length > 0,
    [chosenFormats],
  );
  const formatSpeeds = useMemo(() => lines.allFormatSpeeds.filter(isVisible), [lines, isVisible]);
  /** the fastest of the chosen formats, and of these and dense in fewer bits */
  const fastest = useMemo(() => {
    // In an unfinished run some formats have no time yet; on a CPU that simulates a GPU the fastest means nothing.
    const isComplete = ({ unfinished }: BenchReport): boolean => unfinished === undefined && substitute !== 'software';
    const { allFormatSpeeds, denseSpeeds } = linesIn(reports.filter(isComplete));
    return { ...fastestOf(allFormatSpeeds.filter(isVisible), denseSpeeds), quantised: denseSpeeds };
  }, [linesIn, reports, isVisible, substitute]);
  return { visibleDevice, substitute, formatSpeeds, fastest, denseSpeeds: lines.denseSpeeds };
}

type TitledPoints = Pick<FormatSpeeds, 'title' | 'points'>;

/** The fastest format by density, without and with dense in fewer bits, over the measured range of the formats. */
export function fastestOf(lines: readonly TitledPoints[], denseSpeeds: readonly TitledPoints[]) {
  const fastestOn = (compared: readonly TitledPoints[]) => fastestAlong(compared, referenceFormat.title);
  const densities = lines.flatMap(({ points }) => points.map(({ density }) => density));
  const range = [smallest(densities, 1), largest(densities, 0)] as const;
  const extended = denseSpeeds.map(({ title, points }) => ({ title, points: extendedTo(points, range) }));
  return { formatStretches: fastestOn(lines), stretchesWithDense: fastestOn([...lines, ...extended]) };
}

function queryOf({ format, params }: ResolvedFormat): FormatQuery {
  return { format: format.id, params, spec: format.params };
}
