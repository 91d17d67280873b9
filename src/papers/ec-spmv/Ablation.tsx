import { type AnyListedFormat, resolvedParams } from '../../core/format.ts';
import type { matrix } from '../../engine/matrix-service.ts';
import { useApp, useSession } from '../../kit/app-context.ts';
import { FiguresTable } from '../../kit/charts/FiguresTable.tsx';
import { JobProgress } from '../../kit/controls/JobProgress.tsx';
import { Note } from '../../kit/primitives/Text.tsx';
import { type Asked, timedPair } from '../../kit/report/matrix-times.ts';
import { useMatrixJob } from '../../kit/use-job.ts';
import { bytes as bytesText, percent, time } from '../../kit/words/quantity.ts';
import type { Device } from '../../state/devices/device.ts';
import tables from './tables.json';

/** Longer than any block. */
const NEVER_CUT = 2 ** 20;
const AS_FOUND = { valueType: 'f16', order: 'as-found', clipColumns: NEVER_CUT };

const [deltas, blocks, balance] = tables.tables.ablation.rows.map(({ gain }) => gain);

interface Step {
  readonly name: string;
  readonly format: string;
  readonly params: Readonly<Record<string, string | number>>;
  /** what the paper says that it adds in speed, in percent */
  readonly published: string;
}

/** Each step with what the ones before it have. */
export const STEPS: readonly Step[] = [
  { name: 'CSR, 32-bit columns', format: 'csr', params: { valueType: 'f16', indexBits: 32 }, published: '–' },
  {
    name: 'deltas of 8 bits alone',
    format: 'ec-csr',
    params: { ...AS_FOUND, maxGranularity: 1 },
    published: `${deltas}, over AlphaSparse`,
  },
  { name: 'blocks of two rows', format: 'ec-csr', params: { ...AS_FOUND, maxGranularity: 2 }, published: '–' },
  {
    name: 'blocks of up to eight',
    format: 'ec-csr',
    params: { ...AS_FOUND, maxGranularity: 8 },
    published: `${blocks}, over deltas`,
  },
  {
    name: 'longest first, and cut',
    format: 'ec-csr',
    params: { valueType: 'f16', maxGranularity: 8 },
    published: `up to ${balance}`,
  },
];

interface Counted {
  readonly generation: number;
  /** bytes of the first steps; null where the matrix is not admitted */
  readonly found: readonly (number | null)[];
}

interface AblationProps {
  readonly asked: Asked;
  readonly device: Device;
}

/** Encodes the open matrix in every step of EC-SpMV, one after another: bytes, and times where they were measured. */
export function Ablation({ asked, device }: AblationProps) {
  const { engine, formats } = useApp();
  const isWhole = useSession((s) => s.summary?.sampledRows === undefined);
  const counting = useMatrixJob<Counted>(
    isWhole ? ['Steps of EC-SpMV'] : null,
    async ({ signal, onProgress, show, current, generation }, { update }) => {
      let found: Counted['found'] = [];
      for (const { name, format, params } of STEPS) {
        show({ title: `Encoding: ${name}` });
        const service = engine.service<typeof matrix>('matrix');
        const { ledger } = current(await service.encode({ signal, onProgress }, format, params));
        found = [...found, ledger?.totalBytes ?? null];
        update({ generation, found });
      }
      return { generation, found };
    },
    { byHand: true },
  );
  const found = counting.latest?.found ?? [];
  const timeOf = ({ format, params }: Step): string => {
    const spec: AnyListedFormat['params'] | undefined = formats.find(({ id }) => id === format)?.params;
    if (spec === undefined) return '–';
    const query = { format, params: resolvedParams(spec, params, asked), spec };
    const timed = timedPair(device.reports, asked, query, null).a;
    return timed?.row.medianNs == null ? '–' : time(timed.row.medianNs);
  };
  return (
    <section aria-label="Steps of EC-SpMV on this matrix">
      <h3>Steps of EC-SpMV on this matrix, f16</h3>
      {counting.job ? (
        <JobProgress job={counting.job} onCancel={counting.cancel} />
      ) : (
        <button type="button" className="button" onClick={counting.start}>
          Encode all steps
        </button>
      )}
      {counting.error !== null && <p role="status">{counting.error}</p>}
      {found.length > 0 && (
        <FiguresTable
          caption="Steps of EC-SpMV on this matrix"
          head={['step', 'bytes', 'less than CSR', `time, ${device.name}`, 'published: faster by, %']}
          rows={STEPS.slice(0, found.length).map((step, i) => {
            const [size, csr] = [found[i], found[0]];
            return {
              name: step.name,
              cells: [
                size === null ? '–' : bytesText(size),
                size === null || csr === null ? '–' : percent(1 - size / csr),
                timeOf(step),
                step.published,
              ],
            };
          })}
        />
      )}
      <Note>Published gains are of speed, in f32 on an RTX 3080 Ti. Bytes are of this matrix.</Note>
    </section>
  );
}
