import { useCallback } from 'react';
import { useApp } from '../app-context.ts';
import { type ParamLabels, paramLabels } from './param-words.ts';
import type { TitleOf } from './report-view.ts';

/** Titles of formats by id; an imported report may name a format that this build does not have. */
export function useTitleOf(): TitleOf {
  const { formats } = useApp();
  return useCallback((id) => formats.find((f) => f.id === id)?.title ?? id, [formats]);
}

/** The same for their parameters. */
export function useParamLabels(): ParamLabels {
  const { formats } = useApp();
  return useCallback(
    (id, params) =>
      paramLabels(
        formats.find((f) => f.id === id),
        params,
      ),
    [formats],
  );
}
