import type { AnyFormat } from '../../core/format.ts';
import type { Matrix } from '../../core/matrix/index.ts';
import type { Description, Outcome } from '../../own/answers.ts';
import type { Run } from '../../own/asking.ts';
import { ownFormat } from '../../own/format.ts';
import type { OwnParams } from '../../own/messages.ts';

/** A format that somebody wrote, as the page hands it over: what its module says of itself, and what it made of a matrix. */
export interface OwnAnswer {
  readonly name: string;
  readonly text: string;
  readonly description: Description;
  readonly of: {
    /** of the matrix that was asked about */
    readonly generation: number;
    readonly params: OwnParams;
    readonly outcome: Outcome<Run>;
  } | null;
}

/** What has been said of a matrix, by parameters. */
type Said = Map<string, Outcome<Run>>;

interface OwnHeld {
  readonly text: string;
  readonly format: AnyFormat;
  readonly said: WeakMap<Matrix, Said>;
}

/** The formats of one's own that the engine has heard of. Nothing of them runs here: they are answers (docs/decisions). */
export class OwnFormats {
  readonly #held = new Map<string, OwnHeld>();

  /** The format by this name; one whose text is another is a new one. `matrix`: what `of` is about. */
  take(
    { name, text, description, of }: OwnAnswer,
    matrix: Matrix | null,
  ): { readonly format: AnyFormat; readonly isNew: boolean } {
    const before = this.#held.get(name);
    const isNew = before?.text !== text;
    const held = before && !isNew ? before : this.#begin(name, text, description);
    this.#held.set(name, held);
    if (of && matrix) {
      const said: Said = held.said.get(matrix) ?? new Map();
      held.said.set(matrix, said.set(keyOf(of.params), of.outcome));
    }
    return { format: held.format, isNew };
  }

  #begin(name: string, text: string, description: Description): OwnHeld {
    const said = new WeakMap<Matrix, Said>();
    const runOf = (matrix: Matrix, params: OwnParams): Outcome<Run> =>
      said.get(matrix)?.get(keyOf(params)) ?? {
        kind: 'failed',
        message: `${description.title} has not been asked about this matrix`,
        line: 0,
      };
    return { text, said, format: ownFormat({ name, text, description, runOf }) };
  }
}

function keyOf(params: OwnParams): string {
  return JSON.stringify(Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
