import type { SessionState } from '../../state/index.ts';
import { Dialog } from './Dialog.tsx';
import { Button } from '../controls/Button.tsx';

interface LinkQuestionProps {
  readonly question: NonNullable<SessionState['question']>;
  readonly onAnswer: (agrees: boolean) => void;
}

/** A dialog about whether a matrix may be fetched from the server that a link names. */
export function LinkQuestion({ question, onAnswer }: LinkQuestionProps) {
  const { address, host, isPrivate } = question;
  return (
    <Dialog title={`Open a matrix from ${host}?`} onClose={() => onAnswer(false)}>
      <div className="dialog-body grid gap-3 wrap-anywhere">
        <p>Nothing has been requested yet.</p>
        <p className="text-12 font-mono bg-sunken rounded-md px-3 py-2">{address}</p>
        {isPrivate ? (
          <p>{host} is this machine, or one on its network. Open it only if you know what answers there.</p>
        ) : (
          <p>The host will see your IP address. Later links to it open without asking.</p>
        )}
        <div className="dialog-actions flex flex-wrap justify-end gap-2 mt-2 sticky bottom-0 border-t border-hairline bg-ground">
          <Button onClick={() => onAnswer(false)}>Do not open</Button>
          <Button kind="solid" onClick={() => onAnswer(true)}>
            Open from {host}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
