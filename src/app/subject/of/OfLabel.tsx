import { useSession } from '../../../kit/app-context.ts';

/** The matrix by its name. */
export function OfLabel() {
  const name = useSession((s) => s.summary?.name ?? 'no matrix');
  return <b>{name}</b>;
}
