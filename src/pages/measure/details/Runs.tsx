import { useState } from 'react';
import { REPORT_BOUNDS } from '../../../core/bounds/bounds.ts';
import { reportsToCsv } from '../../../core/reports/report-csv.ts';
import { counted } from '../../../core/text/words.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { pickFiles } from '../../../kit/browser/pick-files.ts';
import { saveText } from '../../../kit/browser/save-blob.ts';
import { TextButton, Button } from '../../../kit/controls/Button.tsx';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { Section } from '../../../kit/controls/Section.tsx';
import { RemoteForm } from '../../../kit/forms/RemoteForm.tsx';
import { useTextFile } from '../../../kit/forms/use-text-file.ts';
import { Dialog } from '../../../kit/frame/Dialog.tsx';
import { useShell } from '../../../kit/frame/shell-context.ts';
import { Drawer } from '../../../kit/primitives/Boxes.tsx';
import { useParamLabels, useTitleOf } from '../../../kit/report/report-labels.ts';
import { bytes } from '../../../kit/words/quantity.ts';
import { substituteOf, withSubstitute } from '../../../kit/words/ran-instead.ts';
import { reportsToJson } from '../../../state/index.ts';
import { reportSvg } from '../report/report-svg.ts';
import { RECORDED_RUN, type VisibleRun } from '../use-shown-run.ts';
import { useShowDetails } from '../use-show-details.ts';

/** The details section 'runs and files': all runs, how many the browser stores, and saving and importing reports. */
export function Runs({ visibleRun: { runs, run, report, choose } }: { readonly visibleRun: VisibleRun }) {
  const showKernels = useShowDetails('kernels');
  return (
    <div className="grid gap-4 grid-cols-1 max-w-[64rem]">
      {runs.length > 0 && (
        <Section label="Runs">
          <ul className="grid gap-1 text-13">
            {runs.map(({ id, name, origin, reports }) => (
              <li className="flex flex-wrap items-baseline gap-x-3" key={id}>
                <TextButton
                  className="text-start aria-pressed:font-semibold aria-pressed:no-underline"
                  aria-pressed={id === run?.id}
                  onClick={() => {
                    choose(id);
                    showKernels();
                  }}
                >
                  {withSubstitute(name, reports[0] ? substituteOf(reports[0]) : null)}
                </TextButton>
                <span className="text-muted">
                  {counted(reports.length, 'report')}
                  {id === RECORDED_RUN ? ', recorded' : origin === 'imported' && ', imported'}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <SavedRuns />
      <ReportFiles run={run} report={report} />
    </div>
  );
}

/** The number of runs (on the page: results) that the browser stores, or why it cannot, and a button to delete them. */
function SavedRuns() {
  const { session } = useApp();
  const kept = useSession((s) => s.bench.storage);
  const [isAsking, setIsAsking] = useState(false);
  const close = (): void => setIsAsking(false);
  if (kept.runs === 0 && kept.rejection === null) return null;
  const results = counted(kept.runs, 'result');
  return (
    <Section className="saved-runs" label="Kept results">
      {kept.rejection !== null && <p role="alert">{kept.rejection}</p>}
      {kept.runs > 0 && (
        <p className="field-hint">
          This browser keeps {results}, {bytes(kept.bytes)}.{' '}
          <TextButton aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
            clear
          </TextButton>
        </p>
      )}
      {isAsking && (
        <Dialog title={`Clear ${results}?`} onClose={close}>
          <div className="dialog-body">
            <p>Deletes all results here. Saved files stay.</p>
            <div className="dialog-actions flex flex-wrap justify-end gap-2 mt-5 sticky bottom-0 border-t border-hairline bg-ground">
              <Button onClick={close}>Keep</Button>
              <Button
                kind="solid"
                onClick={() => {
                  close();
                  void session.clearRuns();
                }}
              >
                Clear
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </Section>
  );
}

/** Imports a report, or a recording (all measurements on one device), from an address. */
function ImportFromLink() {
  const { session } = useApp();
  const { read, reading } = useTextFile({ main: 'report.json', maxBytes: REPORT_BOUNDS.bytes }, (text, reference) => {
    const path = reference.replace(/[?#].*$/s, '').split('/');
    const name = path.findLast((part) => part !== '') ?? reference;
    void session.importReport({ name, size: text.length, text: async () => text });
  });
  return (
    <Drawer title="import a link" className="basis-full">
      <RemoteForm action="Import from the web" hint="A report’s or recording’s address." onOpen={read} />
      {reading.job && <JobProgress job={reading.job} onCancel={reading.cancel} />}
    </Drawer>
  );
}

/** Buttons that save the current run as JSON, CSV or SVG, and import reports from files or the web. */
function ReportFiles({ run, report }: Pick<VisibleRun, 'run' | 'report'>) {
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
