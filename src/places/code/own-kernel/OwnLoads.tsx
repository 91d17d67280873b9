import { useState } from 'react';
import { countText } from '../../../core/story/words.ts';
import { NumberInput } from '../../../kit/controls/NumberInput.tsx';
import { ArrayTable } from '../memory/ArrayTable.tsx';
import { cutText, shownArray, watchedWords } from '../memory/watched.ts';
import type { Watched } from './use-own-kernel.ts';

interface OwnLoadsProps {
  readonly watched: Watched;
  readonly onWatch: (workgroup: number) => void;
}

/** What the lanes of one workgroup ask memory for, array by array. */
export function OwnLoads({ watched, onWatch }: OwnLoadsProps) {
  const [workgroup, setWorkgroup] = useState(0);
  const answer = watched.kind === 'there' ? watched.answer : null;
  const last = answer ? answer.workgroups - 1 : null;
  return (
    <>
      <div className="own-kernel-run">
        <NumberInput
          label={last === null ? 'Workgroup' : `Workgroup, 0 to ${countText(last)}`}
          value={workgroup}
          min={0}
          max={last ?? 2 ** 20}
          whole
          onChange={setWorkgroup}
        />
        <button
          type="button"
          className="button"
          aria-disabled={watched.kind === 'waiting'}
          onClick={watched.kind === 'waiting' ? undefined : () => onWatch(workgroup)}
        >
          {watched.kind === 'waiting' ? 'Watching …' : 'Watch it'}
        </button>
      </div>
      {watched.kind === 'failed' && <p role="alert">{watched.reason}</p>}
      {answer && (
        <>
          <p>
            {watchedWords(answer, shownArray(answer.arrays, '')).map(({ text, strong }) =>
              strong ? <strong key={text}>{text}</strong> : text,
            )}
          </p>
          <ArrayTable answer={answer} />
          <p className="quiet">
            Seen on this device by a copy of the kernel that writes down its addresses. Lanes that reach a load together
            are assumed to make it together. {cutText(answer)}
          </p>
        </>
      )}
    </>
  );
}
