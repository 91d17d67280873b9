import { SHIPPED_MODELS } from '../../../../src/theory/models/known-models.ts';
import { useChangeModel } from '../use-change-model.ts';
import { BringSteps } from './BringSteps.tsx';
import { nameInId } from './model-words.ts';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';

/** Shown if the page's address names a model that is not in this browser, with the steps to open the model. */
export function MissingModel({ id }: { readonly id: string }) {
  const open = useChangeModel();
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
