import { useEffect, useState } from 'react';
import { Pacer } from '../../../core/pace.ts';
import type { AnyListedFormat } from '../../../core/format.ts';
import type { AnyValueType } from '../../../core/number/index.ts';
import type { FormatParams } from '../../../state/index.ts';
import { type FormatCurves, sampleFormat } from './size-curves.ts';
import type { SizeQuestion } from './variants.ts';

/** A format's curves with values of one type. */
export interface TypedCurves extends FormatCurves {
  readonly valueType: AnyValueType;
}

/**
 * The curves of all formats in each of these value types, relative to dense in that of the question. The first types come
 * first, quick closed forms before slow ones; earlier curves stay until those of another question are there.
 */
export function useTypedCurves(
  formats: readonly AnyListedFormat[],
  params: Readonly<Record<string, FormatParams>>,
  question: SizeQuestion | null,
  types: readonly AnyValueType[],
): readonly TypedCurves[] {
  const [curves, setCurves] = useState<readonly TypedCurves[]>([]);
  useEffect(() => {
    if (question === null) return;
    let wanted = true;
    const sample = async (): Promise<void> => {
      const pacer = new Pacer();
      const all = types.flatMap((valueType) => formats.map((format) => ({ valueType, format })));
      const found = new Map<string, TypedCurves>();
      const keyOf = ({ valueType, format }: (typeof all)[number]): string => `${valueType} ${format.id}`;
      const show = (): void => setCurves(all.flatMap((one) => found.get(keyOf(one)) ?? []));
      const add = async (one: (typeof all)[number]): Promise<void> => {
        const { valueType, format } = one;
        const sampled = await sampleFormat(format, params[format.id], { ...question, valueType }, pacer, question);
        if (sampled.variants.length > 0) found.set(keyOf(one), { ...sampled, valueType });
      };
      const slow: typeof all = [];
      for (const one of all) {
        if (isSlow(one.format, params[one.format.id], question)) slow.push(one);
        else await add(one);
        if (!wanted) return;
      }
      show();
      for (const one of slow) {
        await add(one);
        if (!wanted) return;
        show();
      }
    };
    void sample();
    return () => {
      wanted = false;
    };
  }, [formats, params, question, types]);
  return curves;
}

/** One density predicts the time of the others. */
function isSlow(format: AnyListedFormat, params: FormatParams, question: SizeQuestion): boolean {
  const start = performance.now();
  format.expectedEffectiveDensity?.(0.3, params, question);
  format.admissionOdds?.(0.3, params, question, question.placement);
  return performance.now() - start > 0.05;
}
