import type { BenchReport } from '../../core/report.ts';
import { wholeReports } from '../../core/reports/recording.ts';
import { checkRecording } from '../../core/reports/recording-check.ts';
import { checkReports } from '../../core/reports/report-check.ts';
import { isRecord } from '../../core/bounds/shapes.ts';

export { checkReportSize, parseReportText } from '../../core/reports/report-check.ts';

/**
 * Checks a file that a person imports, and returns its reports: a report, a list of them, or a recording, of which those for
 * the whole device count. Each is marked as imported. Throws ReadError with file, position, found and expected.
 */
export function checkImportedReports(name: string, value: unknown): readonly BenchReport[] {
  const isRecording = isRecord(value) && 'environments' in value && 'reports' in value;
  const reports = isRecording ? wholeReports(checkRecording(name, value)) : checkReports(name, value);
  return reports.map((report) => ({ ...report, imported: true }));
}
