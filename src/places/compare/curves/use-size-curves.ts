import { useEffect, useState } from 'react';
import { Pacer } from '../../../core/pace.ts';
import type { AnyListedFormat } from '../../../core/format.ts';
import type { FormatParams } from '../../../state/index.ts';
import { type FormatCurves, sampleFormat } from './size-curves.ts';
import type { SizeQuestion } from './variants.ts';

/**
 * The curves of formats in their order, as they are computed: cheap closed forms at once, others within a second or
 * two, yielding every 10 ms. Earlier curves stay until all new ones are there.
 */
export function useSizeCurves(
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
