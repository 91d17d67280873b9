import { baseOf } from '../../../state/index.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';

/** The matrix by its name. */
export function OfLabel() {
  const { catalog } = useApp();
  const name = useSession((s) => s.summary?.name ?? null);
  const base = useDocument(({ source }) => baseOf(source));
  const example = base.kind === 'example' ? catalog.examples.find(({ id }) => id === base.id) : undefined;
  return <b>{name ?? example?.title ?? 'no matrix'}</b>;
}
