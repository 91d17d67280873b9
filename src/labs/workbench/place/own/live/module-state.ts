import type { StorageLedger } from '../../../../../core/encoded/ledger.ts';
import type { CsrMatrix, Matrix } from '../../../../../core/matrix/index.ts';
import type { ModuleDescription } from '../../../own/parse-answers.ts';
import type { RoundTrip } from '../../../own/module-requests.ts';
import type { LawReport } from '../../../own/laws.ts';
import type { UserParams, Request } from '../../../own/module-messages.ts';
import type { UserFormatTrace } from '../../../own/story/trace.ts';
import type { AnyStory } from '../../../../../core/format.ts';

/** An error of a module's text: a sentence, and the line; 0 if unknown. */
export interface ModuleProblem {
  readonly sentence: string;
  readonly line: number;
}

/** The story of a format on a matrix, with its steps. */
export interface NarratedStory {
  readonly story: AnyStory;
  readonly trace: UserFormatTrace;
}

/** The smallest matrix on which the module breaks a law of formats, such as that decode undoes encode, with its run. */
export interface Counterexample {
  readonly law: string;
  readonly matrix: CsrMatrix;
  readonly run: RoundTrip | null;
  /** the cause and its line in the module; null if unknown */
  readonly cause: ModuleProblem | null;
}

/** The bytes of a matrix with one setting of the parameters. */
export interface Setting {
  readonly params: UserParams;
  readonly bytes: number;
}

/** The bytes of the whole matrix. */
interface WholeBytes {
  /** the matrix, or its first rows */
  readonly matrix: CsrMatrix;
  readonly isWholeMatrix: boolean;
  readonly ledger: StorageLedger | null;
  /** why there are none */
  readonly refusal: string | null;
  /** every setting that can hold it, the smallest first; a single one if the module has no parameters */
  readonly settings: readonly Setting[];
  /** settings tried so far, of `settingCount` */
  readonly triedSettings: number;
  readonly settingCount: number;
}

/** The size of a random matrix in the module's arrays, by its density. */
interface DensityDot {
  readonly density: number;
  readonly effectiveDensity: number;
}

/**
 * The results of the module in the editor. Each is for the text that was opened last, except for `story`, which may be
 * older.
 */
export interface LiveModuleState {
  readonly phase: 'idle' | 'running' | 'done';
  /** the last opened text; null for none */
  readonly text: string | null;
  /** the request that takes too long, until a person decides whether to wait */
  readonly slowRequest: Request['ask'] | null;
  readonly description: ModuleDescription | null;
  readonly params: UserParams;
  /** why there is no picture of this text */
  readonly problem: ModuleProblem | null;
  /** why the module refuses the window */
  readonly refusal: string | null;
  /** the last picture, which may be of an earlier text */
  readonly story: NarratedStory | null;
  readonly isStoryOld: boolean;
  readonly laws: LawReport | null;
  /** their duration in milliseconds; null while they are being tested */
  readonly lawsMs: number | null;
  readonly counterexamples: readonly Counterexample[];
  /** bytes of the matrix of an exercise */
  readonly goalLedger: StorageLedger | null;
  readonly whole: WholeBytes | null;
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
  refusal: null,
  story: null,
  isStoryOld: false,
  laws: null,
  lawsMs: null,
  counterexamples: [],
  goalLedger: null,
  whole: null,
  dots: [],
};

/** What a live module is to run: a text with parameters, and the matrices to try it on. */
export interface ModuleTask {
  /** of the draft: letters, digits and hyphens */
  readonly name: string;
  readonly text: string;
  readonly params: UserParams;
  /** the cells that the story shows: a part of the open matrix, or an example */
  readonly window: CsrMatrix;
  /** the matrix on which an exercise measures bytes; null for none */
  readonly goalMatrix: Matrix | null;
}
