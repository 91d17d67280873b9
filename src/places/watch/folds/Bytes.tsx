import type { Violation } from '../../../core/format.ts';
import { countText } from '../../../core/story/words.ts';
import type { EncodingSummary } from '../../../engine/matrix/types.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { Icon } from '../../../kit/controls/Icon.tsx';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { Section } from '../../../kit/controls/Section.tsx';
import type { Side } from '../sides.ts';
import { FactsView } from './FactsView.tsx';
import { LedgerView } from './LedgerView.tsx';
import { Refusal } from './Refusal.tsx';

/** What the bytes of the whole matrix are for, in each format. */
export function Bytes({ sides }: { readonly sides: readonly Side[] }) {
  return sides.map((side) => <BytesSection key={side.side} of={side} />);
}

function BytesSection({ of: { name, format, encoding, story } }: { readonly of: Side }) {
  const { session } = useApp();
  const sampled = useSession((s) => s.summary?.sampledRows !== undefined);
  return (
    <Section title={name} label={`${name}: bytes by purpose`} level={3} aside="this matrix">
      {encoding?.kind === 'ready' && encoding.summary.ledger && (
        <>
          <LedgerView title={name} ledger={encoding.summary.ledger} />
          <FactsView facts={encoding.summary.facts} />
          <Validation violations={encoding.summary.violations} validated={encoding.summary.validated} />
        </>
      )}
      {encoding?.kind === 'ready' && !encoding.summary.admission.ok && story.kind !== 'failed' && (
        <Refusal
          refusal={encoding.summary.admission}
          onPrune={({ kept, group }) => void session.prune({ way: 'n-of-m', kept, group })}
        />
      )}
      {encoding?.kind === 'ready' && encoding.summary.admission.ok && encoding.summary.admission.notes.length > 0 && (
        <ul className="matrix-notes">
          {encoding.summary.admission.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {(encoding === undefined || encoding.kind === 'waiting' || encoding.kind === 'running') && (
        <div className="ledger-room">
          {encoding?.kind === 'running' ? (
            <JobProgress job={encoding.job} onCancel={session.cancelEncoding} />
          ) : sampled ? (
            <>
              <p className="faint">
                Stand-in weights are computed where they are looked at. Bytes are counted over all of them.
              </p>
              <p>
                <button type="button" className="button" onClick={() => session.retryEncoding(format.id)}>
                  Encode in {format.title}
                </button>
              </p>
            </>
          ) : (
            <p className="faint">Open a matrix to encode it in {format.title}.</p>
          )}
        </div>
      )}
      {(encoding?.kind === 'failed' || encoding?.kind === 'cancelled') && (
        <div className="verdict verdict--bad">
          <Icon name="warning" />
          <div>
            <p>{encoding.kind === 'failed' ? encoding.reason : `Encoding as ${format.title} was cancelled.`}</p>
            <p>
              <button type="button" className="text-button" onClick={() => session.retryEncoding(format.id)}>
                encode again
              </button>
            </p>
          </div>
        </div>
      )}
    </Section>
  );
}

/** Violations listed at most; more would only repeat these. */
const SHOWN_VIOLATIONS = 5;

interface ValidationProps {
  readonly violations: readonly Violation[];
  readonly validated: EncodingSummary['validated'];
}

function Validation({ violations, validated }: ValidationProps) {
  if (violations.length === 0) {
    return (
      <div className="verdict verdict--good validation">
        <Icon name="tick" />
        <p className="quiet">
          {validated === 'full' ? 'Valid: every element checked.' : 'Valid: every length checked.'}
        </p>
      </div>
    );
  }
  return (
    <div className="verdict verdict--bad validation">
      <Icon name="warning" />
      <div>
        <p>
          {countText(violations.length)} {violations.length === 1 ? 'rule is' : 'rules are'} broken.
        </p>
        <ul>
          {violations.slice(0, SHOWN_VIOLATIONS).map((v) => (
            <li key={`${v.array} ${v.index} ${v.message}`}>
              <code>
                {v.array}
                {v.index === null ? '' : `[${v.index}]`}
              </code>{' '}
              {v.message}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
