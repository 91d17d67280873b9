import { useApp } from '../../kit/app-context.ts';
import { withFold } from './address.ts';

/** Returns a function that opens this details section of the page Measure. */
export function useShowFold(id: string): () => void {
  const { document } = useApp();
  return () => document.setState(withFold(document.getState(), id));
}
