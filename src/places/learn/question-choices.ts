import type { AnyListedFormat } from '../../core/format.ts';
import type { GenerateSpec } from '../../generate/generate.ts';
import type { CsrMatrix } from '../../core/matrix/index.ts';
import { type AskedQuestion, askFrom, figureDocument, tellFigure } from '../../lessons/figure.ts';
import { lessons } from '../../lessons/index.ts';
import type { AskedAt } from '../../lessons/question-set.ts';
import { isTrial, type Told, TRIAL_ADDRESS, trials } from '../../lessons/trials/index.ts';
import { type AppDocument, type Catalog, type FormatParams, paramFields, type LoadedStory } from '../../state/index.ts';

/** A question that can be put into a set, with the story that asks it. */
export interface Asker {
  readonly teller: Told;
  readonly story: LoadedStory['story'];
  readonly question: string;
  /** a matrix and parameters that suit it: those of the lesson that asks it */
  readonly start: AppDocument;
}

/** A question as it was put together. */
export interface MadeQuestion {
  readonly key: string;
  readonly at: AskedAt;
  /** the question as it will be asked first */
  readonly words: string;
}

/** What a question is asked on. */
export interface Wanted {
  readonly spec: GenerateSpec;
  readonly params: FormatParams;
  /** instead of a generated one */
  readonly own: CsrMatrix | null;
}

const SMALL = 'src=generated:uniform&shape=4x32&density=0.2&seed=1';

/** Every question of every format and trial. Loads their stories; rejects where one does not arrive. */
export async function loadAskers(formats: readonly AnyListedFormat[], catalog: Catalog): Promise<readonly Asker[]> {
  const asked = lessons.flatMap((lesson) => lesson.blocks.flatMap((b) => (b.kind === 'prediction' ? [b] : [])));
  const tellers: readonly Told[] = [...formats, ...trials];
  const loaded = await Promise.all(
    tellers.map(async (teller) => {
      const story = await teller.story();
      return (story.questions ?? []).map(({ id }): Asker => {
        const place = isTrial(teller.id) ? TRIAL_ADDRESS : '#1/visualize?';
        const own = asked.find((b) => b.question === id && fmtOf(b.figure.address) === teller.id);
        const address = own?.figure.address ?? `${place}${SMALL}&fmt=${teller.id}${usualParams(teller)}`;
        return { teller, story, question: id, start: figureDocument(address, catalog) };
      });
    }),
  );
  return loaded.flat();
}

/** The default of every parameter, as an address names them. */
const usualParams = ({ params }: Told): string =>
  paramFields(params)
    .map(([name, field]) => `&${name}=${String(field.default)}`)
    .join('');

const fmtOf = (address: string): string => /[?&]fmt=([^&]*)/.exec(address)?.[1] ?? '';

/**
 * The question on the wanted matrix; of a generated one, on the next that is admitted. Rejects with LessonError, also where a
 * matrix of one's own is not admitted, and what generating throws. As `askFrom`, it lets others have their turn.
 */
export async function askOn(
  { teller, story, question, start }: Asker,
  { spec, params, own }: Wanted,
): Promise<AskedQuestion> {
  const source = { kind: 'generated' as const, spec: own ? specLike(own) : spec };
  const document = { ...start, source, params: { ...start.params, [teller.id]: params } };
  return askFrom(tellFigure(document, teller, story, own), question);
}

/** A matrix of one's own is followed by ones of its shape and of about its density, in the plainest pattern. */
function specLike({ rows, cols, nnz }: CsrMatrix): GenerateSpec {
  const density = Math.min(1, Math.max(0.05, Number((nnz / (rows * cols)).toFixed(2))));
  return { pattern: 'uniform', rows, cols, density, seed: 1 };
}
