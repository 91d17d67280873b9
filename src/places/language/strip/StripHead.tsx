import type { MouseEvent, ReactNode } from 'react';
import { useApp, useCurrentFormat } from '../../../kit/app-context.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { withTab } from '../address.ts';
import type { MatrixAt } from '../../../kit/models/matrix-overrides.ts';

interface StripGroupsProps {
  readonly groups: readonly { readonly title: string; readonly matrices: readonly MatrixAt[] }[];
  readonly isWhole: (group: readonly MatrixAt[]) => boolean;
  readonly onSelect: (group: readonly MatrixAt[], event: MouseEvent) => void;
}

/** Headings of kinds and layers: a press selects all of one, with Shift or Ctrl besides what is selected. */
export function StripGroups({ groups, isWhole, onSelect }: StripGroupsProps) {
  return (
    <p className="strip-groups" role="group" aria-label="Select matrices">
      <span>select</span>
      {groups.map(({ title, matrices }) => (
        <button
          key={title}
          type="button"
          className="text-button"
          aria-pressed={isWhole(matrices)}
          onClick={(event) => onSelect(matrices, event)}
        >
          {title}
        </button>
      ))}
    </p>
  );
}

interface StripHeadProps {
  readonly matrices: number;
  /** bytes of all of them: in f16, and as A stores them; null while they are counted */
  readonly dense: number;
  readonly total: number | null;
  /** id of B; null for A alone */
  readonly against: string | null;
  /** ids of other formats in use */
  readonly others: readonly string[];
  /** some matrices have choices of their own */
  readonly isMixed: boolean;
  readonly actions: ReactNode;
}

/** What area, filling and colours mean. */
export function StripHead({ matrices, dense, total, against, others, isMixed, actions }: StripHeadProps) {
  const { document, formats } = useApp();
  const format = useCurrentFormat();
  const titleOf = (id: string): string => formats.find((one) => one.id === id)?.title ?? id;
  const sum = total === null ? '' : `: ${megabytes(total)} of ${megabytes(dense)} MB`;
  return (
    <div className="strip-head">
      <h3>
        What a token reads{' '}
        <span className="section-caption">
          {matrices} matrices, area is bytes in f16, filled is what {isMixed ? 'is stored' : `${format.title} stores`}
          {sum}
        </span>
      </h3>
      <span className="strip-legend">
        <span>
          <Swatch format={format.id} /> {format.title}
        </span>
        {against !== null && (
          <span>
            <Swatch format={against} /> {titleOf(against)}
          </span>
        )}
        {others.map((id) => (
          <span key={id}>
            <Swatch format={id} /> {titleOf(id)}
          </span>
        ))}
        {actions}
        <button
          type="button"
          className="text-button"
          onClick={() => document.setState(withTab(document.getState(), 'quality'))}
        >
          density per layer
        </button>
      </span>
    </div>
  );
}

/** Bytes in MB. */
function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}
