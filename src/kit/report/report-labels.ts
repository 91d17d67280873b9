import { useCallback, useMemo } from 'react';
import type { BenchReport, BenchRow, Rejection } from '../../core/report.ts';
import { useApp } from '../app-context.ts';
import type { TitleOf } from './report-view.ts';
import type { AnyListedFormat } from '../../core/format.ts';
import { paramFields } from '../../state/index.ts';

interface ParamWords {
  readonly title: string;
  readonly valueText: (value: unknown) => string;
}

/** The words for a parameter, as in its format's form; for an unknown parameter, its name and value themselves. */
export function paramWords(format: AnyListedFormat | undefined, name: string): ParamWords {
  const field = format && paramFields(format.params).find(([key]) => key === name)?.[1];
  return {
    title: field?.label ?? name,
    valueText: (value) => {
      const option = field?.kind === 'choice' ? field.options.find((o) => o.value === value) : undefined;
      return option?.label ?? String(value);
    },
  };
}

/** A text with at most this many parameters lists values without names. */
const MAX_BY_VALUE = 3;

/** Longer labels, in characters, explain the value: the value itself is shown instead. */
const LONGEST_LABEL = 8;

/** The values of up to three parameters: '6:8 · f16'; of more, names and values in `distinguishing`, and value type. */
export function paramLabels(
  format: AnyListedFormat | undefined,
  params: Readonly<Record<string, unknown>>,
  distinguishing: readonly string[] = [],
): string {
  const named = Object.entries(params).map(([name, value]) => {
    const label = paramWords(format, name).valueText(value);
    return [name, label.length <= LONGEST_LABEL ? label : value] as const;
  });
  if (named.length <= MAX_BY_VALUE) return paramText(Object.fromEntries(named));
  const distinguished = distinguishing
    .filter((name) => name in params && name !== 'valueType')
    .map((name) => {
      const words = paramWords(format, name);
      return `${words.title} ${words.valueText(params[name])}`;
    });
  return [...distinguished, paramText(Object.fromEntries(named))].filter((part) => part !== '').join(' · ');
}

/** Names of the parameters in which the rows of a format differ within a report. */
export function distinguishingParams({ rows, refused: rejected }: BenchReport, format: string): readonly string[] {
  const sets = [...rows, ...rejected]
    .filter((r) => r.format === format)
    .flatMap(({ params }) => (params ? [params] : []));
  return Object.keys(sets[0] ?? {}).filter((name) => sets.some((params) => params[name] !== sets[0][name]));
}

/** Returns the text of a format's parameters, such as `paramLabels` makes; `format`: the id. */
export type ParamLabels = (format: string, params: Readonly<Record<string, unknown>>) => string;

/** What distinguishes a timed kernel from others of its format: 'subgroup per row · 6:8 · f16'. */
export function kernelDetail({ title, format, params, where, searching }: BenchRow, labelsOf: ParamLabels): string {
  const parts = [title, labelsOf(format, params), where === 'cpu' ? 'CPU' : '', searching ? 'constants on trial' : ''];
  return parts.filter((part) => part !== '').join(' · ');
}

/** What distinguishes a rejected kernel: 'slidesparse/gemm_f16 · 6:8 · f16'. */
export function rejectionDetail({ kernel, format, params = {} }: Rejection, labelsOf: ParamLabels): string {
  return [kernel, labelsOf(format, params)].filter((part) => part !== '').join(' · ');
}

/** The values of up to three parameters; of more only the value type, since the others are unclear without names. */
export function paramText(params: Readonly<Record<string, unknown>>): string {
  const values = Object.values(params);
  if (values.length <= MAX_BY_VALUE) return values.join(' · ');
  return typeof params.valueType === 'string' ? params.valueType : '';
}

/** A function from a format's id to its title; an unknown format, as in an imported report, has its id as title. */
export function useTitleOf(): TitleOf {
  const { formats } = useApp();
  return useCallback((id) => formats.find((f) => f.id === id)?.title ?? id, [formats]);
}

/** A function that labels a format's parameters: if there are many, those in which its rows of the report differ. */
export function useParamLabels(report: BenchReport | null): ParamLabels {
  const { formats } = useApp();
  return useMemo(() => {
    const ids = new Set([...(report?.rows ?? []), ...(report?.refused ?? [])].map(({ format }) => format));
    const distinguishing = new Map([...ids].map((id) => [id, report ? distinguishingParams(report, id) : []] as const));
    return (id, params) =>
      paramLabels(
        formats.find((f) => f.id === id),
        params,
        distinguishing.get(id) ?? [],
      );
  }, [formats, report]);
}
