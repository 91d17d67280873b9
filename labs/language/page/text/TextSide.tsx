// The column next to the texts: likely tokens at a position, and notes on the model that writes.

import { useDocument } from '../../../../src/kit/app-context.ts';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import { cssColorOf } from '../../../../src/kit/format-color.ts';
import { percent } from '../../../../src/kit/words/quantity.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import { KNOWN_MODELS } from '../../../../src/theory/models/known-models.ts';
import { modelId } from '../../../../src/theory/models/model-tree.ts';
import { baseOf, REFERENCE_FORMAT } from '../../../../src/state/index.ts';
import { blockMatrices } from '../../decoders/decoder.ts';
import { isImported } from '../../theory/imported.ts';
import type { ReadToken } from '../service/types.ts';
import { densityOf, type LanguageModelChoice, shippedModelOf } from '../model-choice.ts';
import { currentFigures, useMeasuredPruning } from '../use-measured-pruning.ts';
import type { ModelOverrides } from '../use-matrix-overrides.ts';
import { useRequestedSource } from '../use-model-choice.ts';
import { lostBits } from './lost-bits.ts';
import { wordsBefore } from './text-words.ts';
import type { WritingState } from './use-writing.ts';
import { drawnTokens, visibleToken } from './wrap.ts';

interface TextSideProps {
  readonly modelChoice: LanguageModelChoice;
  /** the texts; `before`: the dense text as the previous pruning read it */
  readonly writing: WritingState;
  /** the matrices with a custom pruning, value type or format */
  readonly modelOverrides: ModelOverrides;
  /** the user's text from which Wanda computes input norms; '': tales of the training set */
  readonly calibration: string;
  /** the token of the dense text that the column is about; -1: none */
  readonly shownToken: number;
  /** the token that the pruned model drew itself, if its own text departs from the dense text at `shown`; else null */
  readonly freeToken: string | null;
}

/** The side column of the tab Text: the most likely next tokens at a token, and notes on the model. */
export function TextSide({ modelChoice, writing, modelOverrides, calibration, shownToken, freeToken }: TextSideProps) {
  const { model, pruning } = modelChoice;
  const isImportedModel = isImported(model.id);
  const { text, before } = writing;
  const format = useDocument((doc) => doc.format);
  const against = useDocument((doc) => doc.formatB?.format ?? REFERENCE_FORMAT);
  const requested = useRequestedSource();
  const base = baseOf(requested);
  const density = densityOf(pruning);
  const measured = useMeasuredPruning(modelChoice);
  const token = text.readTokens[shownToken] ?? before[shownToken] ?? null;
  return (
    <aside
      className="text-side self-stretch min-[56rem]:ps-6 min-[56rem]:border-l border-hairline max-[56rem]:grid max-[56rem]:grid-cols-[1fr_1fr] max-[56rem]:gap-x-6 max-sm:contents empty:hidden"
      aria-label="What pruning costs"
    >
      {modelOverrides.words !== null && (
        <MixedNote
          modelOverrides={modelOverrides}
          matrices={model.shape.layers * blockMatrices(model.shape).length}
          isMeasured={currentFigures(measured, modelChoice, modelOverrides, calibration) !== null}
        />
      )}
      {token && shownToken >= 0 && (
        <LikelyPanel
          textBefore={wordsBefore(drawnTokens([...text.prompt, ...text.dense.slice(0, shownToken)]))}
          token={token}
          freeToken={freeToken}
          lost={lostBits(text.readTokens)}
          formats={[against, format]}
        />
      )}
      {shippedModelOf(requested) === null && !isImportedModel && (
        <p className="underlined mt-4 text-muted text-12">
          {substituteText({
            named: base.kind === 'model' ? base.model : null,
            writer: model.shape.name,
            density: requested.kind === 'pruned' ? density : null,
          })}
        </p>
      )}
    </aside>
  );
}

interface MixedNoteProps {
  readonly modelOverrides: ModelOverrides;
  /** number of all matrices of the model's blocks */
  readonly matrices: number;
  /** whether the model with these choices was measured over many tales */
  readonly isMeasured: boolean;
}

