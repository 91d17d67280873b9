import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import {
  browserDecodeStore,
  createDecodeReports,
  type DecodeReports,
  tokensOf,
} from '../../state/reports/decode-reports.ts';
import type { DecodeReport } from '../../core/reports/decode-report.ts';
import type { TokenSpeed } from '../../theory/models/token-speeds.ts';

let kept: DecodeReports | null = null;

/** The reports of whole tokens that this browser keeps, for all places. */
export function decodeReports(): DecodeReports {
  kept ??= createDecodeReports(browserDecodeStore());
  return kept;
}

/** Reports of whole tokens from this visit or an earlier one, the newest first. */
export function useDecodes(): readonly DecodeReport[] {
  const decodes = decodeReports();
  const reports = useStore(decodes.store, (state) => state.reports);
  useEffect(() => void decodes.load(), [decodes]);
  return reports;
}

/** Whole tokens of the person's own reports. */
export function useOwnTokens(): readonly TokenSpeed[] {
  const reports = useDecodes();
  return useMemo(() => tokensOf(reports), [reports]);
}
