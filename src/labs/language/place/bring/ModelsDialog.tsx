import { useStore } from 'zustand';
import { TextButton } from '../../../../kit/controls/Button.tsx';
import { Dialog } from '../../../../kit/frame/Dialog.tsx';
import { SHIPPED_MODELS } from '../../../../theory/models/known-models.ts';
import { useOpenModel } from '../use-open-model.ts';
import { BringSteps } from './BringSteps.tsx';
import { useBringing, useBrought } from './use-bringing.ts';
import { broughtText, shippedText, nameInId, unfinishedText } from './model-words.ts';

interface ModelsDialogProps {
  /** id of the model that writes */
  readonly model: string;
  readonly onClose: () => void;
}

/** Models that write: shipped ones, brought ones, and a form to bring another. */
export function ModelsDialog({ model, onClose }: ModelsDialogProps) {
  const bringing = useBringing();
  const { inspected, running, unfinished, unreadable } = useStore(bringing.store);
  const brought = useBrought(true);
  const open = useOpenModel();
  const choose = (id: string): void => {
    open(id);
    onClose();
  };
  return (
    <Dialog title="Models that write" onClose={onClose}>
      <div className="dialog-body grid gap-4">
        {inspected === null && running === null && (
          <>
            <ul className="border-y border-hairline grid *:not-first:border-t *:border-hairline" aria-label="Models">
              {SHIPPED_MODELS.map(({ id, shape }) => (
                <Row
                  key={id}
                  name={shape.name}
                  about={shippedText(shape)}
                  isChosen={id === model}
                  onChoose={() => choose(id)}
                />
              ))}
              {(brought ?? []).map((one) => (
                <Row
                  key={one.id}
                  name={one.config.name}
                  about={broughtText(one)}
                  isChosen={one.id === model}
                  onChoose={() => choose(one.id)}
                  onRemove={() => void bringing.remove(one.id)}
                />
              ))}
              {unfinished.map(({ id, bytes }) => (
                <li className="flex items-center justify-between gap-3" key={id}>
                  <span className="hover:bg-sunken wrap-anywhere text-start min-w-0 flex-1 content-center min-h-9 px-2 py-1">
                    <b className="me-1 font-medium">{nameInId(id)}</b>{' '}
                    <span className="text-muted">{unfinishedText(bytes)}</span>
                  </span>
                  <TextButton
                    aria-label={`Remove what arrived of ${nameInId(id)}`}
                    onClick={() => void bringing.remove(id)}
                  >
                    remove
                  </TextButton>
                </li>
              ))}
              {unreadable.map(({ entry, kind, name, why }) => (
                <li className="flex items-center justify-between gap-3" key={entry}>
                  <span className="hover:bg-sunken wrap-anywhere text-start min-w-0 flex-1 content-center min-h-9 px-2 py-1">
                    <b className="me-1 font-medium">{kind === 'model' ? nameInId(name) : name}</b>{' '}
                    <span className="text-muted">
                      a {kind} unreadable: {why}
                    </span>
                  </span>
                  <TextButton
                    aria-label={`Remove the ${kind} ${kind === 'model' ? nameInId(name) : name}`}
                    onClick={() => void bringing.removeUnreadable(entry)}
                  >
                    remove
                  </TextButton>
                </li>
              ))}
            </ul>
            {brought?.length === 0 && <p className="text-muted">None brought yet.</p>}
          </>
        )}
        <BringSteps onLoaded={onClose} />
      </div>
    </Dialog>
  );
}

interface RowProps {
  readonly name: string;
  readonly about: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  /** absent for shipped ones */
  readonly onRemove?: () => void;
}

function Row({ name, about, isChosen, onChoose, onRemove }: RowProps) {
  return (
    <li className="flex items-center justify-between gap-3">
      <button
        type="button"
        className="hover:bg-sunken wrap-anywhere text-start min-w-0 flex-1 cursor-pointer min-h-9 px-2 py-1 aria-[current]:[box-shadow:inset_2px_0_var(--text)]"
        aria-current={isChosen || undefined}
        onClick={onChoose}
      >
        <b className={isChosen ? 'me-1 font-semibold' : 'me-1 font-medium'}>{name}</b>{' '}
        <span className="text-muted">{about}</span>
      </button>
      {onRemove && (
        <TextButton aria-label={`Remove ${name}`} onClick={onRemove}>
          remove
        </TextButton>
      )}
    </li>
  );
}
