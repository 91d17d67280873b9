import { type PlayedModule, useModuleState } from '../use-live-module.ts';

/** What takes longer than two seconds: to be ended, or waited for. */
export function Asking({ own }: { readonly own: PlayedModule }) {
  const long = useModuleState(own, (s) => s.long);
  if (long === null) return null;
  const what = long === 'describe' ? 'Evaluating the module' : long;
  return (
    <div className="own-asking" role="alertdialog" aria-label="It takes long">
      <p>{what} has not ended after 2 s.</p>
      <button type="button" className="button button--solid" onClick={() => own.module.cancel()}>
        End it
      </button>
      <button type="button" className="button" onClick={() => own.module.wait()}>
        Let it go on
      </button>
    </div>
  );
}

/** Why there is no picture of this text. */
export function ProblemLine({ own }: { readonly own: PlayedModule & { readonly again: () => void } }) {
  const problem = useModuleState(own, (s) => s.problem);
  if (!problem) return null;
  return (
    <p className="own-problem" role="alert">
      {problem.line > 0 ? `Line ${problem.line}: ` : ''}
      {problem.sentence}{' '}
      {/was ended/.test(problem.sentence) && (
        <button type="button" className="text-button" onClick={own.again}>
          run it again
        </button>
      )}
    </p>
  );
}
