import { useMemo, useState } from 'react';
import { useApp } from '../../kit/app-context.ts';
import type { ModelShape } from '../../theory/models/model-shape.ts';
import { exampleFinder, type MatrixPickerResult, matrixPickerResults } from './search.ts';

/** The state of the picker's search field: the query, its results, and the one that Enter opens (`active`). */
export function useSearch(models: readonly ModelShape[]) {
  const { gallery } = useApp();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const findExample = useMemo(() => exampleFinder(gallery), [gallery]);
  const results = useMemo(() => matrixPickerResults(query, models, findExample), [query, models, findExample]);
  const last = results.length - 1;
  return {
    query,
    results,
    active,
    isOn: query.trim() !== '',
    onQuery(text: string): void {
      setQuery(text);
      setActive(0);
    },
    /** The result that Enter opens, 'moved' for an arrow key, null for an unused key. */
    onKey(key: string): MatrixPickerResult | 'moved' | null {
      if (key === 'Enter') return results[active] ?? null;
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return null;
      const to = active + (key === 'ArrowDown' ? 1 : -1);
      setActive(to > last ? 0 : to < 0 ? Math.max(0, last) : to);
      return 'moved';
    },
  };
}
