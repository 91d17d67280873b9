import { SHIPPED_MODELS } from '../../../../theory/models/known-models.ts';
import { useOpenModel } from '../use-change-subject.ts';
import { BringSteps } from './BringSteps.tsx';
import { nameInId } from './model-words.ts';
import { TextButton } from '../../../../kit/controls/Button.tsx';

/** Shown if the model of an address is not in this browser, with the steps to open it. */
export function MissingModel({ id }: { readonly id: string }) {
  const open = useOpenModel();
  return (
    <div className="grid gap-4 max-w-[44rem]">
      <h2 className="text-24 font-medium wrap-anywhere">“{nameInId(id)}” is not in this browser</h2>
      <p>
        Bring it, or open <TextButton onClick={() => open(SHIPPED_MODELS[0].id)}>another</TextButton>.
      </p>
      <BringSteps />
    </div>
  );
}
