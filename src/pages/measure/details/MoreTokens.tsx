import { RunEndNote } from '../../../kit/report/RunEndNote.tsx';
import { useApp, useSession } from '../../../kit/app-context.ts';
import type { VisibleDevice } from '../../../kit/devices/use-device.ts';
import { timedText } from '../../../kit/words/ran-instead.ts';
import { speedText } from '../../../kit/words/speed-of.ts';
import { GEMM } from '../../../core/operations/index.ts';
import { MAX_TOKENS, toRequest, withOperation } from '../../../state/index.ts';
import { counted } from '../../../core/text/words.ts';
import {
  type TimedMatrix,
  type FormatQuery,
  timedPair,
  type TimedPair,
  type TimedRow,
  speedBetween,
} from '../../../kit/report/matrix-times.ts';
import { boundText, productBytes, timeBound } from '../../../kit/report/time-bound.ts';
import type { MeasuredPair, MeasuredSide } from '../answer/use-measured.ts';
import { useBenchSetup } from '../form/bench-setup.ts';
import { NumberHeads, TableScroll } from '../../../kit/primitives/Boxes.tsx';
import type { BenchReport } from '../../../core/report.ts';
import { Button } from '../../../kit/controls/Button.tsx';

/** The times of formats A and B for one number of tokens. */
interface TokensPoint extends TimedPair {
  readonly tokens: number;
}

/** The times of A and B by number of tokens, ascending: for the numbers in `listed`, timed or not, and in reports. */
export function timesByTokens(
  reports: readonly BenchReport[],
  matrix: Omit<TimedMatrix, 'isBlock'>,
  a: FormatQuery,
  b: FormatQuery | null,
  listed: readonly number[],
): readonly TokensPoint[] {
  const reported = reports
    .filter(({ workload }) => workload.operation === GEMM.id && workload.rows === matrix.rows)
    .map(({ workload }) => workload.sizes?.tokens ?? 1);
  return [...new Set([...listed, ...reported])]
    .toSorted((one, other) => one - other)
    .map((tokens) => ({ tokens, ...timedPair(reports, { ...matrix, tokens }, a, b) }))
    .filter((point) => listed.includes(point.tokens) || point.a !== null || point.b !== null);
}

/** Numbers of tokens that are always listed. */
const LISTED_TOKENS = [1, 2, 4, 8, 16, 32, 64, MAX_TOKENS];

interface MoreTokensProps {
  readonly measuredPair: MeasuredPair;
  readonly visibleDevice: VisibleDevice;
}

/** The section 'more tokens': times of A and B for 1, 2, 4 and more tokens, which share one read of the weights. */
export function MoreTokens({ measuredPair, visibleDevice: { device } }: MoreTokensProps) {
  const { session } = useApp();
  const setup = useBenchSetup();
  const running = useSession((s) => s.bench.running !== null);
  const { sides, queryA, queryB } = measuredPair;
  // The table has times of this matrix's product, not of a whole feed-forward block.
  const { isBlock: _, ...matrix } = measuredPair.matrix;
  const [a, b] = sides;
  const points = timesByTokens(device.reports, matrix, queryA, queryB, LISTED_TOKENS);
  const minTimeText = ({ matrixBytes }: MeasuredSide, timed: TimedRow | null, tokens: number): string =>
    boundText(timeBound(productBytes(timed, matrixBytes, { ...matrix, tokens }), device.roofs));
  const canRun = setup.device?.kind === 'ready';
  const run = (): void => {
    // The table lists cold runs of this matrix.
    const listed = { pair: true, workload: 'stage', memory: 'cold' } as const;
    const form = { ...withOperation(setup.form, GEMM.id), ...listed };
    void session.runSweep(toRequest({ ...setup, form }), { of: 'size', name: 'tokens', values: LISTED_TOKENS });
  };
  return (
    <div className="grid gap-4 grid-cols-1 max-w-[48rem]">
      <p className="text-muted">Tokens share one read of the weights. On {device.name}:</p>
      <TableScroll label="Times by tokens">
        <table className="table devices-table">
          <thead>
            <tr>
              <th scope="col" rowSpan={2}>
                tokens
              </th>
              <th scope="colgroup" colSpan={b ? 3 : 1} className="ps-3 border-b border-hairline text-end">
                measured
              </th>
              <th scope="colgroup" colSpan={b ? 2 : 1} className="ps-3 border-b border-hairline text-end">
                at least
              </th>
            </tr>
            <tr>
              <NumberHeads names={b ? [a.name, b.name, 'A against B'] : [a.name]} />
              <NumberHeads names={b ? [a.name, b.name] : [a.name]} />
            </tr>
          </thead>
          <tbody>
            {points.map(({ tokens, a: ofA, b: ofB }) => (
              <tr key={tokens} data-answers={tokens === matrix.tokens || undefined} className="data-answers:bg-sunken">
                <th scope="row" className="whitespace-nowrap">
                  {tokens <= MAX_TOKENS ? (
                    <button
                      type="button"
                      className="devices-name hover:underline hover:underline-offset-[0.2em] rounded-[3px] text-ink text-start cursor-pointer min-h-6 min-w-6"
                      aria-pressed={tokens === matrix.tokens}
                      aria-label={counted(tokens, 'token')}
                      onClick={() => session.setTokens(tokens)}
                    >
                      {tokens}
                    </button>
                  ) : (
                    tokens
                  )}
                </th>
                <td className="number devices-measured">{timedText(ofA)}</td>
                {b && (
                  <>
                    <td className="number devices-measured">{timedText(ofB)}</td>
                    <td className="number devices-measured">{ofA && ofB ? speedText(speedBetween(ofA, ofB)) : '–'}</td>
                  </>
                )}
                <td className="number text-muted">{minTimeText(a, ofA, tokens)}</td>
                {b && <td className="number text-muted">{minTimeText(b, ofB, tokens)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      {canRun && (
        <Button className="justify-self-start" aria-disabled={running} onClick={running ? undefined : run}>
          Measure with 1 to {MAX_TOKENS} tokens
        </Button>
      )}
      <RunEndNote />
    </div>
  );
}
