import type { Shape } from '../../core/format.ts';
import { shapeText } from '../../core/text/words.ts';
import type { BenchSetup } from '../../state/index.ts';
import { type App, useApp, useSession } from '../app-context.ts';
import { Button } from '../controls/Button.tsx';
import { largerShape, startRunOf } from './matrix-run.ts';

interface TimeLargerProps {
  readonly matrix: Shape;
  /** the formats and settings of the run */
  readonly setupOf: (app: App) => BenchSetup;
  /** why it cannot run */
  readonly problem: string | null;
}

/** The button that times a matrix that is too small to time, repeated to a larger one. */
export function TimeLarger({ matrix, setupOf, problem }: TimeLargerProps) {
  const app = useApp();
  const isAnyRunning = useSession((s) => s.bench.running !== null);
  const larger = largerShape(matrix);
  return (
    <>
      <Button
        disabled={problem !== null}
        aria-disabled={isAnyRunning}
        onClick={isAnyRunning ? undefined : () => startRunOf(app, setupOf, larger)}
      >
        Time the same pattern at {shapeText(larger.rows, larger.cols)}
      </Button>
      <span className="text-muted">{shapeText(matrix.rows, matrix.cols)}, repeated down and to the right</span>
    </>
  );
}
