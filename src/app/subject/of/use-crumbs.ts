import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { type Crumbs, crumbsOf, previewedCrumbs } from '../../chooser/crumbs.ts';

/** What the breadcrumb shows: what is previewed, or else the subject. */
export function useCrumbs(): Crumbs {
  const { catalog } = useApp();
  const source = useDocument((doc) => doc.source);
  const summary = useSession((s) => s.summary);
  const previewed = useStore(previewedCrumbs);
  const own = useMemo(
    () => crumbsOf(source, summary, (id) => catalog.examples.find((one) => one.id === id)?.title ?? null),
    [source, summary, catalog],
  );
  return previewed ?? own;
}
