import { messageOf } from '../../../../src/core/error-messages.ts';
import { useEffect, useState } from 'react';
import type { Draft } from '../kernel-drafts/draft.ts';
import { draftOfCode } from '../kernel-drafts/draft-file.ts';
import type { WorkbenchFields } from '../address.ts';
import { useApp } from '../../../../src/kit/app-context.ts';
import { draftProblem } from './draft-problem.ts';
import { useKernelLibrary, useDrafts } from './use-kernel-library.ts';

/** The state of the draft (a user's changed kernel) in an address. */
export type DraftState =
  /** the address names no draft */
  | { readonly kind: 'none' }
  | { readonly kind: 'waiting' }
  /** `isChanged`: the draft came with the link, and was changed in this browser since */
  | { readonly kind: 'ready'; readonly draft: Draft; readonly isChanged: boolean }
  | { readonly kind: 'missing'; readonly reason: string };

const NONE: DraftState = { kind: 'none' };
const WAITING: DraftState = { kind: 'waiting' };

/** A draft opened from a link: its id in this browser, or why it could not be read. */
interface LinkedDraft {
  readonly linkText: string;
  readonly id: string;
  readonly reason: string;
  /** when the draft was last changed */
  readonly changedAt: string;
}

/**
 * The draft that an address names: stored in this browser by its id, or contained in the link. Opening it runs nothing.
 */
export function useDraft({ draft: id, code }: WorkbenchFields): DraftState {
  const { formats } = useApp();
  const library = useKernelLibrary();
  const drafts = useDrafts((state) => state.drafts);
  const loaded = useDrafts((state) => state.loaded);
  const [linked, setLinked] = useState<LinkedDraft | null>(null);
  useEffect(() => {
    if (code === '' || !loaded) return;
    let isUnmounted = false;
    draftOfCode(code).then(
      (linkedDraft) => {
        if (isUnmounted) return;
        const reason = draftProblem(linkedDraft, formats);
        if (reason !== null) return setLinked({ linkText: code, id: '', reason, changedAt: '' });
        const id = library.adopt(linkedDraft, 'link');
        const changedAt = library.store.getState().drafts.find((draft) => draft.id === id)?.changedAt ?? '';
        setLinked({ linkText: code, id, reason: '', changedAt });
      },
      (error: unknown) => {
        if (isUnmounted) return;
        setLinked({ linkText: code, id: '', reason: messageOf(error), changedAt: '' });
      },
    );
    return () => {
      isUnmounted = true;
    };
  }, [library, formats, code, loaded]);

  if (id === '' && code === '') return NONE;
  if (!loaded) return WAITING;
  const stored = drafts.find((draft) => draft.id === id);
  const problem = stored ? draftProblem(stored, formats) : null;
  if (stored && problem === null) return { kind: 'ready', draft: stored, isChanged: false };
  if (problem !== null) return missing(problem);
  if (code === '') return missing('No such draft');
  if (linked?.linkText !== code) return WAITING;
  const linkedDraft = drafts.find((draft) => draft.id === linked.id);
  if (linkedDraft) return { kind: 'ready', draft: linkedDraft, isChanged: linkedDraft.changedAt !== linked.changedAt };
  return missing(linked.reason || 'The draft was deleted');
}

function missing(why: string): DraftState {
  return { kind: 'missing', reason: `${why}: the unchanged kernel is shown.` };
}
