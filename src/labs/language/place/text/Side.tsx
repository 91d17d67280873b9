import { useId, useState } from 'react';
import { useCurrentFormat, useDocument, useSession } from '../../../../kit/app-context.ts';
import { blockMatrices } from '../../decoders/decoder.ts';
import { blockWeights } from '../../decoders/stored/recipe.ts';
import { REFERENCE_FORMAT } from '../../../../state/reference-format.ts';
import { isBrought } from '../../theory/brought.ts';
import { OwnWay } from '../bring/OwnWay.tsx';
import { DensityCurve } from '../curve/DensityCurve.tsx';
import type { StoredBytes } from '../strip/use-stored-bytes.ts';
import { densityOf, type LanguageSubject, usualWay, withDensity } from '../subject.ts';
import { type Measured, measuredNow, useMeasured } from '../use-measured.ts';
import type { Own } from '../use-own.ts';
import { usePrune } from '../use-pruning.ts';
import { isByWanda } from '../../overrides/matrix-overrides.ts';
import { lostBits, multipliedText, wordsBefore } from './text.ts';
import { asSentence } from '../../../../state/index.ts';
import { drawnTokens, shownToken } from './wrap.ts';
import type { WrittenText } from './use-writing.ts';
import { leftText } from '../../../../kit/words/shares.ts';
import { cssColorOf, cssTextColorOf } from '../../../../kit/format-color.ts';
import { percent } from '../../../../kit/words/quantity.ts';
import type { HeldToken, Rates, Written } from '../service/types.ts';
import { countText, threeDigits } from '../../../../core/story/words.ts';
import { CALIBRATION } from '../fields.ts';
import type { RecordedQuality } from '../../decoders/quality/recorded.ts';
import { lostBitsPerTale } from '../../overrides/use-quality.ts';

interface SideProps {
  readonly subject: LanguageSubject;
  readonly writing: WrittenText;
  readonly stored: StoredBytes;
  readonly own: Own;
  readonly calibration: string;
  readonly onCalibration: (text: string) => void;
  /** token of the dense text; -1 for none */
  readonly shown: number;
}

/** The slider on its curve, figures of both models, and the likeliest words at a token. */
export function Side({ subject, writing, stored, own, calibration, onCalibration, shown }: SideProps) {
  const { model, pruning } = subject;
  const isOwnModel = isBrought(model.id);
  const { text, before, isRecorded } = writing;
  const prune = usePrune(subject);
  const [moved, setMoved] = useState<number | null>(null);
  const { id: format, title } = useCurrentFormat();
  const against = useDocument((doc) => doc.against?.format ?? REFERENCE_FORMAT);
  const device = useSession((s) => s.device);
  const isPrunedBySentence = useDocument(({ source }) => source.kind === 'pruned');
  const density = densityOf(pruning);
  const matrices = model.shape.layers * blockMatrices(model.shape).length;
  const measured = useMeasured(subject);
  const { quality, points, random, at: measuredAt } = measured;
  const dense = measuredAt(1);
  const pruned = measuredNow(measured, subject, own, calibration);
  const note = multipliedText(text.written?.multiplied ?? null, own.words === null ? title : 'their formats', matrices);
  const token = text.held[shown] ?? before[shown] ?? null;
  return (
    <aside className="text-side" aria-label="What is left, and what it costs">
      <div className="text-curve">
        <h3 className="side-head">
          Density{' '}
          <span className="section-caption">
            {own.words !== null
              ? 'of all matrices without choices of their own'
              : points.length > 0
                ? 'bits per byte above the floor'
                : 'share of the weights that is left'}
          </span>
        </h3>
        <DensityCurve
          isBare={isOwnModel}
          points={points}
          random={pruning?.way === 'random' ? [] : random}
          floor={quality?.floor.exact ?? 0}
          density={density}
          onMove={setMoved}
          onChange={(left) => prune(withDensity(pruning, left, usualWay(model)))}
        />
        {isOwnModel && <OwnWay subject={subject} />}
      </div>
      <SideTable
        {...{ quality, dense, format }}
        text={isOwnModel ? text.written : null}
        areTales={!isOwnModel}
        own={own.words}
        pruned={moved === null || own.words !== null ? pruned : measuredAt(moved)}
        density={moved ?? density}
        matrices={matrices}
        denseBytes={2 * blockWeights(model.shape)}
        bytes={stored.total}
        rates={text.written?.rates ?? null}
        where={isRecorded || text.written === null ? null : text.written.where === 'cpu' ? 'on the CPU' : ''}
      />
      {own.words !== null && <MixedNote own={own} matrices={matrices} isMeasured={pruned !== null} />}
      {note !== null && <p className="text-note">{note}</p>}
      {device?.kind === 'unavailable' && (isRecorded || text.written === null) && (
        <p className="text-note">New texts are written on the CPU: {asSentence(device.reason)}</p>
      )}
      {text.written?.notOnGpu && <p className="text-note">Written on the CPU: {asSentence(text.written.notOnGpu)}</p>}
      {isByWanda(pruning, own.choices) && <Calibration text={calibration} onChange={onCalibration} />}
      {token && shown >= 0 && (
        <LikelyPanel
          behind={wordsBefore(drawnTokens([...text.prompt, ...text.dense.slice(0, shown)]))}
          token={token}
          lost={lostBits(text.held)}
          formats={[against, format]}
        />
      )}
      {isOwnModel && (
        <p className="text-note">
          Elsewhere the sentence is about something else: of it, only A and B count here, as the formats of{' '}
          {model.shape.name}.
        </p>
      )}
      {!subject.isOfSentence && !isOwnModel && (
        <p className="text-note">
          Elsewhere the sentence is about something else: {model.shape.name} writes here, pruned{' '}
          {isPrunedBySentence ? 'as it says' : 'to 60 % by Wanda'}. The slider puts it into the sentence.
        </p>
      )}
    </aside>
  );
}

