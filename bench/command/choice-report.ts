import { csvLine } from '../../src/core/reports/csv-line.ts';
import { countText } from '../../src/core/text/words.ts';
import { referenceFormat } from '../../src/formats/registry.ts';
import {
  chooseFormats,
  denseTotals,
  type MatrixOptions,
  type Objective,
  type Totals,
} from '../../src/theory/choice/format-choice.ts';
import { CHOICE_COLUMNS, type ChoiceDevice, choiceRows, tokenTime } from '../../src/theory/choice/model-choice.ts';

/* Makes the output of `sparsescope choose`: its lines, facts, table and CSV. */

/** The checked options of `sparsescope choose`. */
export interface ChooseOptions {
  readonly objective: Objective;
  readonly device: ChoiceDevice & { readonly recording: string };
  /** share of the weights that stay, above 0 and at most 1 */
  readonly keptShare: number;
  /** the method by which weights are pruned: 'magnitude', 'Wanda' */
  readonly pruningMethod: string;
  readonly minBits: number;
  /** in bytes; Infinity without a limit */
  readonly budget: number;
}

/** The data that the output is made from. */
export interface ChooseInput {
  readonly name: string;
  readonly options: ChooseOptions;
  readonly matrices: readonly MatrixOptions[];
  /** of a model: its layers, to predict a whole token; null for a file */
  readonly layers: number | null;
  /** bytes of tables that are only looked up */
  readonly lookupBytes: number;
  /** of a file, in addition; absent for a model */
  readonly fileContents?: {
    /** bytes of its weights in a lossless code */
    readonly losslessBytes: number;
    /** matrices that stay dense, each with the reason */
    readonly unsupported: readonly string[];
    /** matrices that cannot be read, each with the reason */
    readonly unread: readonly string[];
  };
  /** matrices that were not reached */
  readonly unreachedCount: number;
  /** why they were not reached: 'interrupted', or the message of an error; null if all were */
  readonly stopReason: string | null;
}

/** The result of `sparsescope choose`: facts for --json, the lines that are printed without it, the table, and CSV. */
export interface ChooseResult {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly csv: string;
  /** the message with which the command fails */
  readonly inputError?: string;
}

const GB = 1e9;
const gigabytes = (bytes: number): string => `${(bytes / GB).toFixed(bytes < 1e8 ? 4 : 2)} GB`;
const milliseconds = (ns: number): string => `${(ns / 1e6).toFixed(ns < 1e6 ? 4 : 2)} ms`;

/** A time with its spread: '3.51 ms ± 2 %'; 'not known' without one. */
function timeText(time: { readonly ns: number; readonly spread: number } | null): string {
  return time === null ? 'not known' : `${milliseconds(time.ns)} ± ${Math.ceil(100 * time.spread)} %`;
}

/** Chooses a format for each matrix, and describes the choice. */
export function resultOf({
  name,
  options,
  matrices,
  layers,
  lookupBytes,
  fileContents,
  unreachedCount,
  stopReason,
}: ChooseInput): ChooseResult {
  const { device, objective, budget, keptShare, pruningMethod, minBits } = options;
  const { losslessBytes, unsupported = [], unread = [] } = fileContents ?? {};
  const omitted = {
    ...(unsupported.length > 0 && { unsupported }),
    ...(unread.length > 0 && { unread }),
    ...(unreachedCount > 0 && { notReached: unreachedCount }),
  };
  const interruption =
    stopReason === null
      ? {}
      : { inputError: `${stopReason}: ${countText(unreachedCount)} of the matrices were not reached` };
  const emptyResult = { facts: { model: name, ...omitted }, lines: [], columns: [], rows: [], csv: '' };
  if (matrices.length === 0) return { ...emptyResult, ...interruption };
  const choice = chooseFormats(matrices, objective, budget - lookupBytes);
  if (choice === null) {
    const fewestBytes = chooseFormats(matrices, 'bytes')?.bytes ?? 0;
    const found = `found at least ${gigabytes(fewestBytes + lookupBytes)}, expected ${gigabytes(budget)} or less`;
    return { ...emptyResult, inputError: `--budget: ${found}` };
  }
  const dense = denseTotals(matrices, referenceFormat, device.times);
  const token = layers === null ? null : tokenTime(choice, layers, device);
  const rows = choiceRows(choice);
  const sums = (totals: Totals) => ({
    bytes: Math.round(totals.bytes + lookupBytes),
    matricesNs: totals.time && Math.round(totals.time.ns),
  });
  const line = (title: string, { bytes, time }: Totals): string =>
    `${title}: ${gigabytes(bytes + lookupBytes)}, matrices of a token ${timeText(time)}`;
  return {
    facts: {
      model: name,
      objective,
      device: device.name,
      recording: device.recording,
      prunedPercent: Number((100 * (1 - keptShare)).toFixed(2)),
      fewestBitsOfAValue: minBits,
      ...sums(choice),
      spread: choice.time?.spread ?? null,
      ...(layers !== null && { tokenNs: token && Math.round(token.ns) }),
      denseF16: sums(dense.f16),
      denseI4: sums(dense.i4),
      ...(losslessBytes !== undefined && { losslessBytes: Math.round(losslessBytes) }),
      lookupBytes,
      ...omitted,
      choice: rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [CHOICE_COLUMNS[i], cell]))),
    },
    lines: [
      `model: ${name}, ${Number((100 * (1 - keptShare)).toFixed(2))} % pruned by ${pruningMethod}, values of ${minBits} bits or more`,
      `device: ${device.name}, recording ${device.recording}`,
      line(objective === 'bytes' ? 'fewest bytes' : 'least time', choice),
      ...(token ? [`whole token: ${timeText(token)}, ${Math.round(1e9 / token.ns)} tokens a second`] : []),
      line('dense f16', dense.f16),
      line('dense i4', dense.i4),
      ...(losslessBytes === undefined
        ? []
        : [
            `dense, lossless: ${gigabytes(losslessBytes)}, nothing pruned: exponents by their entropy; decoding is not timed`,
          ]),
      ...(lookupBytes > 0 ? [`of all these, embedding in f16: ${gigabytes(lookupBytes)}`] : []),
      'not known: what pruning and fewer bits cost in quality',
      ...unsupported.map((text) => `stays dense: ${text}`),
      ...unread.map((text) => `not counted: ${text}`),
    ],
    columns: CHOICE_COLUMNS,
    rows,
    csv: [CHOICE_COLUMNS, ...rows].map(csvLine).join(''),
    ...interruption,
  };
}
