import { REPORT_BOUNDS } from '../../../core/bounds/bounds.ts';
import type { BenchReport } from '../../../core/report.ts';
import type { BenchRun } from '../../../state/index.ts';
import { reportsToCsv } from '../../../state/reports/report-csv.ts';
import { reportsToJson } from '../../../state/reports/report-export.ts';
import { useApp } from '../../../kit/app-context.ts';
import { pickFiles } from '../../../kit/browser/pick-files.ts';
import { useTextFile } from '../../../kit/forms/use-text-file.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { saveText } from '../../../kit/browser/save-blob.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { RemoteForm } from '../../../kit/forms/RemoteForm.tsx';
import { useShell } from '../../../kit/frame/shell-context.ts';
import { useParamLabels, useTitleOf } from '../../../kit/report/use-title-of.ts';
import { Drawer } from '../../../kit/primitives/Boxes.tsx';
import { Button } from '../../../kit/controls/Button.tsx';
import { reportSvg } from './report-svg.ts';

/** Imports a report or a recording from an address. */
function ImportFromLink() {
  const { session } = useApp();
  const { read, reading } = useTextFile({ main: 'report.json', maxBytes: REPORT_BOUNDS.bytes }, (text, reference) => {
    const name =
      reference
        .replace(/[?#].*$/s, '')
        .split('/')
        .findLast((part) => part !== '') ?? reference;
    void session.importReport({ name, size: text.length, text: async () => text });
  });
  return (
    <Drawer title="import a link" className="basis-full">
      <RemoteForm action="Import from the web" hint="A report’s or recording’s address." onOpen={read} />
      {reading.job && <JobProgress job={reading.job} onCancel={reading.cancel} />}
    </Drawer>
  );
}

/** Buttons that save the shown run as JSON, CSV or SVG, and import reports from files or the web. */
export function ReportFiles({ run, report }: { readonly run: BenchRun | null; readonly report: BenchReport | null }) {
  const { session } = useApp();
  const { theme } = useShell();
  const titleOf = useTitleOf();
  const labelsOf = useParamLabels(report);
  const importFile = (): void =>
    pickFiles({ accept: '.json,application/json', multiple: false }, ([file]) => {
      void session.importReport(file);
    });
  return (
    <Section className="exports flex flex-wrap gap-2" label="Save and import">
      {run && report && (
        <>
          <Button onClick={() => saveText('sparsescope-bench.json', reportsToJson(run.reports), 'application/json')}>
            JSON
          </Button>
          <Button onClick={() => saveText('sparsescope-bench.csv', reportsToCsv(run.reports), 'text/csv')}>CSV</Button>
          <Button
            onClick={() =>
              saveText('sparsescope-bench.svg', reportSvg(report, theme, { titleOf, labelsOf }), 'image/svg+xml')
            }
          >
            SVG
          </Button>
        </>
      )}
      <Button onClick={importFile}>Import</Button>
      <ImportFromLink />
    </Section>
  );
}
