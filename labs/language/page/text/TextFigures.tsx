// The figures below the texts, and the field for calibration.

import { useId, useState } from 'react';
import { countText, threeDigits } from '../../../../src/core/text/words.ts';
import { useCurrentFormat, useSession } from '../../../../src/kit/app-context.ts';
import { useChoices } from '../../../../src/kit/browser/choices.ts';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import { cssTextColorOf } from '../../../../src/kit/format-color.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import { asMessage } from '../../../../src/state/index.ts';
import { blockMatrices } from '../../decoders/decoder.ts';
import type { RecordedQuality } from '../../decoders/quality/recorded-quality.ts';
import { blockWeights } from '../../decoders/stored/recipe.ts';
import { isByWanda } from '../../overrides/matrix-overrides.ts';
import { lostBitsPerTale } from '../../overrides/use-quality.ts';
import { isImported } from '../../theory/imported.ts';
import { lengthProblem } from '../bring/user-text-job.ts';
import { CALIBRATION_LENGTH, SHARED_FIELDS } from '../fields.ts';
import type { TokenRates, WritingResult } from '../service/types.ts';
import type { StoredBytes } from '../strip/use-stored-bytes.ts';
import { densityOf, type LanguageModelChoice } from '../model-choice.ts';
import { type MeasuredFigures, currentFigures, useMeasuredPruning } from '../use-measured-pruning.ts';
import type { ModelOverrides } from '../use-matrix-overrides.ts';
import { multipliedText } from './text-words.ts';
import type { WritingState } from './use-writing.ts';

interface TextFiguresProps {
  readonly modelChoice: LanguageModelChoice;
  readonly writing: WritingState;
  readonly stored: StoredBytes;
  /** the matrices whose pruning, value type or format differs from the model's */
  readonly modelOverrides: ModelOverrides;
}

/** A table of the quality, bytes and speed of the dense and the pruned model, with notes below it. */
export function TextFigures({ modelChoice, writing: { text, isRecorded }, stored, modelOverrides }: TextFiguresProps) {
  const { model, pruning } = modelChoice;
  const isImportedModel = isImported(model.id);
  const [{ by: calibration }, choose] = useChoices(SHARED_FIELDS);
  const { id: format, title } = useCurrentFormat();
  const device = useSession((s) => s.device);
  const matrices = model.shape.layers * blockMatrices(model.shape).length;
  const measured = useMeasuredPruning(modelChoice);
  const note = multipliedText(
    text.outcome?.multiplied ?? null,
    modelOverrides.words === null ? title : 'their formats',
    matrices,
  );
  // A recorded text was written elsewhere; without a GPU here, the next one will be written on the CPU.
  const isUnavailable = device?.kind === 'unavailable' && (isRecorded || text.outcome === null);
  const onCpu = isUnavailable ? device.reason : text.outcome?.notOnGpu;
  return (
    <div className="grid grid-cols-[minmax(0,26rem)_minmax(0,1fr)] max-[56rem]:grid-cols-1 gap-x-8">
      <SideTable
        {...{ format, matrices }}
        quality={measured.quality}
        dense={measured.atDensity(1)}
        text={isImportedModel ? text.outcome : null}
        areTales={!isImportedModel}
        overridesTitle={modelOverrides.words}
        pruned={currentFigures(measured, modelChoice, modelOverrides, calibration)}
        density={densityOf(pruning)}
        denseBytes={2 * blockWeights(model.shape)}
        bytes={stored.total}
        rates={text.outcome?.rates ?? null}
        where={isRecorded || text.outcome === null ? null : text.outcome.where === 'cpu' ? 'on the CPU' : ''}
      />
      {note !== null && <p className="underlined mt-4 text-muted text-12">{note}</p>}
      {onCpu && <p className="underlined mt-4 text-muted text-12">Written on the CPU: {asMessage(onCpu)}</p>}
      {isByWanda(pruning, modelOverrides.overrides) && (
        <Calibration text={calibration} onChange={(by) => choose({ by })} />
      )}
      {isImportedModel && (
        <p className="underlined mt-4 text-muted text-12">Only the formats A and B of the selection bar matter here.</p>
      )}
    </div>
  );
}

