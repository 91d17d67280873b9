import { encodeHash, placeState, withPlace } from '../../../state/index.ts';
import { deflatedText } from '../../../state/deflated-text.ts';
import type { FormatDraft } from '../../../kit/own/format-library.ts';
import { type App, useApp } from '../../../kit/app-context.ts';
import { formatLibrary } from '../../../kit/own/format-library.ts';
import { saveText } from '../../../kit/browser/save-blob.ts';
import { CopyButton } from '../../../kit/controls/CopyButton.tsx';
import { Section } from '../../../kit/controls/Section.tsx';
import { ownPath, type Reading, READING } from '../address.ts';

/** The page's address with a module in it, which shows the module without running it. */
async function linkTo({ document, catalog }: App, text: string): Promise<string> {
  const doc = document.getState();
  const reading = { ...placeState(doc, READING), kernel: ownPath(), module: await deflatedText(text) };
  return new URL(encodeHash(withPlace(doc, READING, reading), catalog), location.href).href;
}

interface HandOnProps {
  readonly name: string;
  readonly text: string;
}

/** A link and a file of a module. */
export function HandOn({ name, text }: HandOnProps) {
  const app = useApp();
  return (
    <>
      <CopyButton
        text={() => linkTo(app, text)}
        what="Link"
        also="It carries the module; a reader decides whether to run it."
        otherwise="save the module as a file instead"
      >
        link
      </CopyButton>
      <button type="button" className="text-button" onClick={() => saveText(`${name}.js`, text, 'text/javascript')}>
        file
      </button>
    </>
  );
}

interface VersionsProps {
  readonly draft: FormatDraft;
  readonly onRead: (reading: Partial<Reading>) => void;
}

/** Texts that were kept, newest first; each can be brought back. */
export function Versions({ draft: { id: name, text, versions }, onRead }: VersionsProps) {
  const library = formatLibrary();
  return (
    <Section
      title="Versions"
      aside={versions.length === 0 ? 'Ctrl S keeps one' : undefined}
      action={
        <button
          type="button"
          className="text-button"
          onClick={() => {
            library.remove(name);
            onRead({ kernel: ownPath() });
          }}
        >
          delete this format
        </button>
      }
    >
      {versions.length > 0 && (
        <ol className="own-versions">
          {versions.toReversed().map((version) => (
            <li key={version.number} aria-current={version.text === text ? 'true' : undefined}>
              <span className="number">{version.number}</span>
              <span className="quiet">{version.note === '' && version.text === text ? 'running' : version.note}</span>
              {version.text !== text && (
                <button type="button" className="text-button" onClick={() => library.restore(name, version.number)}>
                  back<span className="unseen"> to version {version.number}</span>
                </button>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
