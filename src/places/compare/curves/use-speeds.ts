import { useCallback, useEffect, useMemo, useState } from 'react';
import { referenceFormat } from '../../../formats/catalog.ts';
import { shapeKey, useDevice } from '../../../kit/devices/use-device.ts';
import type { Device } from '../../../state/devices/device.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { type ChartChoices, isChosen, type Way } from './curve-choices.ts';
import { fastestAlong, measuredSpeeds, speedsOf } from './measured-speeds.ts';
import { quantisedLines } from './references.ts';
import { type SizeQuestion, variantsOf } from './variants.ts';
import { Pacer } from '../../../core/pace.ts';
import type { AnyListedFormat } from '../../../core/format.ts';
import type { FormatParams } from '../../../state/index.ts';
import { type FormatCurves, sampleFormat } from './size-curves.ts';

/** What is known of speeds on the matrix of the sentence, with values of 16 bits, over what is left of it. */
export function useSpeeds({ formats: chosen, beside }: Pick<ChartChoices, 'formats' | 'beside'>, way: Way) {
  const { formats } = useApp();
  const params = useDocument((doc) => doc.params);
  const rows = useSession((s) => s.summary?.rows ?? 0);
  const cols = useSession((s) => s.summary?.cols ?? 0);
  const question = useMemo<SizeQuestion>(
    () => ({ rows, cols, valueType: 'f16', placement: way === 'n-of-m' ? 'even' : 'independent' }),
    [rows, cols, way],
  );
  const all = useSizeCurves(formats, params, question);
  const curves = useMemo(() => all.filter((f) => isChosen(f.format, chosen) && f.variants.length > 0), [all, chosen]);
  const speedsIn = useCallback(
    (reports: Device['reports']) => measuredSpeeds(reports, { rows, cols, valueType: 'f16' }, referenceFormat.id),
    [rows, cols],
  );
  const hasSpeeds = useCallback(({ reports }: Device) => speedsIn(reports).length > 0, [speedsIn]);
  const shown = useDevice(hasSpeeds, { shapes: [shapeKey({ rows, cols })] });
  const { reports } = shown.device;
  const speeds = useMemo(() => speedsIn(reports), [speedsIn, reports]);
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
    () => speedsIn(reports.filter(({ unfinished }) => unfinished === undefined)),
    [speedsIn, reports],
  );
  const fastest = useMemo(
    () =>
      fastestAlong(
        linesOf(complete).map(({ format, points }) => ({ name: format.title, points })),
        referenceFormat.title,
      ),
    [linesOf, complete],
  );
  const quantised = useMemo(
    () => (beside.includes('quantised') ? quantisedLines(referenceFormat, params[referenceFormat.id], question) : []),
    [params, question, beside],
  );
  /** dense in fewer bits, with its speeds relative to dense */
  const besides = useMemo(
    () => quantised.map((line) => ({ line, points: speedsOf(speeds, referenceFormat.id, line.variant.params) })),
    [quantised, speeds],
  );
  return { shown, curves, speeds, measured, fastest, quantised, besides };
}

/**
 * The curves of formats in their order, as they are computed: cheap closed forms at once, others within a second or
 * two, yielding every 10 ms. Earlier curves stay until all new ones are there.
 */
function useSizeCurves(
  formats: readonly AnyListedFormat[],
  params: Readonly<Record<string, FormatParams>>,
  question: SizeQuestion,
): readonly FormatCurves[] {
  const [state, setState] = useState<{
    readonly of: SizeQuestion | null;
    readonly curves: readonly FormatCurves[];
  }>({ of: null, curves: [] });
  useEffect(() => {
    let wanted = true;
    const found = new Map<string, FormatCurves>();
    const show = (): void => {
      const complete = found.size === formats.length;
      const curves = formats.flatMap((f) => found.get(f.id) ?? []);
      setState((before) => ({
        of: question,
        // Curves of another question are replaced as soon as the first ones of this are there.
        curves: complete || curves.length >= before.curves.length || before.of !== question ? curves : before.curves,
      }));
    };
    const sample = async (): Promise<void> => {
      const pacer = new Pacer();
      const slow: AnyListedFormat[] = [];
      for (const format of formats) {
        // One density predicts the time of the others.
        const start = performance.now();
        format.expectedEffectiveDensity?.(0.3, params[format.id], question);
        format.admissionOdds?.(0.3, params[format.id], question, question.placement);
        if (performance.now() - start > 0.05) {
          slow.push(format);
          continue;
        }
        found.set(format.id, await sampleFormat(format, params[format.id], question, pacer));
        if (!wanted) return;
      }
      show();
      for (const format of slow) {
        found.set(format.id, await sampleFormat(format, params[format.id], question, pacer));
        if (!wanted) return;
        show();
      }
    };
    void sample();
    return () => {
      wanted = false;
    };
  }, [formats, params, question]);
  return state.curves;
}
