import { useCallback } from 'react';
import type { BenchReport } from '../../core/report.ts';
import { useApp } from '../app-context.ts';
import { type ParamLabels, paramLabels, tellingParams } from './param-words.ts';
import type { TitleOf } from './report-view.ts';

/** Titles of formats by id; an imported report may name a format that this build does not have. */
export function useTitleOf(): TitleOf {
  const { formats } = useApp();
  return useCallback((id) => formats.find((f) => f.id === id)?.title ?? id, [formats]);
}

/** The same for their parameters, as they are told apart in a report. */
export function useParamLabels(report: BenchReport | null): ParamLabels {
  const { formats } = useApp();
  return useCallback(
    (id, params) =>
      paramLabels(
        formats.find((f) => f.id === id),
        params,
        report ? tellingParams(report, id) : [],
      ),
    [formats, report],
  );
}
