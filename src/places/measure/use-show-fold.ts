import { useApp } from '../../kit/app-context.ts';
import { withFold } from './address.ts';

/** Opens one of Measure's folds, unless it is open. */
export function useShowFold(id: string): () => void {
  const { document } = useApp();
  return () => document.setState(withFold(document.getState(), id));
}
