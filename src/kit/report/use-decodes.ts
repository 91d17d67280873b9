import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { browserDecodeStore, createKeptDecodes, type KeptDecodes, tokensOf } from '../../state/reports/kept-decodes.ts';
import type { WholeTokens } from '../../theory/models/whole-tokens.ts';

let kept: KeptDecodes | null = null;

/** The reports of whole tokens that this browser keeps, for all places. */
export function keptDecodes(): KeptDecodes {
  kept ??= createKeptDecodes(browserDecodeStore());
  return kept;
}

/** What was measured here of whole tokens, in this visit or an earlier one. */
export function useOwnTokens(): readonly WholeTokens[] {
  const decodes = keptDecodes();
  const reports = useStore(decodes.store, (state) => state.reports);
  useEffect(() => void decodes.load(), [decodes]);
  return useMemo(() => tokensOf(reports), [reports]);
}
