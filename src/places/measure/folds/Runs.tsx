import { useState } from 'react';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { TextButton, Button } from '../../../kit/controls/Button.tsx';
import { Section } from '../../../kit/controls/Section.tsx';
import { Dialog } from '../../../kit/frame/Dialog.tsx';
import { bytes } from '../../../kit/words/quantity.ts';
import { substituteOf, withMark } from '../../../kit/words/substitute.ts';
import { ReportFiles } from '../report/ReportFiles.tsx';
import { RECORDED_RUN, type ShownRun } from '../use-shown-run.ts';
import { useShowFold } from '../use-show-fold.ts';

/** The fold 'runs and files': all runs, how many this browser keeps, and saving and importing reports. */
export function Runs({ shownRun: { runs, run, report, choose } }: { readonly shownRun: ShownRun }) {
  const showKernels = useShowFold('kernels');
  return (
    <div className="grid gap-4 grid-cols-1 max-w-[64rem]">
      {runs.length > 0 && (
        <Section label="Runs">
          <ul className="grid gap-1 text-13">
            {runs.map((one) => (
              <li className="flex flex-wrap items-baseline gap-x-3" key={one.id}>
                <TextButton
                  className="text-start aria-pressed:font-semibold aria-pressed:no-underline"
                  aria-pressed={one.id === run?.id}
                  onClick={() => {
                    choose(one.id);
                    showKernels();
                  }}
                >
                  {withMark(one.name, one.reports[0] ? substituteOf(one.reports[0]) : null)}
                </TextButton>
                <span className="text-muted">
                  {one.reports.length === 1 ? '1 report' : `${one.reports.length} reports`}
                  {one.id === RECORDED_RUN ? ', recorded' : one.origin === 'imported' && ', imported'}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <KeptRuns />
      <ReportFiles run={run} report={report} />
    </div>
  );
}

/** How many runs this browser keeps, or why it cannot, and a button to delete them. */
function KeptRuns() {
  const { session } = useApp();
  const kept = useSession((s) => s.bench.kept);
  const [asking, setAsking] = useState(false);
  const close = (): void => setAsking(false);
  if (kept.runs === 0 && kept.refusal === null) return null;
  const results = kept.runs === 1 ? '1 result' : `${kept.runs} results`;
  return (
    <Section className="kept-runs" label="Kept results">
      {kept.refusal !== null && <p role="alert">{kept.refusal}</p>}
      {kept.runs > 0 && (
        <p className="field-hint">
          This browser keeps {results}, {bytes(kept.bytes)}.{' '}
          <TextButton aria-haspopup="dialog" onClick={() => setAsking(true)}>
            clear
          </TextButton>
        </p>
      )}
      {asking && (
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
