import type { AnyFormat } from '../../core/format.ts';
import type { BenchRow, Refusal } from '../../core/report.ts';
import { paramFields } from '../../state/index.ts';
import { paramText } from '../parts/quantity.ts';

/** A parameter and its values in words. */
export interface ParamWords {
  readonly title: string;
  readonly valueText: (value: unknown) => string;
}

/** The words of a format's form; where a report names what this build does not know, its own. */
export function paramWords(format: AnyFormat | undefined, name: string): ParamWords {
  const field = format && paramFields(format.params).find(([key]) => key === name)?.[1];
  return {
    title: field?.label ?? name,
    valueText: (value) => {
      const option = field?.kind === 'choice' ? field.options.find((o) => o.value === value) : undefined;
      return option?.label ?? String(value);
    },
  };
}

/** Labels longer than this explain a value more than they name it. */
const LONGEST_NAME = 8;

/** A few parameters by their values, as a form names them: 6:8 · f16. Of many, the value type alone. */
export function paramLabels(format: AnyFormat | undefined, params: Readonly<Record<string, unknown>>): string {
  const named = Object.entries(params).map(([name, value]) => {
    const label = paramWords(format, name).valueText(value);
    return [name, label.length <= LONGEST_NAME ? label : value] as const;
  });
  return paramText(Object.fromEntries(named));
}

/** A format's parameters as its form names them, by the id of the format. */
export type ParamLabels = (format: string, params: Readonly<Record<string, unknown>>) => string;

/** What sets a kernel apart from others of its format: 'subgroup per row · 6:8 · f16'. */
export function kernelDetail({ title, format, params, where }: BenchRow, labelsOf: ParamLabels): string {
  const parts = [title, labelsOf(format, params), where === 'cpu' ? 'CPU' : ''];
  return parts.filter((part) => part !== '').join(' · ');
}

/** What sets a refused kernel apart: 'slidesparse/gemm_f16 · 6:8 · f16'. */
export function refusalDetail({ kernel, format, params = {} }: Refusal, labelsOf: ParamLabels): string {
  return [kernel, labelsOf(format, params)].filter((part) => part !== '').join(' · ');
}