interface MixedNoteProps {
  readonly own: Own;
  /** of the model */
  readonly matrices: number;
  /** whether figures over many tales are known of these choices */
  readonly isMeasured: boolean;
}

/** That some matrices have choices of their own, and the way back. */
export function MixedNote({ own, matrices, isMeasured }: MixedNoteProps) {
  const count = own.choices.length;
  const which =
    count === matrices
      ? `All ${matrices} matrices have`
      : `${count} of ${matrices} matrices ${count === 1 ? 'has' : 'have'}`;
  return (
    <p className="text-note">
      {which} choices of their own{own.words === 'mixed' ? '' : `: ${own.words}`}. Of all weights{' '}
      {own.density >= 1 ? 'all' : leftText(Math.round(100 * own.density) / 100)} are left.
      {!isMeasured && ' Over many tales these choices are not measured.'}{' '}
      <button type="button" className="text-button" onClick={() => own.replace([])}>
        as the sentence says
      </button>
    </p>
  );
}

interface LikelyPanelProps {
  /** the end of the text before the token: '…A hedgeho' */
  readonly behind: string;
  readonly token: HeldToken;
  /** bits lost in all of the text */
  readonly lost: number;
  /** ids of formats whose colours the two models have */
  readonly formats: readonly [dense: string, pruned: string];
}

