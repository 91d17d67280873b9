// A custom format that came in a link, before it runs.

import { useEffect, useState } from 'react';
import { MODULE_BOUNDS } from '../../theory/bounds.ts';
import { messageOf } from '../../../../src/core/error-messages.ts';
import { outlineOf } from '../../own/outline.ts';
import { inflatedText } from '../../library/deflated-text.ts';
import { lazyPart } from '../../../../src/kit/browser/lazy-part.ts';
import { Button, TextButton } from '../../../../src/kit/controls/Button.tsx';
import { Section } from '../../../../src/kit/controls/Section.tsx';
import { LAWS } from '../../own/law-titles.ts';

const ModuleEditor = lazyPart(async () => (await import('./editor/ModuleEditor.tsx')).ModuleEditor, {
  isPreloaded: false,
});

/** The beginning of messages about an unreadable link. */
const IN_LINK = 'The format in the link';

/** The JavaScript module of a format, compressed in a link: not yet read, its text, or why it cannot be read. */
export type ModuleInLink =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'ready'; readonly text: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Reads the module in a link, without running it. */
export function useModuleInLink(code: string): ModuleInLink {
  const [state, setState] = useState<{ readonly code: string; readonly module: ModuleInLink } | null>(null);
  useEffect(() => {
    let isUnmounted = false;
    const show = (module: ModuleInLink): void => {
      if (!isUnmounted) setState({ code, module });
    };
    inflatedText(IN_LINK, code, MODULE_BOUNDS).then(
      (text) => show({ kind: 'ready', text }),
      (error: unknown) => show({ kind: 'failed', reason: messageOf(error) }),
    );
    return () => {
      isUnmounted = true;
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

/** A module from a link that has not run: its text, the arrays that it declares, and buttons to run or copy it. */
export function LinkedModule({ text, onRun, onCopy, onLeave }: LinkedModuleProps) {
  const { title, arrays, lines } = outlineOf(text);
  const [content] = useState({ text, messages: NO_MESSAGES, marked: NO_MESSAGES, readOnly: true });
  return (
    <div className="own-bench own-bench--link grid xl:h-full *:min-w-0 *:min-h-0">
      <section className="own-code flex flex-col border-r border-hairline" aria-label="Module">
        <header className="px-4 pt-4 pb-3 border-b border-hairline">
          <h2 className="flex gap-2 items-center text-18 wrap-anywhere">
            <span className="flex-none size-[0.75em] border-2 border-dashed rounded-[2px]" aria-hidden="true" />
            {title ?? 'without a title'}
          </h2>
        </header>
        <ModuleEditor content={content} onChange={() => {}} onSave={() => {}} />
        <p className="flex flex-wrap gap-y-1 gap-x-4 text-muted text-12 border-t border-hairline px-3 py-2">
          <span>{lines} lines, read only</span>
        </p>
      </section>
      <section className="overflow-x-hidden overflow-y-auto p-6 max-lg:px-3 max-lg:py-4" aria-labelledby="own-consent">
        <p className="leading-[1.45] text-18 mt-4 mb-4">
          This format came in a link. <strong>Its code has not run.</strong>
        </p>
        <h3 className="text-13 font-semibold" id="own-consent">
          If you run it
        </h3>
        <dl className="*:grid *:grid-cols-[6rem_1fr] *:py-1">
          <div>
            <dt className="text-muted">it reads</dt>
            <dd>the matrix and its parameters</dd>
          </div>
          <div>
            <dt className="text-muted">it cannot</dt>
            <dd>reach network, storage, GPU, page or tabs</dd>
          </div>
          <div>
            <dt className="text-muted">it ends</dt>
            <dd>when you end it; the page asks you after 2 s</dd>
          </div>
          <div>
            <dt className="text-muted">it uses</dt>
            <dd>at most 1 GiB</dd>
          </div>
        </dl>
        <p className="underlined flex flex-wrap items-center gap-3 mt-4 mb-4">
          <Button kind="solid" onClick={onRun}>
            Run it here
          </Button>
          <Button onClick={onCopy}>Copy to yours</Button>
          <TextButton onClick={onLeave}>do not run it</TextButton>
        </p>
      </section>
      <aside
        className="own-facts overflow-x-hidden overflow-y-auto border-l border-hairline"
        aria-label="Laws and bytes"
      >
        <Section title="Laws" aside="not tried">
          <ul className="grid gap-1">
            {LAWS.map(({ id, title }) => (
              <li key={id} className="grid grid-cols-[1rem_1fr_auto] items-baseline gap-x-2 text-muted">
                <span className="size-3 border border-dashed border-muted rounded-[50%]" aria-hidden="true" />
                <span>{title}</span>
              </li>
            ))}
          </ul>
        </Section>
        {arrays.length > 0 && (
          <Section title="What it stores">
            <table className="text-start w-full">
              <tbody>
                {arrays.map(([name, declared]) => {
                  const [type, byteClass = ''] = declared.split(' ');
                  return (
                    <tr key={name}>
                      <th className="font-normal text-start pe-4" scope="row">
                        <i className={`swatch me-1 bytes--${byteClass}`} aria-hidden="true" /> {name}
                      </th>
                      <td className="number text-muted">{type}</td>
                      <td className="text-muted">{byteClass}</td>
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
