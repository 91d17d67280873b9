import { DRAFT_BOUNDS } from '../../../../core/bounds/bounds.ts';
import { deflatedText, inflatedText } from '../../library/deflated-text.ts';
import type { PortableDraft } from './draft.ts';
import { draftText, parseDraft } from './file.ts';

const IN_LINK = 'The draft in the link';

/** The draft for an address: its text, deflated, as base64url. */
export async function draftCode(draft: PortableDraft): Promise<string> {
  return deflatedText(draftText(draft));
}

/** The draft in an address. Rejects with SparseScopeError if there is none, or if it inflates to too much. */
export async function draftOfCode(code: string): Promise<PortableDraft> {
  return parseDraft(IN_LINK, await inflatedText(IN_LINK, code, DRAFT_BOUNDS));
}
