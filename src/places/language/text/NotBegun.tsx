import type { Words } from '../../../core/story/scene.ts';
import { say, strong } from '../../../core/story/words.ts';
import type { LanguageModel } from '../subject.ts';
import { MAX_WRITTEN_BROUGHT } from './fields.ts';

/** What is answered before a brought model has written. */
export function notBegunWords(name: string): readonly Words[] {
  return say`${strong(name)} writes when you ask it to, dense and pruned, with the same noise.`;
}

interface NotBegunProps {
  readonly config: LanguageModel['shape'];
  readonly onWrite: () => void;
}

/** A model that somebody brought writes when it is asked to. */
export function NotBegun({ config, onWrite }: NotBegunProps) {
  return (
    <div className="text-not-begun">
      <p>
        Nothing has been written yet. {config.name} writes up to {MAX_WRITTEN_BROUGHT} tokens here, and the pruned model
        reads them.
      </p>
      <button type="button" className="button" onClick={onWrite}>
        Write it here
      </button>
    </div>
  );
}
