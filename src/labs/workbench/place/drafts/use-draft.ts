import { messageOf } from '../../../../core/errors.ts';
import { useEffect, useState } from 'react';
import type { Draft } from '../kernel-drafts/draft.ts';
import { draftOfCode } from '../kernel-drafts/draft-file.ts';
import type { WorkbenchFields } from '../address.ts';
import { useApp } from '../../../../kit/app-context.ts';
import { draftProblem } from './draft-problem.ts';
import { useKernelLibrary, useDrafts } from './use-kernel-library.ts';

/** The draft in the address, once it is loaded. */
export type DraftState =
  /** the address names none */
  | { readonly kind: 'none' }
  | { readonly kind: 'waiting' }
  /** isOther: it came with the link and has changed since */
  | { readonly kind: 'there'; readonly draft: Draft; readonly isOther: boolean }
  | { readonly kind: 'missing'; readonly reason: string };

const NONE: DraftState = { kind: 'none' };
const WAITING: DraftState = { kind: 'waiting' };

/** A draft opened from a link: its id in this browser, or why it could not be read. */
interface LinkedDraft {
  readonly code: string;
  readonly id: string;
  readonly reason: string;
  /** when the draft was last changed */
  readonly changedAt: string;
}

/** The draft of an address: from this browser by id, or from the link. Opening it runs nothing. */
export function useDraft({ draft: id, code }: WorkbenchFields): DraftState {
  const { formats } = useApp();
  const library = useKernelLibrary();
  const drafts = useDrafts((state) => state.drafts);
  const loaded = useDrafts((state) => state.loaded);
  const [linked, setOpened] = useState<LinkedDraft | null>(null);
  useEffect(() => {
    if (code === '' || !loaded) return;
    let gone = false;
    draftOfCode(code).then(
      (carried) => {
        if (gone) return;
        const reason = draftProblem(carried, formats);
        if (reason !== null) return setOpened({ code, id: '', reason, changedAt: '' });
        const id = library.adopt(carried, 'link');
        const changedAt = library.store.getState().drafts.find((draft) => draft.id === id)?.changedAt ?? '';
        setOpened({ code, id, reason: '', changedAt });
      },
      (error: unknown) => {
        if (gone) return;
        setOpened({ code, id: '', reason: messageOf(error), changedAt: '' });
      },
    );
    return () => {
      gone = true;
    };
  }, [library, formats, code, loaded]);

  if (id === '' && code === '') return NONE;
  if (!loaded) return WAITING;
  const own = drafts.find((draft) => draft.id === id);
  const problem = own ? draftProblem(own, formats) : null;
  if (own && problem === null) return { kind: 'there', draft: own, isOther: false };
  if (problem !== null) return missing(problem);
  if (code === '') return missing('No such draft');
  if (linked?.code !== code) return WAITING;
  const carried = drafts.find((draft) => draft.id === linked.id);
  if (carried) return { kind: 'there', draft: carried, isOther: carried.changedAt !== linked.changedAt };
  return missing(linked.reason || 'The draft was deleted');
}

function missing(why: string): DraftState {
  return { kind: 'missing', reason: `${why}: the kernel is shown as it is.` };
}