/** A note that some matrices have custom choices, with a button to reset them. */
export function MixedNote({ modelOverrides, matrices, isMeasured }: MixedNoteProps) {
  const count = modelOverrides.overrides.length;
  const which =
    count === matrices
      ? `All ${matrices} matrices have`
      : `${count} of ${matrices} matrices ${count === 1 ? 'has' : 'have'}`;
  return (
    <p className="underlined mt-4 text-muted text-12">
      {which} custom choices{modelOverrides.words === 'mixed' ? '' : `: ${modelOverrides.words}`}. Of all weights{' '}
      {modelOverrides.density >= 1 ? 'all' : densityText(Math.round(100 * modelOverrides.density) / 100)} are left.
      {!isMeasured && ' Not measured over tales.'}{' '}
      <TextButton onClick={() => modelOverrides.replace([])}>reset to the selection</TextButton>
    </p>
  );
}

interface LikelyPanelProps {
  /** the end of the text before the token: '…A hedgeho' */
  readonly textBefore: string;
  readonly token: ReadToken;
  readonly freeToken: TextSideProps['freeToken'];
  /** bits lost in the whole text */
  readonly lost: number;
  /** ids of the formats for the colours of both models */
  readonly formats: readonly [dense: string, pruned: string];
}

/** Probability above which a drawn token is not called unlikely. */
const LIKELY = 0.1;

/** The most likely tokens at a position in the text, under both models. */
export function LikelyPanel({ textBefore, token, freeToken, lost, formats }: LikelyPanelProps) {
  const pieceOf = (text: string): string => (text.trim() === '' ? visibleToken(text) : drawnTokens([text])[0]);
  const isLikely = token.likely.some(({ text, pruned }) => text === freeToken && pruned > LIKELY);
  const bits = (n: number): string => (Math.abs(n) < 0.05 ? '0.0' : n.toFixed(1)).replace('-', '−');
  return (
    <section className="likely mt-5" aria-label="The likeliest words">
      <h3>
        After “…{textBefore}” <span className="section-caption">next token, unpruned → pruned</span>
      </h3>
      <ol className="grid gap-1 mt-2">
        {token.likely.map(({ text, dense, pruned }) => (
          <li key={text} className="grid grid-cols-[3.5rem_minmax(0,1fr)_6.5rem] items-center gap-3">
            <span className="text-15 text-end overflow-hidden text-ellipsis whitespace-pre">{pieceOf(text)}</span>
            <span className="grid gap-px border-l border-hairline *:h-[7px] *:min-w-px" aria-hidden="true">
              <i style={{ inlineSize: `${100 * dense}%`, background: cssColorOf(formats[0]) }} />
              <i style={{ inlineSize: `${100 * pruned}%`, background: cssColorOf(formats[1]) }} />
            </span>
            <span className="number whitespace-nowrap text-end">
              <span className="text-quiet">{shareText(dense)} →</span> <b>{shareText(pruned)}</b>
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-2 text-muted text-12">
        {freeToken !== null
          ? `The pruned model drew “${pieceOf(freeToken).trim()}”${isLikely ? '' : ', although it was unlikely'}.`
          : token.lost < -0.05
            ? `The pruned model is ${bits(-token.lost)} bits more certain here.`
            : `Lost here: ${bits(token.lost)} of ${bits(lost)} bits.`}
      </p>
    </section>
  );
}

/** A share in percent, with a decimal place if it is small but not close to 0. */
function shareText(share: number): string {
  return percent(share, share >= 0.1 || share < 0.0005 ? 0 : 1);
}

interface SubstituteFacts {
  /** id of the model in the selection bar; null: it names none */
  readonly named: string | null;
  /** name of the model that writes */
  readonly writer: string;
  /** density in the selection bar; null: it names no pruning */
  readonly density: number | null;
}

/** States which model writes instead of the selected one, why, and how it is pruned. */
export function substituteText({ named, writer, density }: SubstituteFacts): string {
  const model = KNOWN_MODELS.find((candidate) => modelId(candidate) === named);
  const why = named === null ? 'No model is chosen' : `${model?.name ?? named} is too large here`;
  const how = density === null ? 'pruned to 60\u202f% by Wanda' : `pruned to the same ${densityText(density)}`;
  return `${why}: ${writer} writes instead, ${how}.`;
}
