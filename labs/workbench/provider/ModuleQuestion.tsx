import { outlineOf } from '../own/outline.ts';
import type { SessionState } from '../../../src/state/index.ts';
import { Button } from '../../../src/kit/controls/Button.tsx';
import { Dialog } from '../../../src/kit/frame/Dialog.tsx';

interface ModuleQuestionProps {
  readonly question: NonNullable<SessionState['pendingConsent']>;
}

/**
 * Asks whether a format from a link, which is a JavaScript module, may be run. It has not been run: the description is
 * read from its text.
 */
export function ModuleQuestion({ question: { name, text, answer } }: ModuleQuestionProps) {
  const { title, arrays, lines } = outlineOf(text);
  const shownTitle = title ?? name;
  return (
    <Dialog title={`Run ${shownTitle}?`} onClose={() => answer(false)}>
      <div className="dialog-body">
        <p>
          This format came in a link. <strong>Its code has not run.</strong> It will see the matrix: no network, storage
          or page.
        </p>
        <dl className="grid grid-cols-[max-content_1fr] gap-y-1 gap-x-4 font-mono text-13">
          {arrays.map(([array, declared]) => (
            <div key={array} className="contents">
              <dt>{array}</dt>
              <dd className="text-muted">{declared}</dd>
            </div>
          ))}
        </dl>
        <details>
          <summary className="min-h-6">Read its {lines} lines</summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys */}
          <pre className="max-h-[40vh] overflow-auto text-12 mt-2" tabIndex={0}>
            {text}
          </pre>
        </details>
        <div className="dialog-actions flex flex-wrap justify-end gap-2 mt-5 sticky bottom-0 border-t border-hairline bg-ground">
          <Button onClick={() => answer(false)}>Do not run</Button>
          <Button kind="solid" onClick={() => answer(true)}>
            Run {shownTitle}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
