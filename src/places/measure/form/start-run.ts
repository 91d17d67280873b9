import type { App } from '../../../kit/app-context.ts';
import { runProblem, toRequest } from '../../../state/bench-form.ts';
import { benchSetup } from './use-bench-setup.ts';

/** Runs the current setup of Measure, or says why it cannot. */
export function startRun(app: App): void {
  const setup = benchSetup(app);
  const problem = runProblem(setup);
  if (problem !== null) return app.announce(problem);
  void app.session.runBench(toRequest(setup));
}
