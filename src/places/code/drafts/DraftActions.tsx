import { DRAFT_BOUNDS } from '../../../core/bounds/bounds.ts';
import type { Draft } from '../kernel-drafts/draft.ts';
import type { KernelLibrary } from '../kernel-drafts/library.ts';
import { draftCode } from '../kernel-drafts/link.ts';
import { type Reading, READING } from '../address.ts';
import { useApp } from '../../../kit/app-context.ts';
import { encodeHash, placeState, withPlace } from '../../../state/index.ts';
import { saveText } from '../../../kit/browser/save-blob.ts';
import { type ShownRun, shownRun } from './draft-words.ts';
import { fileName } from './DraftPanel.tsx';
import { Section } from '../../../kit/controls/Section.tsx';
import { Field } from '../../../kit/controls/Field.tsx';
import { CopyButton } from '../../../kit/controls/CopyButton.tsx';

interface DraftActionsProps {
  readonly draft: Draft;
  readonly library: KernelLibrary;
  readonly onRead: (reading: Partial<Reading>) => void;
}

/** Renaming, copying, linking and deleting a draft. */
export function DraftActions({ draft, library, onRead }: DraftActionsProps) {
  const { document, catalog } = useApp();
  const run = shownRun(draft);
  const link = async (): Promise<string> => {
    const code = await draftCode(draft);
    // The link includes the page's matrix and parameters.
    const doc = document.getState();
    const reading = { ...placeState(doc, READING), kernel: draft.kernel, draft: '', code };
    return new URL(encodeHash(withPlace(doc, READING, reading), catalog), location.href).href;
  };
  return (
    <Section title="This draft">
      <Field label="Name">
        {(control) => (
          <input
            key={`${draft.id} ${draft.name}`}
            {...control}
            className="input"
            defaultValue={draft.name}
            autoComplete="off"
            maxLength={DRAFT_BOUNDS.name}
            onBlur={(event) => library.rename(draft.id, event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.currentTarget.blur();
            }}
          />
        )}
      </Field>
      <p className="draft-actions">
        <CopyButton
          text={link}
          what="Link"
          also="It carries the draft; the person who opens it decides whether to run it."
          otherwise="save the draft as a file instead"
        >
          Copy link to the draft
        </CopyButton>
        <button
          type="button"
          className="text-button"
          onClick={() => {
            const copy = library.duplicate(draft.id);
            if (copy !== null) onRead({ kernel: draft.kernel, draft: copy });
          }}
        >
          Duplicate
        </button>
        {run !== null && (
          <button
            type="button"
            className="text-button"
            onClick={() => saveText(`${fileName(draft.name)}.json`, resultJson(draft, run), 'application/json')}
          >
            Save the result
          </button>
        )}
        <button
          type="button"
          className="text-button"
          onClick={() => {
            library.remove(draft.id);
            onRead({ kernel: draft.kernel });
          }}
        >
          Delete
        </button>
      </p>
    </Section>
  );
}

/** The last run as JSON, marked first of all as a draft's, with the text that was run. */
function resultJson(draft: Draft, run: ShownRun): string {
  const version = draft.versions.find(({ number }) => number === run.number);
  const { checks, doing: _, ...result } = run.result;
  return JSON.stringify(
    {
      kind: 'draft',
      schema: 1,
      note: 'Measured with a changed kernel, not one of the application’s own.',
      name: draft.name,
      kernel: draft.kernel,
      params: draft.params,
      version: run.number,
      at: version?.at,
      files: version?.files,
      overrides: version?.overrides,
      result: { ...result, checks: checks.map(({ map: _map, ...check }) => check) },
    },
    null,
    2,
  );
}
