import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import { referenceFormat } from '../../../formats/catalog.ts';
import { shapeKey, useDevice } from '../../../kit/devices/use-device.ts';
import type { Device } from '../../../state/devices/device.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { type CurveChoices, isChosen } from './curve-choices.ts';
import { fastestAlong, measuredSpeeds, speedsOf } from './measured-speeds.ts';
import { quantisedLines, unstructuredLines } from './references.ts';
import { subjectOf } from './run-requests.ts';
import { useSizeCurves } from './use-size-curves.ts';
import { type SizeQuestion, type Variant, variantsOf } from './variants.ts';
import { smallestAlong } from './winners.ts';
import { useSizeRuns } from './size-runs.ts';

/** The device that answers about speed: one that measured a line of this shape, else one with times of it. */
function useSpeedsDevice(
  { rows, cols, valueType }: SizeQuestion,
  matrix: CurveChoices['matrix'],
): ReturnType<typeof useDevice> {
  const speedsOn = useCallback(
    ({ reports }: Device) => measuredSpeeds(reports, { rows, cols, valueType }, referenceFormat.id),
    [rows, cols, valueType],
  );
  const hasSpeeds = useCallback((device: Device) => speedsOn(device).length > 0, [speedsOn]);
  const isRunning = useSession((s) => s.bench.running !== null);
  // A line needs two densities. While something is measured, it is shown as it comes.
  const hasAll = useCallback(
    (device: Device) =>
      isRunning || matrix === 'stage' || new Set(speedsOn(device).map(({ density }) => density)).size > 1,
    [isRunning, matrix, speedsOn],
  );
  return useDevice(hasSpeeds, { shapes: [shapeKey({ rows, cols })], hasAll });
}

/** Data of the charts, strips and table, except for the position of the cursor. */
export function useDensity(choices: CurveChoices) {
  const { formats } = useApp();
  const params = useDocument((doc) => doc.params);
  const { rows, cols, values: valueType, way, formats: chosen } = choices;
  const question = useMemo<SizeQuestion>(
    () => ({ rows, cols, valueType, placement: way === 'n-of-m' ? 'even' : 'independent' }),
    [rows, cols, valueType, way],
  );
  const { curves: all, complete: areComplete } = useSizeCurves(formats, params, question);
  const curves = useMemo(() => all.filter((f) => isChosen(f.format, chosen) && f.variants.length > 0), [all, chosen]);
  const others = useMemo<readonly Variant[]>(
    () =>
      formats
        .filter((f) => !f.expectedEffectiveDensity && isChosen(f, chosen))
        .flatMap((f) => variantsOf(f, params[f.id], question).slice(0, 1)),
    [formats, params, question, chosen],
  );
  const smallest = useMemo(
    () =>
      smallestAlong(
        curves.flatMap((f) => f.variants),
        question,
      ),
    [curves, question],
  );

  const subject = subjectOf(
    choices,
    { rows, cols },
    useSession((s) => s.summary?.whole ?? 0),
  );
  const sizes = useStore(useSizeRuns().sizes.store);
  const encoded = useMemo(
    () =>
      sizes.subject === subject
        ? sizes.sizes.filter((s) => formats.some((f) => f.id === s.format && isChosen(f, chosen)))
        : [],
    [sizes, subject, chosen, formats],
  );

  const shown = useSpeedsDevice(question, choices.matrix);
  const { reports } = shown.device;
  const speeds = useMemo(
    () => measuredSpeeds(reports, { rows, cols, valueType }, referenceFormat.id),
    [reports, rows, cols, valueType],
  );
  const linesOf = useCallback(
    (of: typeof speeds) =>
      formats
        .filter((f) => isChosen(f, chosen))
        .map((format) => {
          const [own] = variantsOf(format, params[format.id], question);
          return { format, points: own ? speedsOf(of, format.id, own.params) : [] };
        })
        .filter(({ points }) => points.length > 0),
    [formats, params, question, chosen],
  );
  const measured = useMemo(() => linesOf(speeds), [linesOf, speeds]);
  // While a density is being measured, formats that already have times would win over those that wait.
  const complete = useMemo(
    () =>
      measuredSpeeds(
        reports.filter(({ unfinished }) => unfinished === undefined),
        { rows, cols, valueType },
        referenceFormat.id,
      ),
    [reports, rows, cols, valueType],
  );
  const fastest = useMemo(
    () =>
      fastestAlong(
        linesOf(complete).map(({ format, points }) => ({ name: format.title, points })),
        referenceFormat.title,
      ),
    [linesOf, complete],
  );
  const unstructured = useMemo(
    () => (choices.beside.includes('unstructured') ? unstructuredLines(question) : []),
    [choices.beside, question],
  );
  const quantised = useMemo(
    () =>
      choices.beside.includes('quantised') ? quantisedLines(referenceFormat, params[referenceFormat.id], question) : [],
    [params, question, choices.beside],
  );
  /** dense in fewer bits, with its speeds relative to dense */
  const besides = useMemo(
    () => quantised.map((line) => ({ line, points: speedsOf(speeds, referenceFormat.id, line.variant.params) })),
    [quantised, speeds],
  );
  return {
    question,
    shown,
    curves,
    all,
    complete: areComplete,
    others,
    smallest,
    subject,
    sizes,
    encoded,
    speeds,
    measured,
    fastest,
    quantised,
    besides,
    unstructured,
  };
}

export type Density = ReturnType<typeof useDensity>;
