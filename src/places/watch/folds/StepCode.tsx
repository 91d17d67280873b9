import { useApp } from '../../../kit/app-context.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { useScenes } from '../../../kit/stage/use-scene.ts';
import type { Side } from '../sides.ts';
import { CodeView, lineNumber } from './CodeView.tsx';

/** The line of each encoder or kernel that runs in this step. */
export function StepCode({ sides }: { readonly sides: readonly Side[] }) {
  const { session } = useApp();
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
        {code ? <CodeView code={code} /> : <p className="faint">No code runs in this step.</p>}
        {code?.file.endsWith('.wgsl') && (
          <button
            type="button"
            className="text-button"
            onClick={() => session.follow('code', { file: code.file, line: lineNumber(code) })}
          >
            Read the whole kernel
          </button>
        )}
      </Section>
    );
  });
}
