import { useStore } from 'zustand';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import { Dialog } from '../../../../src/kit/frame/Dialog.tsx';
import { SHIPPED_MODELS } from '../../../../src/theory/models/known-models.ts';
import { useChangeModel } from '../use-change-model.ts';
import { BringSteps } from './BringSteps.tsx';
import { useBringing, useImported } from './use-bringing.ts';
import { importedText, shippedText, nameInId, unfinishedText } from './model-words.ts';

interface ModelsDialogProps {
  /** id of the model that the page shows */
  readonly model: string;
  readonly onClose: () => void;
}

/** The dialog with the language models: shipped ones, imported ones, and a form to import another. */
export function ModelsDialog({ model, onClose }: ModelsDialogProps) {
  const bringing = useBringing();
  const { inspected, running: job, unfinished, unreadable } = useStore(bringing.store);
  const imported = useImported(true);
  const open = useChangeModel();
  const choose = (id: string): void => {
    open(id);
    onClose();
  };
  return (
    <Dialog title="Models that write" onClose={onClose}>
      <div className="dialog-body grid gap-4">
        {inspected === null && job === null && (
          <>
            <ul className="border-y border-hairline grid *:not-first:border-t *:border-hairline" aria-label="Models">
              {SHIPPED_MODELS.map(({ id, shape }) => (
                <Row
                  key={id}
                  name={shape.name}
                  description={shippedText(shape)}
                  isChosen={id === model}
                  onChoose={() => choose(id)}
                />
              ))}
              {(imported ?? []).map((importedModel) => (
                <Row
                  key={importedModel.id}
                  name={importedModel.config.name}
                  description={importedText(importedModel)}
                  isChosen={importedModel.id === model}
                  onChoose={() => choose(importedModel.id)}
                  onRemove={() => void bringing.remove(importedModel.id)}
                />
              ))}
              {unfinished.map(({ id, bytes }) => (
                <Row
                  key={id}
                  name={nameInId(id)}
                  description={unfinishedText(bytes)}
                  removed={`what arrived of ${nameInId(id)}`}
                  onRemove={() => void bringing.remove(id)}
                />
              ))}
              {unreadable.map(({ entry, kind, name: entryName, why }) => {
                const name = kind === 'model' ? nameInId(entryName) : entryName;
                return (
                  <Row
                    key={entry}
                    name={name}
                    description={`a ${kind} unreadable: ${why}`}
                    removed={`the ${kind} ${name}`}
                    onRemove={() => void bringing.removeUnreadable(entry)}
                  />
                );
              })}
            </ul>
            {/* One line before and after the list arrives: otherwise, the form below would move under the pointer. */}
            {(imported === null || imported.length === 0) && (
              <p className="text-muted">{imported === null ? 'Looking for imported models …' : 'None imported yet.'}</p>
            )}
          </>
        )}
        <BringSteps onLoaded={onClose} />
      </div>
    </Dialog>
  );
}

interface RowProps {
  readonly name: string;
  readonly description: string;
  readonly isChosen?: boolean;
  /** absent for models that cannot be opened */
  readonly onChoose?: () => void;
  /** what `onRemove` removes, for the button's label; absent: `name` */
  readonly removed?: string;
  /** absent for shipped models */
  readonly onRemove?: () => void;
}

function Row({ name, description, isChosen = false, onChoose, removed = name, onRemove }: RowProps) {
  const label = (
    <>
      <b className={isChosen ? 'me-1 font-semibold' : 'me-1 font-medium'}>{name}</b>{' '}
      <span className="text-muted">{description}</span>
    </>
  );
  const className = 'hover:bg-sunken wrap-anywhere text-start min-w-0 flex-1 content-center min-h-9 px-2 py-1';
  return (
    <li className="flex items-center justify-between gap-3">
      {onChoose ? (
        <button
          type="button"
          className={`${className} cursor-pointer aria-[current]:[box-shadow:inset_2px_0_var(--text)]`}
          aria-current={isChosen || undefined}
          onClick={onChoose}
        >
          {label}
        </button>
      ) : (
        <span className={className}>{label}</span>
      )}
      {onRemove && (
        <TextButton aria-label={`Remove ${removed}`} onClick={onRemove}>
          remove
        </TextButton>
      )}
    </li>
  );
}
