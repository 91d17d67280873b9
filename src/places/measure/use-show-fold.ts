import { useApp } from '../../kit/app-context.ts';
import { withFold } from './address.ts';

/** Unfolds one of Measure's folds, where it is not open yet. */
export function useShowFold(id: string): () => void {
  const { document } = useApp();
  return () => document.setState(withFold(document.getState(), id));
}