interface CalibrationProps {
  /** the calibration text; '' for tales of the training set */
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** The problem with a calibration text for Wanda; null if there is none. */
export function calibrationProblem(text: string): string | null {
  return lengthProblem('Text for Wanda', text, CALIBRATION_LENGTH);
}

/** Shows whether Wanda calibrates on tales or on the user's text, with a form to change that text. */
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
      <p className="underlined mt-4 text-muted text-12">
        {text === ''
          ? 'Wanda calibrates on four tales.'
          : `Wanda calibrates on your text of ${countText(text.length)} characters.`}{' '}
        <TextButton onClick={() => setDraft(text)}>{text === '' ? 'use your text' : 'change the text'}</TextButton>
        {text !== '' && (
          <>
            {' '}
            <TextButton onClick={() => onChange('')}>tales again</TextButton>
          </>
        )}
      </p>
    );
  }
  return (
    <form
      className="underlined mt-4 text-muted text-12"
      onSubmit={(event) => {
        event.preventDefault();
        const newProblem = calibrationProblem(draft);
        setProblem(newProblem);
        if (newProblem !== null) return;
        close();
        onChange(draft);
      }}
    >
      <label className="block mb-1" htmlFor={id}>
        Text for Wanda, {CALIBRATION_LENGTH.min} to {countText(CALIBRATION_LENGTH.max)} characters
      </label>
      <textarea
        id={id}
        className="input min-h-24 p-2 resize-y"
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
      <p className="flex items-center gap-4 mt-2">
        <button type="submit" className="button">
          Prune with it
        </button>
        <TextButton onClick={close}>cancel</TextButton>
      </p>
    </form>
  );
}

interface SideTableProps {
  /** whether the model writes tales: generated short stories; its quality was measured over many of them */
  readonly areTales: boolean;
  /** the text that the quality is measured on; null: many tales */
  readonly text: WritingResult | null;
  readonly quality: RecordedQuality | null;
  /** the quality of either model over many tales; null if not measured */
  readonly dense: MeasuredFigures | null;
  readonly pruned: MeasuredFigures | null;
  readonly density: number;
  /** title of the pruned column if single matrices have another pruning or format; null: the density is the title */
  readonly overridesTitle: string | null;
  /** id of the format whose colour the pruned model has */
  readonly format: string;
  readonly matrices: number;
  /** bytes of all matrices of the blocks, dense in f16 */
  readonly denseBytes: number;
  /** the same in the chosen formats; null until they are counted */
  readonly bytes: number | null;
  readonly rates: TokenRates | null;
  /** where the tokens were computed, in words: 'on the CPU' */
  readonly where: string | null;
}

/** Figures of both models, side by side. A tale is 'unbroken' if tales/judge.ts finds no error in it. */
export function SideTable(props: SideTableProps) {
  const {
    areTales,
    text,
    quality,
    dense,
    pruned,
    density,
    overridesTitle,
    format,
    matrices,
    denseBytes,
    bytes,
    rates,
    where,
  } = props;
  const lostBits = (measured: MeasuredFigures | null): string =>
    quality && measured ? lostBitsPerTale(quality, measured.bitsPerByte).toFixed(1) : '–';
  const judged = dense?.judged ?? pruned?.judged ?? null;
  type Row = readonly [name: string, denseText: string, prunedText: string];
  const taleRows: readonly Row[] = [
    ['bits per byte', dense?.bitsPerByte.toFixed(4) ?? '–', pruned?.bitsPerByte.toFixed(4) ?? '–'],
    ['bits lost per tale', lostBits(dense), lostBits(pruned)],
    [
      judged === null ? 'unbroken tales' : `unbroken of ${judged}`,
      dense?.unbroken?.toString() ?? '–',
      pruned?.unbroken?.toString() ?? '–',
    ],
  ];
  const perByte = (bits: number | undefined): string =>
    text === null || bits === undefined || text.bytes === 0 ? '–' : (bits / text.bytes).toFixed(3);
  const textRows: readonly Row[] = [['bits per byte, this text', perByte(text?.denseBits), perByte(text?.prunedBits)]];
  const rows: readonly Row[] = [
    ...(areTales ? taleRows : textRows),
    [`${matrices} matrices, MB`, (denseBytes / 1e6).toFixed(2), bytes === null ? '–' : (bytes / 1e6).toFixed(2)],
    [
      `tokens/s${where ? ` ${where}` : ''}, wall clock`,
      rates?.dense == null ? 'not yet' : threeDigits(rates.dense),
      rates?.pruned == null ? 'not yet' : threeDigits(rates.pruned),
    ],
  ];
  return (
    <table className="side-table row-span-6 cells-end text-12 w-full mt-2">
      <thead className="font-medium">
        <tr>
          <td />
          <th scope="col">dense</th>
          <th scope="col" style={{ color: cssTextColorOf(format) }}>
            {overridesTitle ?? densityText(density)}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, denseText, prunedText]) => (
          <tr key={name}>
            <th scope="row" className="text-muted">
              {name}
            </th>
            <td className="number text-muted" data-waiting={denseText === 'not yet' || undefined}>
              <span>{denseText}</span>
            </td>
            <td className="number min-w-21 font-semibold" data-waiting={prunedText === 'not yet' || undefined}>
              <span>{prunedText}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
