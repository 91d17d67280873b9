import { CsrMatrix } from '../../../core/matrix/index.ts';
import { paramsOf, type Description } from '../../../own/answers.ts';
import { choose, run } from '../../../own/asking.ts';
import type { OwnParams } from '../../../own/messages.ts';
import type { Evaluated } from '../../../own/session.ts';
import type { EncodeModuleOnPage } from '../service/own/own-types.ts';

/** A module as the worker asks for it: `encode` runs it in the sandbox; `end` ends that. */
export interface EncodingModule {
  readonly encode: EncodeModuleOnPage;
  readonly end: () => void;
}

/** Evaluates a module for a run of its kernel. Nothing rejects: what went wrong is an outcome. */
export function encodingModule(runners: Evaluated, description: Description, given: OwnParams): EncodingModule {
  const chosen = choose(runners, description, paramsOf(description, given));
  // It is handled where it is awaited.
  chosen.catch(() => {});
  return {
    async encode({ rows, cols, starts, columns, values }) {
      try {
        const found = await chosen;
        if (found.kind !== 'done') return found;
        const matrix = new CsrMatrix({ rows, cols, indptr: starts, indices: columns, data: values });
        return await run(runners, found.result, matrix, false);
      } catch (error) {
        return { kind: 'failed', message: error instanceof Error ? error.message : String(error), line: 0 };
      }
    },
    end: runners.end,
  };
}
