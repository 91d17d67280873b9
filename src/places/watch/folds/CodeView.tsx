import { smallest } from '../../../core/number/statistics.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';

/** The lines of the real encoder or kernel around the one that runs in this step. */
export function CodeView({ code }: { readonly code: CodeExcerpt }) {
  const indent = smallest(code.lines.filter((l) => l.trim() !== '').map((l) => l.length - l.trimStart().length));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
    <pre className="code" tabIndex={0} role="group" aria-label={`${code.file}, line ${lineNumber(code)}`}>
      <ol>
        {code.lines.map((text, i) => (
          <li key={code.firstLine + i} aria-current={i === code.current ? 'true' : undefined}>
            {text.slice(Number.isFinite(indent) ? indent : 0) || ' '}
          </li>
        ))}
      </ol>
    </pre>
  );
}

/** Number of the line that runs now, from 1. */
export function lineNumber(code: CodeExcerpt): number {
  return code.firstLine + code.current;
}
