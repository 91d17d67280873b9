import { useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import type { MatrixSource } from '../../../engine/matrix/source-types.ts';
import {
  type AppDocument,
  firstDocument,
  pageState,
  sameSource,
  equalChoices,
  choiceA,
  withPage,
  sameRegion,
} from '../../../state/index.ts';
import { useApp, useDocument } from '../../../kit/app-context.ts';
import { WATCH_FIELDS } from '../address.ts';

/** The document (page state) without the first screen, the reduced page Watch of a first visit. */
export function afterVisit(doc: AppDocument): AppDocument {
  return withPage(doc, WATCH_FIELDS, { ...pageState(doc, WATCH_FIELDS), visit: 'later' });
}

/** The source, with density 1 if it is pruned by magnitude: the first screen's slider changes only the density. */
function withDensityOne(source: MatrixSource): MatrixSource {
  if (source.kind !== 'pruned' || source.pruning.way !== 'magnitude') return source;
  return { ...source, pruning: { way: 'magnitude', density: 1 } };
}

/** Whether the first screen is shown: until a story plays, or another matrix, format or frame is chosen. */
export function useFirstVisit(): boolean {
  const { catalog, document, player } = useApp();
  const first = useMemo(() => firstDocument(catalog), [catalog]);
  const visit = useDocument((doc) => pageState(doc, WATCH_FIELDS).visit);
  const isUntouched = useDocument(
    (doc) =>
      doc.frame === first.frame &&
      doc.isSideBySide === first.isSideBySide &&
      doc.tokens === first.tokens &&
      sameSource(withDensityOne(doc.source), withDensityOne(first.source)) &&
      sameRegion(doc.window, first.window) &&
      equalChoices(choiceA(doc), choiceA(first)) &&
      equalChoices(doc.formatB, first.formatB),
  );
  const isPlaying = useStore(player.store, ({ playing }) => playing);
  const isFirst = visit === 'first' && isUntouched && !isPlaying;
  const before = useRef(visit);
  useEffect(() => {
    const isBack = before.current !== visit;
    before.current = visit;
    if (visit !== 'first' || isFirst) return;
    // A step back in the history to the first screen stops the player.
    if (isBack && isUntouched) player.pause();
    else document.setState(afterVisit(document.getState()));
  }, [visit, isFirst, isUntouched, document, player]);
  return isFirst;
}
