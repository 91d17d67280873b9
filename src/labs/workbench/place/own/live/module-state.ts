import type { StorageLedger } from '../../../../../core/encoded/ledger.ts';
import type { CsrMatrix, Matrix } from '../../../../../core/matrix/index.ts';
import type { Description } from '../../../own/answers.ts';
import type { Run } from '../../../own/asking.ts';
import type { LawReport } from '../../../own/laws.ts';
import type { OwnParams, Request } from '../../../own/messages.ts';
import type { OwnTrace } from '../../../own/story/trace.ts';
import type { AnyStory } from '../../../../../core/format.ts';

/** What is wrong with a text: a sentence, and the line of the module; 0 where none is known. */
export interface Problem {
  readonly sentence: string;
  readonly line: number;
}

/** The story of a text on a matrix. */
export interface NarratedStory {
  readonly story: AnyStory;
  readonly trace: OwnTrace;
}

/** The smallest matrix that breaks a law, as it went through the module. */
export interface Counterexample {
  readonly law: string;
  readonly matrix: CsrMatrix;
  readonly run: Run | null;
  /** what it points at */
  readonly point: Problem | null;
}

/** The bytes of a matrix with one setting of the parameters. */
export interface Setting {
  readonly params: OwnParams;
  readonly bytes: number;
}

/** What the whole matrix takes. */
interface WholeBytes {
  /** the matrix, or its first rows */
  readonly matrix: CsrMatrix;
  readonly isWhole: boolean;
  readonly ledger: StorageLedger | null;
  /** why there is none */
  readonly refusal: string | null;
  /** every setting that holds it, the smallest first; one where the module has no parameters */
  readonly settings: readonly Setting[];
  readonly tried: number;
  readonly of: number;
}

/** A random matrix in the module's arrays. */
interface DensityDot {
  readonly density: number;
  readonly effectiveDensity: number;
}

/** What is known of the text on the desk. Each part is of the text that was opened last, but for `story`, which stays. */
export interface LiveModuleState {
  readonly phase: 'idle' | 'running' | 'done';
  /** what was opened last; null for nothing */
  readonly text: string | null;
  /** what has been going on for longer than anyone wants to wait, until a person decides */
  readonly long: Request['ask'] | null;
  readonly description: Description | null;
  readonly params: OwnParams;
  /** why there is no picture of this text */
  readonly problem: Problem | null;
  /** why the window is refused */
  readonly refusal: string | null;
  /** the last picture, which may be of an earlier text */
  readonly story: NarratedStory | null;
  readonly isStoryOld: boolean;
  readonly laws: LawReport | null;
  /** milliseconds that they took; null while they are tried */
  readonly lawsMs: number | null;
  readonly counterexamples: readonly Counterexample[];
  /** what the task is judged on, in the module's arrays */
  readonly judged: StorageLedger | null;
  readonly whole: WholeBytes | null;
  readonly dots: readonly DensityDot[];
}

export const EMPTY_STATE: LiveModuleState = {
  phase: 'idle',
  text: null,
  long: null,
  description: null,
  params: {},
  problem: null,
  refusal: null,
  story: null,
  isStoryOld: false,
  laws: null,
  lawsMs: null,
  counterexamples: [],
  judged: null,
  whole: null,
  dots: [],
};

/** What a desk works on. */
export interface Task {
  /** of the draft: letters, digits and hyphens */
  readonly name: string;
  readonly text: string;
  readonly params: OwnParams;
  readonly window: CsrMatrix;
  /** what an exercise weighs besides; null for none */
  readonly judged: Matrix | null;
}
