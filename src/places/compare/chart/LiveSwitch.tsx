import { useId } from 'react';
import { useApp } from '../../../kit/app-context.ts';
import { liveRemarks } from './live-words.ts';
import type { LiveTimesOfPage } from './use-live.ts';
import { Check } from '../../../kit/controls/Check.tsx';

interface LiveSwitchProps {
  readonly live: LiveTimesOfPage;
  /** the link that opened the page requests it */
  readonly isLinked: boolean;
  /** whether the table already says that a format does not hold a density */
  readonly isRefused: (format: string, density: number) => boolean;
  readonly onToggle: () => void;
}

/** Switches live times on and off; if they are not available, says why. */
export function LiveSwitch({ live, isLinked, isRefused, onToggle }: LiveSwitchProps) {
  const id = useId();
  const { formats } = useApp();
  const remarks = liveRemarks(live, (format) => formats.find((f) => f.id === format)?.title ?? format, isRefused);
  return (
    <>
      <Check
        isSwitch
        checked={live.on}
        disabled={live.refusal !== null && !live.on}
        describedBy={`${id}-live`}
        onChange={onToggle}
      >
        live: times at the cursor
      </Check>
      <p className="field-hint" id={`${id}-live`}>
        {live.refusal ??
          (live.on
            ? 'Moving the cursor measures at that density; slower encoders join once it rests. Passes are short: a full run may give ratios a tenth higher.'
            : isLinked
              ? 'The link asks for live times; nothing runs until you switch them on.'
              : 'Measures wherever you move the cursor, on a generated 4096 × 4096 matrix.')}
      </p>
      {live.problem !== null && (
        <p className="field-hint" role="alert">
          {live.problem}
        </p>
      )}
      {remarks !== null && <p className="field-hint">{remarks}</p>}
    </>
  );
}
