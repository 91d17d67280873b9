import { failureText } from '../../../../src/state/index.ts';
import { DRAFT_BOUNDS } from '../../theory/bounds.ts';
import { checkBound } from '../../../../src/core/bounds/check.ts';
import { SparseScopeError } from '../../../../src/core/errors.ts';
import { findKernelCard } from '../../../../src/core/scratch/card.ts';
import { exercisePath } from '../../exercises/index.ts';
import { versionNumber } from '../kernel-drafts/draft.ts';
import { parseDraft } from '../kernel-drafts/draft-file.ts';
import type { WorkbenchFields } from '../address.ts';
import { useApp } from '../../../../src/kit/app-context.ts';
import { pickFiles } from '../../../../src/kit/browser/pick-files.ts';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import { draftProblem } from './draft-problem.ts';
import { useKernelLibrary, useDrafts } from './use-kernel-library.ts';
import { Swatch } from '../../../../src/kit/controls/Swatch.tsx';
import { cssColorOf } from '../../../../src/kit/format-color.ts';
import { SectionHead } from '../../../../src/kit/controls/Section.tsx';

interface DraftListProps {
  /** id of the draft that the page shows; '' for none */
  readonly shownDraft: string;
  /** called with the fields of the draft to show */
  readonly onOpen: (fields: Partial<WorkbenchFields>) => void;
}

/** A list of the drafts (kernels that the user changed) in this browser, with a button to open a draft from a file. */
export function DraftList({ shownDraft, onOpen }: DraftListProps) {
  const { session, formats } = useApp();
  const library = useKernelLibrary();
  const drafts = useDrafts((state) => state.drafts);
  const rejection = useDrafts((state) => state.rejection);
  const unreadable = useDrafts((state) => state.unreadable);
  const removed = useDrafts((state) => state.removed);
  const open = async (file: File): Promise<void> => {
    try {
      // A character needs at most 4 bytes of UTF-8.
      checkBound(file.name, file.size, 4 * DRAFT_BOUNDS.length, 'bytes');
      const draft = parseDraft(file.name, await file.text());
      const problem = draftProblem(draft, formats);
      if (problem !== null) throw new SparseScopeError(`${file.name}: ${problem}.`);
      onOpen({ kernel: draft.kernel, draft: library.adopt(draft, 'file') });
    } catch (error) {
      session.store.setState({ error: failureText(error, `Reading ${file.name}`) });
    }
  };
  return (
    <section className="my-4" aria-labelledby="kernel-drafts">
      <SectionHead id="kernel-drafts" title="Yours" />
      <ul>
        {drafts.map((draft) => {
          const format = findKernelCard(formats, draft.kernel)?.format;
          return (
            <li key={draft.id}>
              <button
                className="list-row flex items-center gap-2 min-h-8"
                type="button"
                aria-current={draft.id === shownDraft ? 'true' : undefined}
                onClick={() =>
                  onOpen(
                    draft.exercise === undefined
                      ? { kernel: draft.kernel, draft: draft.id }
                      : { kernel: exercisePath(draft.exercise) },
                  )
                }
              >
                <Swatch color={format ? cssColorOf(format.id) : 'var(--track)'} />
                <code className="truncate">{draft.name}</code>
                <span className="text-muted flex-none ms-auto">draft {versionNumber(draft)}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {unreadable.map(({ key, name }) => (
        <p key={JSON.stringify(key)} className="text-muted my-2">
          {name === '' ? 'A draft' : `The draft ${name}`} cannot be read.{' '}
          <TextButton onClick={() => library.removeUnreadable(key)}>Remove it</TextButton>
        </p>
      ))}
      {removed !== null && (
        <p className="text-muted my-2" role="status">
          {removed.name} is deleted.{' '}
          <TextButton
            onClick={() => {
              library.undoRemove();
              onOpen({ kernel: removed.kernel, draft: removed.id });
            }}
          >
            Restore
          </TextButton>
        </p>
      )}
      <TextButton onClick={() => pickFiles({ accept: '.wgsl,.txt', multiple: false }, ([file]) => void open(file))}>
        Open a draft
      </TextButton>
      {rejection !== null && <p className="field-error my-2">{rejection}</p>}
    </section>
  );
}
