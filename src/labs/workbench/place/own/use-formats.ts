import { useStore } from 'zustand';
import { type FormatDraft, formatLibrary } from '../../provider/format-library.ts';
import type { DraftLibraryState } from '../../library/library.ts';

/** A selection from the formats of one's own in this browser; the component renders again only when that changes. */
export function useFormats<T>(select: (state: DraftLibraryState<FormatDraft>) => T): T {
  return useStore(formatLibrary().store, select);
}
