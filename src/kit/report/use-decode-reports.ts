import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { browserDecodeStore, createDecodeReports, tokenSpeedsOf } from '../../state/index.ts';
import type { DecodeReport } from '../../core/reports/decode-report.ts';
import type { TokenSpeed } from '../../theory/models/token-speeds.ts';

type DecodeReports = ReturnType<typeof createDecodeReports>;

let pageReports: DecodeReports | null = null;

/** The store of decode reports (times of whole tokens of a model) that this browser keeps; one for the whole page. */
export function decodeReports(): DecodeReports {
  pageReports ??= createDecodeReports(browserDecodeStore());
  return pageReports;
}

/** The decode reports of this visit and earlier ones, the newest first. */
export function useDecodeReports(): readonly DecodeReport[] {
  const decodes = decodeReports();
  const reports = useStore(decodes.store, (state) => state.reports);
  useEffect(() => void decodes.load(), [decodes]);
  return reports;
}

/** The times of whole tokens in the decode reports of this visit and earlier ones. */
export function useTokenTimes(): readonly TokenSpeed[] {
  const reports = useDecodeReports();
  return useMemo(() => tokenSpeedsOf(reports), [reports]);
}
