import { REPORT_BOUNDS } from '../../../core/bounds/bounds.ts';
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
import { Drawer } from '../../../kit/primitives/Boxes.tsx';
import { Button } from '../../../kit/controls/Button.tsx';

function FromTheWeb() {
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

/** The shown run as files, and reports that come from files or the web. */
export function Exports({ run }: { readonly run: BenchRun | null }) {
  const { session } = useApp();
  const importFile = (): void =>
    pickFiles({ accept: '.json,application/json', multiple: false }, ([file]) => {
      void session.importReport(file);
    });
  return (
    <Section className="exports flex wrap gap-2" label="Save and import">
      {run && run.reports.length > 0 && (
        <>
          <Button onClick={() => saveText('sparsescope-bench.json', reportsToJson(run.reports), 'application/json')}>
            JSON
          </Button>
          <Button onClick={() => saveText('sparsescope-bench.csv', reportsToCsv(run.reports), 'text/csv')}>CSV</Button>
        </>
      )}
      <Button onClick={importFile}>Import</Button>
      <FromTheWeb />
    </Section>
  );
}
