import { Section } from '../../../kit/controls/Section.tsx';
import { substituteOf, withMark } from '../../../kit/words/substitute.ts';
import { KeptRuns } from '../form/KeptRuns.tsx';
import { Exports } from '../report/Exports.tsx';
import { useShowFold } from '../use-show-fold.ts';
import { RECORDED, type ShownRun } from '../use-runs.ts';
import { TextButton } from '../../../kit/controls/Button.tsx';

/** All runs, the storage for them in this browser, and files. */
export function Runs({ shownRun: { runs, run, report, choose } }: { readonly shownRun: ShownRun }) {
  const showKernels = useShowFold('kernels');
  return (
    <div className="stack gap-4 one-column-grid max-64">
      {runs.length > 0 && (
        <Section label="Runs">
          <ul className="runs-list stack gap-1 size-13">
            {runs.map((one) => (
              <li className="flex wrap items-baseline gap-0-3" key={one.id}>
                <TextButton
                  className="text-start"
                  aria-pressed={one.id === run?.id}
                  onClick={() => {
                    choose(one.id);
                    showKernels();
                  }}
                >
                  {withMark(one.name, one.reports[0] ? substituteOf(one.reports[0]) : null)}
                </TextButton>
                <span className="quiet">
                  {one.reports.length === 1 ? '1 report' : `${one.reports.length} reports`}
                  {one.id === RECORDED ? ', recorded' : one.origin === 'imported' && ', imported'}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <KeptRuns />
      <Exports run={run} report={report} />
    </div>
  );
}
