// The state of the module in the editor: its results, errors and laws.

import type { StorageLedger } from '../../../../../src/core/encoded/ledger.ts';
import type { CsrMatrix, Matrix } from '../../../../../src/core/matrix/index.ts';
import type { ModuleDescription } from '../../../own/parse-answers.ts';
import type { RoundTrip } from '../../../own/module-requests.ts';
import type { LawReport } from '../../../own/laws.ts';
import type { UserParams, Request } from '../../../own/module-messages.ts';
import type { UserFormatTrace } from '../../../own/story/trace.ts';
import type { AnyStory } from '../../../../../src/story/format-story.ts';

/** An error of a module, the JavaScript of a custom format: a message, and the line; 0 if unknown. */
export interface ModuleProblem {
  readonly message: string;
  readonly line: number;
}

/** The story of a format on a matrix: encode and decode, with the recorded steps. */
export interface NarratedStory {
  readonly story: AnyStory;
  readonly trace: UserFormatTrace;
}

/** The smallest matrix on which the module breaks a law of formats, such as that decode undoes encode, with its run. */
export interface Counterexample {
  /** id of the law */
  readonly law: string;
  readonly matrix: CsrMatrix;
  readonly run: RoundTrip | null;
  /** the cause and its line in the module; null if unknown */
  readonly cause: ModuleProblem | null;
}

/** The bytes of a matrix with one combination of parameters. */
export interface Setting {
  readonly params: UserParams;
  readonly bytes: number;
}

/** The bytes of the open matrix. */
interface WholeBytes {
  /** the open matrix, or its first rows */
  readonly matrix: CsrMatrix;
  readonly isWholeMatrix: boolean;
  readonly ledger: StorageLedger | null;
  /** why `ledger` is null */
  readonly rejection: string | null;
  /** those combinations of parameters that can store the matrix, by ascending bytes */
  readonly settings: readonly Setting[];
  /** combinations tried so far, of `settingCount` */
  readonly triedSettings: number;
  readonly settingCount: number;
}

/** The bytes of a random matrix in the module's format, relative to dense, by its density. */
interface DensityDot {
  readonly density: number;
  readonly effectiveDensity: number;
}

/**
 * The results of the module in the editor. All are results of `text`, except for `story`, which may be of an earlier
 * text.
 */
export interface LiveModuleState {
  readonly phase: 'idle' | 'running' | 'done';
  /** the last opened text; null for none */
  readonly text: string | null;
  /** the request that is too slow, until the user decides whether to wait */
  readonly slowRequest: Request['ask'] | null;
  readonly description: ModuleDescription | null;
  readonly params: UserParams;
  /** why there is no story of this text */
  readonly problem: ModuleProblem | null;
  /** why the module does not support the cells that the page shows */
  readonly rejection: string | null;
  /** the last story, which may be of an earlier text (`isStoryOld`) */
  readonly story: NarratedStory | null;
  readonly isStoryOld: boolean;
  readonly laws: LawReport | null;
  /** how long the tests of all laws took, in milliseconds; null until then */
  readonly lawsMs: number | null;
  readonly counterexamples: readonly Counterexample[];
  /** bytes of the matrix of an exercise */
  readonly goalLedger: StorageLedger | null;
  readonly wholeBytes: WholeBytes | null;
  readonly dots: readonly DensityDot[];
}

/** The state before any text is opened. */
export const EMPTY_STATE: LiveModuleState = {
  phase: 'idle',
  text: null,
  slowRequest: null,
  description: null,
  params: {},
  problem: null,
  rejection: null,
  story: null,
  isStoryOld: false,
  laws: null,
  lawsMs: null,
  counterexamples: [],
  goalLedger: null,
  wholeBytes: null,
  dots: [],
};

/** What LiveModule runs: a text with parameters, and the matrices to try it on. */
export interface ModuleTask {
  /** name of the draft: letters, digits and hyphens */
  readonly name: string;
  readonly text: string;
  readonly params: UserParams;
  /** the cells that the story shows: a part of the open matrix, or an example */
  readonly window: CsrMatrix;
  /** the matrix on which an exercise measures bytes; null for none */
  readonly goalMatrix: Matrix | null;
}
