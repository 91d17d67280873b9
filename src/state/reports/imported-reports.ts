import type { BenchReport } from '../../core/report.ts';
import { fullDeviceReports } from '../../core/reports/recording.ts';
import { checkRecording } from '../../core/reports/recording-check.ts';
import { checkReports } from '../../core/reports/report-check.ts';
import { isRecord } from '../../core/bounds/shapes.ts';

export { checkReportSize, parseReportText } from '../../core/reports/report-check.ts';

/** The checked reports of an imported file; of a recording of a device, those timed with all its features. */
export function checkImportedReports(name: string, value: unknown): readonly BenchReport[] {
  const isRecording = isRecord(value) && 'environments' in value && 'reports' in value;
  const reports = isRecording ? fullDeviceReports(checkRecording(name, value)) : checkReports(name, value);
  return reports.map((report) => ({ ...report, imported: true }));
}