/** The likeliest words at the pinned token, under both models. */
export function LikelyPanel({ behind, token, lost, formats }: LikelyPanelProps) {
  const bits = (n: number): string => (Math.abs(n) < 0.05 ? '0.0' : n.toFixed(1)).replace('-', '−');
  return (
    <section className="likely" aria-label="The likeliest words here">
      <h3 className="likely-head">
        After “…{behind}”{' '}
        <span className="section-caption">
          {token.lost < -0.05
            ? `the pruned model was surer by ${bits(-token.lost)} bits`
            : `${bits(token.lost)} of ${bits(lost)} bits lost in this text`}
        </span>
      </h3>
      <ol className="likely-rows">
        {token.likely.map(({ text, dense, pruned }) => (
          <li key={text} className="likely-row">
            <span className="likely-word">{text.trim() === '' ? shownToken(text) : drawnTokens([text])[0]}</span>
            <span className="likely-bars" aria-hidden="true">
              <i style={{ inlineSize: `${100 * dense}%`, background: cssColorOf(formats[0]) }} />
              <i style={{ inlineSize: `${100 * pruned}%`, background: cssColorOf(formats[1]) }} />
            </span>
            <span className="number likely-shares">
              <span className="faint">{shareText(dense)} →</span> <b>{shareText(pruned)}</b>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function shareText(share: number): string {
  return percent(share, share >= 0.1 || share < 0.0005 ? 0 : 1);
}

interface CalibrationProps {
  /** '' for tales of training */
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** What is wrong with a text by which Wanda is to weigh, as a sentence; null where nothing is. */
export function calibrationProblem(text: string): string | null {
  const { min, max } = CALIBRATION;
  const found = text.trim().length;
  if (found < min) {
    return `Text for Wanda: found ${countText(found)} characters, expected at least ${min}, or its inputs say too little.`;
  }
  if (text.length > max) {
    return `Text for Wanda: found ${countText(text.length)} characters, expected at most ${countText(max)}.`;
  }
  return null;
}

/** Whose inputs Wanda weighs by: those of tales, or of a text that somebody gives. */
function Calibration({ text, onChange }: CalibrationProps) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const close = (): void => {
    setDraft(null);
    setProblem(null);
  };
  if (draft === null) {
    return (
      <p className="text-note calibration">
        {text === ''
          ? 'Wanda ranks weights by their size times that of their inputs, measured over four tales.'
          : `Wanda ranks weights by their size times that of their inputs, measured over your own text of ${countText(text.length)} characters.`}{' '}
        <button type="button" className="text-button" onClick={() => setDraft(text)}>
          {text === '' ? 'measure on a text of your own' : 'change the text'}
        </button>
        {text !== '' && (
          <>
            {' '}
            <button type="button" className="text-button" onClick={() => onChange('')}>
              tales again
            </button>
          </>
        )}
      </p>
    );
  }
  return (
    <form
      className="text-note calibration"
      onSubmit={(event) => {
        event.preventDefault();
        const found = calibrationProblem(draft);
        setProblem(found);
        if (found !== null) return;
        close();
        onChange(draft);
      }}
    >
      <label htmlFor={id}>
        Text that the model reads while inputs are measured, {CALIBRATION.min} to {countText(CALIBRATION.max)}{' '}
        characters
      </label>
      <textarea
        id={id}
        className="input"
        rows={5}
        value={draft}
        spellCheck={false}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      {problem !== null && (
        <p id={`${id}-problem`} className="problem" role="alert">
          {problem}
        </p>
      )}
      <p className="calibration-actions">
        <button type="submit" className="button">
          Prune by it
        </button>
        <button type="button" className="text-button" onClick={close}>
          cancel
        </button>
      </p>
    </form>
  );
}

interface SideTableProps {
  /** whether the model writes tales, which others are held to */
  readonly areTales: boolean;
  /** the text that is shown, where figures are of it alone; null: they are of many tales */
  readonly text: Written | null;
  readonly quality: RecordedQuality | null;
  readonly dense: Measured | null;
  readonly pruned: Measured | null;
  readonly density: number;
  /** what matrices have of their own, in place of the share; null: nothing */
  readonly own: string | null;
  /** id of the format whose colour the pruned model has */
  readonly format: string;
  readonly matrices: number;
  /** bytes of all matrices of the blocks; null while they are not known */
  readonly denseBytes: number;
  readonly bytes: number | null;
  readonly rates: Rates | null;
  /** 'on the CPU' */
  readonly where: string | null;
}

/** Figures of both models, side by side. */
export function SideTable(props: SideTableProps) {
  const { areTales, text, quality, dense, pruned, density, own, format, matrices, denseBytes, bytes, rates, where } =
    props;
  const lost = (measured: Measured | null): string =>
    quality && measured ? lostBitsPerTale(quality, measured.bitsPerByte).toFixed(1) : '–';
  const judged = dense?.judged ?? pruned?.judged ?? null;
  type Row = readonly [name: string, a: string, b: string];
  const ofTales: readonly Row[] = [
    ['bits per byte', dense?.bitsPerByte.toFixed(4) ?? '–', pruned?.bitsPerByte.toFixed(4) ?? '–'],
    ['lost bits a tale', lost(dense), lost(pruned)],
    [
      judged === null ? 'unbroken tales' : `unbroken of ${judged}`,
      dense?.unbroken?.toString() ?? '–',
      pruned?.unbroken?.toString() ?? '–',
    ],
  ];
  const perByte = (bits: number | undefined): string =>
    text === null || bits === undefined || text.bytes === 0 ? '–' : (bits / text.bytes).toFixed(3);
  const ofText: readonly Row[] = [['bits per byte, this text', perByte(text?.denseBits), perByte(text?.prunedBits)]];
  const rows: readonly Row[] = [
    ...(areTales ? ofTales : ofText),
    [`${matrices} matrices, MB`, (denseBytes / 1e6).toFixed(2), bytes === null ? '–' : (bytes / 1e6).toFixed(2)],
    [
      `tokens/s${where === null ? '' : ` ${where}`}`,
      rates?.dense == null ? 'not yet' : threeDigits(rates.dense),
      rates?.pruned == null ? 'not yet' : threeDigits(rates.pruned),
    ],
  ];
  return (
    <table className="side-table">
      <thead>
        <tr>
          <td />
          <th scope="col">dense</th>
          <th scope="col" style={{ color: cssTextColorOf(format) }}>
            {own ?? leftText(density)}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, a, b]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="number" data-waiting={a === 'not yet' || undefined}>
              <span>{a}</span>
            </td>
            <td className="number" data-waiting={b === 'not yet' || undefined}>
              <span>{b}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
