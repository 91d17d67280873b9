// Collects the sentences of Watch's header and of Compare about a matrix, so that tests can check their numbers.

import type { AnyFormat, EncodedMatrix } from '../src/core/format.ts';
import { density, type Matrix } from '../src/core/matrix/index.ts';
import type { NamedFact, Stated } from '../src/core/text/stated.ts';
import { verdictOf } from '../src/engine/matrix/format-verdicts.ts';
import type { EncodingSummary, MatrixSummary } from '../src/engine/matrix/matrix-types.ts';
import { sizeFacts } from '../src/pages/compare/rows/TableColumns.tsx';
import { compareAnswer, matrixAnswer } from '../src/pages/compare/rows/compare-answer.ts';
import { matrixRows } from '../src/pages/compare/rows/matrix-rows.ts';
import { bitsOf, storedVariantOf } from '../src/pages/compare/rows/stored-variants.ts';
import { storedWords } from '../src/pages/watch/answer/WatchAnswer.tsx';
import type { EncodingState, FormatParams } from '../src/state/index.ts';
import { statisticsOf } from './encodings.ts';

/** A text without structured numbers: the reason for a size, a note about padding, or the answer for a one-matrix model. */
export interface PlainText {
  readonly where: 'why' | 'note' | 'model';
  readonly text: string;
}

interface OutsideFrames {
  /** figures without text in the table of Compare */
  readonly facts: readonly NamedFact[];
  readonly texts: ReadonlyMap<'header' | 'Compare' | 'Compare, by statistics', readonly Stated[]>;
  readonly plain: readonly PlainText[];
}

/**
 * The texts of Watch's header and of Compare about a matrix in one format, and Compare's texts before it is encoded, from
 * statistics alone. Empty if the format supports the matrix, but it was not encoded.
 */
export function textsOutsideFrames(
  format: AnyFormat,
  m: Matrix,
  formatParams: Readonly<Record<string, unknown>>,
  encoded: EncodedMatrix | null,
  stage: object,
): OutsideFrames {
  const params = formatParams as FormatParams;
  const support = format.admits(m, params);
  if (support.ok && encoded === null) return { facts: [], texts: new Map(), plain: [] };
  const { rows, cols, nnz } = m;
  const summary = {
    rows,
    cols,
    nnz,
    density: density(m),
    generation: 1,
    name: 'm',
    source: { kind: 'file', name: 'm' },
  } as unknown as MatrixSummary;
  const encodingSummary = {
    support,
    violations: [],
    encodeMs: 1,
    ledger: encoded && format.storage(encoded),
    reason: (encoded && format.sizeReason?.(encoded)) ?? null,
  } as unknown as EncodingSummary;
  const encoding: EncodingState = { kind: 'ready', params, summary: encodingSummary };
  const variant = storedVariantOf(format, params, m);
  const side = { ...variant, side: 'a', name: format.title, encoding, story: { kind: 'none' } } as const;
  const verdict = verdictOf(format, statisticsOf(m), params, {});
  const tableRows = (state: EncodingState | undefined) =>
    matrixRows({
      variants: [variant],
      summary,
      examples: [],
      encodingOf: () => state,
      verdictOf: () => verdict,
      bestOf: () => null,
      measurements: new Map(),
      verifications: new Map(),
      readGBps: null,
      dispatchNs: 0,
      tokens: 1,
    });
  const f16Bytes = 2 * rows * cols;
  const [after, before] = [tableRows(encoding), tableRows(undefined)];
  const facts = [...after, ...before].flatMap((row): readonly NamedFact[] => {
    const output = row.state === 'known' && rows * cols > 0 ? sizeFacts(row, f16Bytes) : null;
    if (output === null) return [];
    // For 16-bit values, this dense matrix is also the one with which the frames compare.
    const share = bitsOf(params) === 16 ? [{ ...output.share, name: 'share of dense, the matrix' }] : [];
    return [output.size, output.share, ...share];
  });
  const asModel = {
    level: 'model',
    rows: after,
    a: after[0],
    b: null,
    f16Bytes,
    tokens: 1,
    summary,
    isMeasured: false,
    model: { shape: { name: MODEL }, isLayer: false },
  } as unknown as Parameters<typeof compareAnswer>[0];
  const { why } = verdictOf(format, statisticsOf(m), stage as FormatParams, {});
  const plain: readonly PlainText[] = [
    ...(why === null ? [] : [{ where: 'why', text: why } as const]),
    ...(encodingSummary.ledger?.entries ?? []).flatMap(({ note }) =>
      note ? [{ where: 'note', text: note } as const] : [],
    ),
    { where: 'model', text: (compareAnswer(asModel) ?? []).map(({ text }) => text).join('') },
  ];
  return {
    facts,
    plain,
    texts: new Map([
      ['header', asList(storedWords(summary, side, null, 'this matrix'))],
      ['Compare', asList(matrixAnswer({ rows: after, a: after[0], b: null }))],
      ['Compare, by statistics', asList(matrixAnswer({ rows: before, a: before[0], b: null }))],
    ]),
  };
}

/** The name of a model that consists of this one matrix. */
export const MODEL = 'One matrix';

const asList = (output: Stated | null): readonly Stated[] => (output ? [output] : []);
