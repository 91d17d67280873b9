import type { Draft } from '../kernel-drafts/draft.ts';
import { toggleVariant, variantOf } from '../kernel-drafts/variants.ts';
import { variantId } from '../../../state/index.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import type { ShownRun } from './draft-words.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { Check } from '../../../kit/controls/Check.tsx';

interface VersionActionsProps {
  readonly draft: Draft;
  /** a version that was right */
  readonly run: ShownRun;
}

/** What to do with a version that was right: list it with the kernels for this session, save its race as a report. */
export function VersionActions({ draft, run }: VersionActionsProps) {
  const { session, formats, announce } = useApp();
  const variants = useSession((s) => s.variants);
  const variant = variantOf(draft, run.number, formats);
  const report = run.result.timed?.report;
  const isIn = variant !== null && variants.some((one) => variantId(one) === variantId(variant));
  return (
    <Section className="draft-further" title="Take it further">
      {variant && (
        <Check checked={isIn} onChange={() => toggleVariant(session, variant)}>
          list it with the kernels until the page is closed
        </Check>
      )}
      {isIn && (
        <p className="quiet">
          Version {run.number} is in the list of kernels and among those of{' '}
          <button type="button" className="text-button" onClick={() => session.follow('settings')}>
            a benchmark
          </button>
          , marked as a draft.
        </p>
      )}
      {report && (
        <button
          type="button"
          className="text-button"
          onClick={() => {
            void session.keepReport(report);
            announce('The race is now one of the runs under Measure, marked as a draft’s.');
          }}
        >
          Put the race into a report
        </button>
      )}
    </Section>
  );
}
