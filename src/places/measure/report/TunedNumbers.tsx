import { countText } from '../../../core/story/words.ts';
import type { BenchReport, BenchRow, TunedChoices } from '../../../core/report.ts';
import type { bench } from '../../../engine/bench-service.ts';
import { ratio } from '../../../kit/words/quantity.ts';
import { useApp } from '../../../kit/app-context.ts';
import { rowDifferences, sortedRows } from '../../../kit/report/report-view.ts';
import { useParamLabels, useTitleOf } from '../../../kit/report/use-title-of.ts';
import { Section } from '../../../kit/controls/Section.tsx';

type TunedRow = BenchRow & { readonly tuned: TunedChoices };

interface TunedNumbersProps {
  readonly report: BenchReport;
  /** found elsewhere, so there is nothing to forget here */
  readonly isImported: boolean;
}

/** Kernel parameters found by trial, their gain, and a button to forget them. */
export function TunedNumbers({ report, isImported }: TunedNumbersProps) {
  const { engine, session, announce } = useApp();
  const titleOf = useTitleOf();
  const labelsOf = useParamLabels(report);
  const tuned = sortedRows(report).filter((row): row is TunedRow => row.tuned !== undefined);
  if (tuned.length === 0) return null;
  const detailOf = rowDifferences(report.rows, labelsOf);
  const forget = async (): Promise<void> => {
    try {
      await engine.service<typeof bench>('bench').forgetTuning({});
      announce('Forgotten. The next run will search for these numbers again.');
    } catch (error) {
      session.fail(error);
    }
  };
  return (
    <Section
      title="Found by trial"
      action={
        !isImported && (
          <button type="button" className="text-button" onClick={() => void forget()}>
            forget
          </button>
        )
      }
    >
      <dl className="facts">
        {tuned.map((row) => (
          <TunedFact
            key={`${row.kernel} ${JSON.stringify(row.params)}`}
            title={titleOf(row.format)}
            detail={detailOf(row)}
            row={row}
          />
        ))}
      </dl>
    </Section>
  );
}

interface TunedFactProps {
  readonly title: string;
  readonly detail: string;
  readonly row: TunedRow;
}

function TunedFact({ title, detail, row }: TunedFactProps) {
  return (
    <>
      <dt title={row.kernel}>
        {title}
        {detail !== '' && <span className="kernel-detail">{detail}</span>}
      </dt>
      <dd title={row.tuned.remembered ? 'remembered from an earlier run' : `${row.tuned.tried} settings were tried`}>
        {tunedText(row.tuned)}
      </dd>
    </>
  );
}

/** shares 4 224, lanes 512: 1.04× the speed */
export function tunedText({ chosen, start, gain }: TunedChoices): string {
  const numbers = Object.entries(chosen)
    .map(([name, value]) => `${name} ${countText(value)}`)
    .join(', ');
  const stays = Object.entries(chosen).every(([name, value]) => value === start[name]);
  return stays ? `${numbers}, as without a trial` : `${numbers}: ${ratio(gain)} the speed`;
}
