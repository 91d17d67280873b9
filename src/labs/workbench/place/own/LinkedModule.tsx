import { useEffect, useState } from 'react';
import { MODULE_BOUNDS } from '../../../../core/bounds/bounds.ts';
import { messageOf } from '../../../../core/errors.ts';
import { outlineOf } from '../../own/outline.ts';
import { inflatedText } from '../../library/deflated-text.ts';
import { lazyPart } from '../../../../kit/browser/lazy-part.ts';
import { Button, TextButton } from '../../../../kit/controls/Button.tsx';
import { Section } from '../../../../kit/controls/Section.tsx';
import { LAWS } from '../../own/law-titles.ts';

const ModuleEditor = lazyPart(async () => (await import('./editor/ModuleEditor.tsx')).ModuleEditor, { isAhead: false });

/** The subject of sentences about a link that cannot be read. */
const IN_LINK = 'The format in the link';

/** The module in a link, once it is inflated. */
export type ModuleInLink =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'there'; readonly text: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Reads the module in a link, without running it. */
export function useModuleInLink(code: string): ModuleInLink {
  const [state, setState] = useState<{ readonly code: string; readonly module: ModuleInLink } | null>(null);
  useEffect(() => {
    let gone = false;
    const show = (module: ModuleInLink): void => {
      if (!gone) setState({ code, module });
    };
    inflatedText(IN_LINK, code, MODULE_BOUNDS).then(
      (text) => show({ kind: 'there', text }),
      (error: unknown) => show({ kind: 'failed', reason: messageOf(error) }),
    );
    return () => {
      gone = true;
    };
  }, [code]);
  return state?.code === code ? state.module : { kind: 'waiting' };
}

const NO_MESSAGES: readonly never[] = [];

interface LinkedModuleProps {
  readonly text: string;
  readonly onRun: () => void;
  readonly onCopy: () => void;
  readonly onLeave: () => void;
}

/** The module of a format from a link, which has not run: its text, what it would store, and the question whether to run it. */
export function LinkedModule({ text, onRun, onCopy, onLeave }: LinkedModuleProps) {
  const { title, arrays, lines } = outlineOf(text);
  const [content] = useState({ text, messages: NO_MESSAGES, marked: NO_MESSAGES, readOnly: true });
  return (
    <div className="own-bench own-bench--link stack h-full min-h-0">
      <section className="own-code flex flex-col line-after" aria-label="Module">
        <header className="own-head stack items-end gap-1-4 line-below">
          <h2 className="flex gap-2 items-center size-18 breakable">
            <span className="own-square inline-block shrink-0 round-2 own-square--dashed" aria-hidden="true" />
            {title ?? 'without a title'}
          </h2>
        </header>
        <ModuleEditor content={content} onChange={() => {}} onSave={() => {}} />
        <p className="flex wrap gap-1-4 quiet size-12 line-above p-2-3">
          <span>{lines} lines, read only</span>
        </p>
      </section>
      <section className="own-consent scroll-y p-6" aria-labelledby="own-consent">
        <p className="leading-145 size-18 mt-4 mb-4">
          This format came in a link. <strong>Its code has not run.</strong>
        </p>
        <h3 className="size-13 weight-600" id="own-consent">
          When you run it
        </h3>
        <dl>
          <div>
            <dt className="quiet">it sees</dt>
            <dd>the matrix and its parameters</dd>
          </div>
          <div>
            <dt className="quiet">it cannot</dt>
            <dd>reach network, storage, GPU, page or tabs</dd>
          </div>
          <div>
            <dt className="quiet">it ends</dt>
            <dd>when you say so; you are asked after 2 s</dd>
          </div>
          <div>
            <dt className="quiet">it takes</dt>
            <dd>at most 1 GiB</dd>
          </div>
        </dl>
        <p className="underlined row gap-3 mt-4 mb-4">
          <Button kind="solid" onClick={onRun}>
            Run it here
          </Button>
          <Button onClick={onCopy}>Copy to yours</Button>
          <TextButton onClick={onLeave}>leave it</TextButton>
        </p>
      </section>
      <aside className="own-facts scroll-y line-before" aria-label="Laws and bytes">
        <Section title="Laws" aside="not tried">
          <ul className="own-laws stack gap-1">
            {LAWS.map(({ id, title }) => (
              <li key={id} className="own-law own-law--open quiet stack gap-0-2">
                <span className="own-law-mark" aria-hidden="true" />
                <span>{title}</span>
              </li>
            ))}
          </ul>
        </Section>
        {arrays.length > 0 && (
          <Section title="What it stores">
            <table className="own-says text-start w-full">
              <tbody>
                {arrays.map(([name, declared]) => {
                  const [type, byteClass = ''] = declared.split(' ');
                  return (
                    <tr key={name}>
                      <th className="weight-400 text-start" scope="row">
                        <i className={`swatch me-1 bytes--${byteClass}`} aria-hidden="true" /> {name}
                      </th>
                      <td className="number quiet">{type}</td>
                      <td className="quiet">{byteClass}</td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </Section>
        )}
      </aside>
    </div>
  );
}
