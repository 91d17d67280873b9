import { Suspense, useState } from 'react';
import { lazyPart } from '../../../../kit/browser/lazy-part.ts';

const ModelsDialog = lazyPart(async () => (await import('./ModelsDialog.tsx')).ModelsDialog);

interface ModelButtonProps {
  /** id of the model that writes, and its name */
  readonly model: string;
  readonly name: string;
}

/** Which model writes here; opens the list of models, and the way to bring one. */
export function ModelButton({ model, name }: ModelButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="language-model"
        aria-haspopup="dialog"
        aria-label={`Model: ${name}`}
        onClick={() => setIsOpen(true)}
      >
        model <b>{name}</b>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ModelsDialog model={model} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
