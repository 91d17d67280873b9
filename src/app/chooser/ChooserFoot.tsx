import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { bytes } from '../../kit/words/quantity.ts';
import { baseOf } from '../../state/index.ts';
import type { Choice } from './choice.ts';
import { crumbsOfChoice } from './crumbs-of-choice.ts';

interface ChooserFootProps {
  readonly choice: Choice;
  readonly isChanged: boolean;
  readonly inList: boolean;
  readonly onTake: () => void;
  readonly onWeb: () => void;
  readonly onGenerate: () => void;
  readonly onClose: () => void;
}

/** What is chosen, whose weights it has, and which keys there are. */
export function ChooserFoot({ choice, isChanged, inList, onTake, onWeb, onGenerate, onClose }: ChooserFootProps) {
  const { session } = useApp();
  const source = useDocument((doc) => baseOf(doc.source));
  const name = useSession((s) => s.summary?.name ?? null);
  const { at } = choice;
  const crumbs = crumbsOfChoice(choice);
  return (
    <div className="chooser-foot">
      <p className="chooser-weights">
        {at === null ? (
          name
        ) : (
          <>
            Stand-in weights: random ones of this shape, the same for everybody.{' '}
            <button type="button" className="text-button" onClick={onWeb}>
              Load the real ones of this matrix, {bytes(at.matrix.bytes)}
            </button>
          </>
        )}
        {at === null && source.kind === 'generated' && (
          <>
            {' '}
            <button type="button" className="text-button" onClick={onGenerate}>
              Its pattern, shape, density and seed
            </button>
          </>
        )}
        {at === null && 'tensor' in source && (
          <>
            {' '}
            <button
              type="button"
              className="text-button"
              aria-haspopup="dialog"
              onClick={() => {
                onClose();
                void session.browseTensors();
              }}
            >
              Other tensors of this file
            </button>
          </>
        )}
      </p>
      {!inList && (
        <p className="chooser-keys number" aria-hidden="true">
          <span>← → level</span>
          <span>↑ ↓ choice</span>
          <span>Enter take</span>
          <span>Esc leave as it was</span>
        </p>
      )}
      {isChanged && !inList && (
        <button type="button" className="button button--solid" onClick={onTake}>
          Take {crumbs ? crumbs.names.at(-1) : 'this window'}
        </button>
      )}
      <p className="unseen" role="status">
        {isChanged && crumbs ? `${crumbs.names.join(', ')}, ${crumbs.about ?? ''}` : ''}
      </p>
    </div>
  );
}
