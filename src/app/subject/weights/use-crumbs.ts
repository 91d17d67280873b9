import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { baseOf } from '../../../state/index.ts';
import { shippedModel } from '../../../theory/models/known-models.ts';
import { type Crumbs, crumbsOf, levelOf, previewedCrumbs } from '../../chooser/crumbs.ts';

/** Whether the subject has random weights until the model's file is opened. Shipped matrices never do. */
export function useIsStandIn(): boolean {
  const source = useDocument((doc) => doc.source);
  const base = baseOf(source);
  return levelOf(source) !== null && base.kind === 'model' && shippedModel(base.model) === null;
}

/** The breadcrumb of the preview if there is one, else of the subject. */
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
