import { useState } from 'react';
import { REPORT_BOUNDS } from '../../../core/bounds/bounds.ts';
import type { BenchReport } from '../../../core/report.ts';
import type { BenchRun } from '../../../state/index.ts';
import { reportsToCsv } from '../../../state/reports/report-csv.ts';
import { reportsToJson } from '../../../state/reports/report-export.ts';
import { useApp } from '../../../kit/app-context.ts';
import { pickFiles } from '../../../kit/browser/pick-files.ts';
import { createReadText } from '../../../kit/browser/read-text.ts';
import { saveText } from '../../../kit/browser/save-blob.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { RemoteForm } from '../../../kit/forms/RemoteForm.tsx';
import { useShell } from '../../../kit/frame/shell-context.ts';
import { useParamLabels, useTitleOf } from '../../../kit/report/use-title-of.ts';
import { reportSvg } from './report-svg.ts';

/** A report or a recording that somebody published. */
function FromTheWeb() {
  const app = useApp();
  const [readText] = useState(() => createReadText(app, { main: 'report.json', maxBytes: REPORT_BOUNDS.bytes }));
  const open = async (reference: string, token: string | null): Promise<void> => {
    const text = await readText(reference, token);
    if (text === null) return;
    const name =
      reference
        .replace(/[?#].*$/s, '')
        .split('/')
        .findLast((part) => part !== '') ?? reference;
    await app.session.importReport({ name, size: text.length, text: async () => text });
  };
  return (
    <details className="disclosure">
      <summary>import a link</summary>
      <RemoteForm
        action="Import from the web"
        hint="The address of a report or a recording as JSON. Nothing else is downloaded, and nothing is sent."
        onOpen={(reference, token) => void open(reference, token)}
      />
    </details>
  );
}

/** The shown run as files, and reports that come from files or the web. */
export function Exports({ run, report }: { readonly run: BenchRun | null; readonly report: BenchReport | null }) {
  const { session } = useApp();
  const { theme } = useShell();
  const titleOf = useTitleOf();
  const labelsOf = useParamLabels(report);
  const importFile = (): void =>
    pickFiles({ accept: '.json,application/json', multiple: false }, ([file]) => {
      void session.importReport(file);
    });
  return (
    <Section className="exports" label="Save and import">
      {run && report && (
        <>
          <button
            type="button"
            className="button"
            onClick={() => saveText('sparsescope-bench.json', reportsToJson(run.reports), 'application/json')}
          >
            JSON
          </button>
          <button
            type="button"
            className="button"
            onClick={() => saveText('sparsescope-bench.csv', reportsToCsv(run.reports), 'text/csv')}
          >
            CSV
          </button>
          <button
            type="button"
            className="button"
            onClick={() =>
              saveText('sparsescope-bench.svg', reportSvg(report, theme, { titleOf, labelsOf }), 'image/svg+xml')
            }
          >
            SVG
          </button>
        </>
      )}
      <button type="button" className="button" onClick={importFile}>
        Import
      </button>
      <FromTheWeb />
    </Section>
  );
}
