import { useEffect, useState } from 'react';
import { outlineOf } from '../own/outline.ts';
import { userFormatId } from '../own/user-format-source.ts';
import { defaultChoice, followLink, withFormatB, withChoiceA } from '../../../src/state/index.ts';
import { useApp, useDocument } from '../../../src/kit/app-context.ts';
import { TextButton } from '../../../src/kit/controls/Button.tsx';
import type { CustomFormatListProps } from '../../../src/kit/format-provider.ts';
import { openFormat } from './open-format.ts';
import { type FormatDraft, formatLibrary, useFormats } from './format-library.ts';

/** Part of the list of formats: custom formats that are not open, and a link to write another. */
export function StoredFormats({ side, query, onClose }: CustomFormatListProps) {
  const app = useApp();
  const { document, session, catalog, formats, engine } = app;
  const drafts = useFormats((s) => s.drafts);
  // Rendered again when a format is opened, which changes the document.
  useDocument((doc) => doc.params);
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => void formatLibrary().load(), []);

  const choose = async ({ id: name, text }: FormatDraft): Promise<void> => {
    setBusy(name);
    const failure = await openFormat({ session, document, engine, formats }, name, text);
    setBusy(null);
    const choice = failure === null ? defaultChoice(catalog, userFormatId(name)) : null;
    setProblem(failure);
    if (!choice) return;
    const now = document.getState();
    document.setState(side === 'a' ? withChoiceA(now, choice) : withFormatB(now, choice));
    onClose();
  };
  const openStartPage = (): void => {
    const next = followLink(catalog.pages, document.getState(), 'ownFormat', '');
    if (next) document.setState(next);
    onClose();
  };
  const search = query.trim().toLowerCase();
  const unopened = drafts.filter(({ id: name, text }) => {
    const isOpen = formats.some((format) => format.id === userFormatId(name));
    return !isOpen && `${outlineOf(text).title ?? ''} ${name}`.toLowerCase().includes(search);
  });
  return (
    <div className="px-6 pb-2 in-data-list:px-4">
      {unopened.length > 0 && <h3 className="text-muted text-12 font-normal mb-1">kept in this browser</h3>}
      <ul className="-mx-2">
        {unopened.map((draft) => (
          <li key={draft.id}>
            <button
              type="button"
              className="format-row hover:bg-sunken focus-visible:-outline-offset-2 grid items-center text-start cursor-pointer rounded-md px-2"
              data-choice={userFormatId(draft.id)}
              disabled={busy !== null}
              onClick={() => void choose(draft)}
            >
              <span className="format-row-sides flex justify-end gap-0.5" />
              <span className="swatch" data-custom aria-hidden="true" />
              <b className="format-row-title text-15 font-medium">{outlineOf(draft.text).title ?? draft.id}</b>
              <span className="format-row-gist truncate text-muted">{draft.id}</span>
              <span className="format-row-remedy text-muted">{busy === draft.id && 'runs …'}</span>
            </button>
          </li>
        ))}
      </ul>
      {problem !== null && <p role="alert">{problem}</p>}
      <TextButton onClick={openStartPage}>write your own</TextButton>
    </div>
  );
}
