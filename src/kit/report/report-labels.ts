import { useCallback, useMemo } from 'react';
import type { BenchReport } from '../../core/report.ts';
import { useApp } from '../app-context.ts';
import { type ParamLabels, paramLabels, distinguishingParams } from './param-words.ts';
import type { TitleOf } from './report-view.ts';

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
