import { useCallback } from 'react';
import { useApp } from '../app-context.ts';
import type { TitleOf } from './report-view.ts';

/** Titles of formats by id; an imported report may name a format that this build does not have. */
export function useTitleOf(): TitleOf {
  const { formats } = useApp();
  return useCallback((id) => formats.find((f) => f.id === id)?.title ?? id, [formats]);
}
