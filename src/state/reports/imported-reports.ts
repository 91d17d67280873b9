import type { BenchReport } from '../../core/report.ts';
import { wholeReports } from '../../core/reports/recording.ts';
import { checkRecording } from '../../core/reports/recording-check.ts';
import { checkReports } from '../../core/reports/report-check.ts';
import { isRecord } from '../../core/bounds/shapes.ts';

export { checkReportSize, parseReportText } from '../../core/reports/report-check.ts';

/** The reports in an imported file, checked; of a recording, those timed with all features of its device. */
export function checkImportedReports(name: string, value: unknown): readonly BenchReport[] {
  const isRecording = isRecord(value) && 'environments' in value && 'reports' in value;
  const reports = isRecording ? wholeReports(checkRecording(name, value)) : checkReports(name, value);
  return reports.map((report) => ({ ...report, imported: true }));
}
