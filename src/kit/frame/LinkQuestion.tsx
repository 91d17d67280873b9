import type { SessionState } from '../../state/index.ts';
import { Dialog } from './Dialog.tsx';

interface LinkQuestionProps {
  readonly question: NonNullable<SessionState['question']>;
  readonly onAnswer: (agrees: boolean) => void;
}

/** Whether a matrix may be fetched from where the link in the address bar leads. */
export function LinkQuestion({ question, onAnswer }: LinkQuestionProps) {
  const { address, host, isPrivate } = question;
  return (
    <Dialog title={`Open a matrix from ${host}?`} onClose={() => onAnswer(false)}>
      <div className="dialog-body link-question stack gap-3 breakable">
        <p>This link points to a matrix on another host. Nothing has been requested from it yet.</p>
        <p className="size-12 mono sunken rounded p-2-3">{address}</p>
        {isPrivate ? (
          <p>
            {host} is this machine, or one on its network. Open the link only if you know what answers there and trust
            the person who gave it to you.
          </p>
        ) : (
          <p>
            Opening it shows the host your IP address, as any download does. After that, links to it open on this device
            without asking, until you remove it under “change”, “Open”.
          </p>
        )}
        <div className="dialog-actions flex wrap justify-end gap-2 mt-5 sticky bottom-0 line-above ground">
          <button type="button" className="button" onClick={() => onAnswer(false)}>
            Do not open
          </button>
          <button type="button" className="button button--solid" onClick={() => onAnswer(true)}>
            Open from {host}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
