import { resolvedParams } from '../../core/format.ts';
import { PAGE_ROUNDS } from '../../core/bench/round-counts.ts';
import { SPMV } from '../../core/operations/index.ts';
import type { matrix } from '../../engine/matrix-service.ts';
import { useApp, useSession } from '../../kit/app-context.ts';
import { FiguresTable } from '../../kit/charts/ChartFoot.tsx';
import { Button } from '../../kit/controls/Button.tsx';
import { JobProgress } from '../../kit/controls/JobProgress.tsx';
import { RunEndNote } from '../../kit/report/RunEndNote.tsx';
import { Row } from '../../kit/primitives/Layout.tsx';
import { Note } from '../../kit/primitives/Text.tsx';
import type { VisibleDevice } from '../../kit/devices/use-device.ts';
import { type TimedMatrix, type FormatQuery, timedPair } from '../../kit/report/matrix-times.ts';
import { useMatrixJob } from '../../kit/use-job.ts';
import { withSubstitute } from '../../kit/words/ran-instead.ts';
import { bytes as bytesText, percent, time } from '../../kit/words/quantity.ts';
import { type ParamValue, SEED } from '../../state/index.ts';
import steps from './steps.json';
import tables from './tables.json';

const gains = new Map(tables.tables.ablation.rows.map(({ name, gain }) => [name, gain]));

/**
 * The paper’s ablation: EC-SpMV with one technique more in each step. `over`: index of the step to compare with;
 * `called`: name inside a text; `published`: gain in speed in the paper, in percent. A huge `clipColumns` clips none.
 */
export const ABLATION_STEPS = steps.map((step) => ({
  ...step,
  params: step.params as Readonly<Record<string, ParamValue>>,
  published: step.published.replace(/\{(.+)\}/, (_, name: string) => String(gains.get(name))),
}));

const TITLE = 'Steps of EC-SpMV on this matrix';

/** Sizes of the open matrix, for the steps that were encoded so far. */
interface EncodedSteps {
  /** number of the open matrix; sizes with another number are stale */
  readonly generation: number;
  /** by step: bytes, and reads of x per non-zero; null if the format rejected the matrix */
  readonly sizes: readonly ({ readonly bytes: number; readonly reads: string } | null)[];
}

interface AblationProps {
  /** the open matrix, for one token */
  readonly matrix: TimedMatrix;
  /** the device whose times are shown */
  readonly visibleDevice: Pick<VisibleDevice, 'device' | 'devices' | 'dropDeviceChoice'>;
}

/** Table of bytes and times of the open matrix in every step of EC-SpMV, with what the paper published. */
export function Ablation({ matrix: open, visibleDevice }: AblationProps) {
  const { engine, formats, session } = useApp();
  const hasAllRows = useSession((s) => s.summary?.sampledRows === undefined);
  const hasGpu = useSession((s) => s.device?.kind === 'ready');
  const running = useSession((s) => s.bench.running);
  const encoding = useMatrixJob<EncodedSteps>(
    hasAllRows ? [TITLE] : null,
    async ({ signal, onProgress, show, current, generation }, { update }) => {
      let sizes: EncodedSteps['sizes'] = [];
      for (const { name, format, params } of ABLATION_STEPS) {
        show({ title: `Encoding: ${name}` });
        const service = engine.service<typeof matrix>('matrix');
        const { ledger, facts } = current(await service.encode({ signal, onProgress }, format, params));
        // A format without this fact reads x once per non-zero.
        const reads = facts.find(({ label }) => label === 'reads of x per non-zero')?.value ?? '1.00';
        sizes = [...sizes, ledger && { bytes: ledger.totalBytes, reads }];
        update({ generation, sizes });
      }
      return { generation, sizes };
    },
    { manual: true },
  );
  const sizes = encoding.latest?.sizes ?? [];
  const queries = ABLATION_STEPS.map(({ format, params }): FormatQuery => {
    const spec = formats.find(({ id }) => id === format)?.params ?? {};
    return { format, params: resolvedParams(spec, params, open), spec };
  });
  const timesOn = ({ reports }: VisibleDevice['device']) =>
    ABLATION_STEPS.map(({ over }, i) => timedPair(reports, open, queries[i], over === null ? null : queries[over]));
  // Times of this device, if there are any, else of the chosen one.
  const thisDevice = visibleDevice.devices.find(({ kind }) => kind === 'this');
  const device = thisDevice && timesOn(thisDevice).some(({ a }) => a !== null) ? thisDevice : visibleDevice.device;
  const times = timesOn(device);
  const timeAll = (): void => {
    visibleDevice.dropDeviceChoice();
    void session.runBench({
      operation: SPMV.id,
      sizes: {},
      workload: { kind: 'stage' }, // the open matrix
      entries: queries.map(({ format, params }) => ({ format, params, kernels: 'auto' })),
      memory: 'cold',
      rounds: PAGE_ROUNDS.default,
      seed: SEED,
      where: 'gpu',
    });
    // Encodes all steps once the run has ended.
    encoding.start();
  };
  const fasterText = (i: number): string => {
    const { a, b } = times[i];
    // Times of a software adapter are not evidence about a GPU.
    if (device.isSoftware || !a?.row.medianNs || !b?.row.medianNs || a.report !== b.report) return '–';
    const gain = 100 * (b.row.medianNs / a.row.medianNs - 1);
    return `${gain.toFixed(1).replace('-', '−')}, over ${ABLATION_STEPS[ABLATION_STEPS[i].over ?? 0].called}`;
  };
  return (
    <section aria-label={TITLE}>
      <h3>{TITLE}, f16</h3>
      {running ? (
        <JobProgress job={running.job} onCancel={session.cancelBench} />
      ) : encoding.job ? (
        <JobProgress job={encoding.job} onCancel={encoding.cancel} />
      ) : (
        <>
          <Row>
            {hasGpu && <Button onClick={timeAll}>Time all steps</Button>}
            <Button onClick={encoding.start}>Encode all steps</Button>
          </Row>
          <RunEndNote />
        </>
      )}
      {encoding.error !== null && <p role="status">{encoding.error}</p>}
      {sizes.length > 0 && (
        <FiguresTable
          caption={TITLE}
          head={[
            'step',
            'bytes',
            'less than CSR',
            'reads of x per weight',
            withSubstitute(`time, ${device.name}`, device.isSoftware ? 'software' : null),
            'faster by, %',
            'published: faster by, %',
          ]}
          rows={sizes.map((size, i) => {
            const [csr] = sizes;
            const ns = times[i].a?.row.medianNs;
            return {
              name: ABLATION_STEPS[i].name,
              cells: [
                size === null ? '–' : bytesText(size.bytes),
                size === null || csr === null ? '–' : percent(1 - size.bytes / csr.bytes),
                size?.reads ?? '–',
                ns == null ? '–' : time(ns),
                fasterText(i),
                ABLATION_STEPS[i].published,
              ],
            };
          })}
        />
      )}
      <Note>Published gains are of speed, in f32 on an RTX 3080 Ti.</Note>
    </section>
  );
}
