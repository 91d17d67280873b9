import { useStore } from 'zustand';
import { type FormatDraft, formatLibrary } from '../../provider/format-library.ts';
import type { DraftLibraryState } from '../../library/draft-library.ts';

/** A selection from the person's formats in this browser; the component renders again only when the selection changes. */
export function useFormats<T>(select: (state: DraftLibraryState<FormatDraft>) => T): T {
  return useStore(formatLibrary().store, select);
}
