import { PageLink } from '../../../kit/browser/AddressLink.tsx';
import { Section } from '../../../kit/controls/Section.tsx';
import { useScenes } from '../../../kit/stage/use-scene.ts';
import type { Side } from '../use-sides.ts';
import { smallest } from '../../../core/number/statistics.ts';
import type { CodeExcerpt } from '../../../story/scene.ts';

/** The details section 'this step in the encoder': for each compared format, the code that runs. */
export function StepCode({ sides }: { readonly sides: readonly Side[] }) {
  const scenes = useScenes();
  return sides.map(({ side, name }) => {
    const code = scenes[side]?.code ?? null;
    return (
      <Section
        key={side}
        title={name}
        label={`${name}: this step`}
        level={3}
        aside={
          code && (
            <span className="number">
              {code.file}:{lineNumber(code)}
            </span>
          )
        }
      >
        {code ? <CodeView code={code} /> : <p className="text-quiet">No code runs in this step.</p>}
        {code?.file.endsWith('.wgsl') && (
          <PageLink className="text-button" link="code" target={[{ file: code.file, line: lineNumber(code) }]}>
            Read the whole kernel
          </PageLink>
        )}
      </Section>
    );
  });
}

/** The lines of the real encoder or kernel around the one that runs in this step. */
function CodeView({ code }: { readonly code: CodeExcerpt }) {
  const indent = smallest(code.lines.filter((l) => l.trim() !== '').map((l) => l.length - l.trimStart().length));
  return (
    <pre
      className="code overflow-x-auto bg-sunken rounded-md"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
      tabIndex={0}
      role="group"
      aria-label={`${code.file}, line ${lineNumber(code)}`}
    >
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
function lineNumber(code: CodeExcerpt): number {
  return code.firstLine + code.current;
}
