import { useApp } from '../../kit/app-context.ts';
import { withDetails } from './address.ts';

/** Returns a function that opens this details section of the page Measure. */
export function useShowDetails(id: string): () => void {
  const { document } = useApp();
  return () => document.setState(withDetails(document.getState(), id));
}
