import type { ReactNode } from 'react';
import { noteText } from '../../../core/encoded/admission.ts';
import type { BenchRow } from '../../../core/report.ts';
import { threeDigits, withGroups } from '../../../core/text/words.ts';
import { useApp, useDocument } from '../../../kit/app-context.ts';
import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import type { VisibleDevice } from '../../../kit/devices/use-device.ts';
import { type DetailsEntry, Details } from '../../../kit/frame/Details.tsx';
import { time } from '../../../kit/words/quantity.ts';
import { pageState, withPage, type Device } from '../../../state/index.ts';
import { MEASURE_FIELDS, openDetails } from '../address.ts';
import type { DeviceTimes, MeasuredPair } from '../answer/use-measured.ts';
import type { VisibleRun } from '../use-shown-run.ts';

const Roofline = lazyPart(async () => (await import('../roofline/RooflineDetails.tsx')).RooflineDetails);
const Devices = lazyPart(async () => (await import('../answer/DeviceTable.tsx')).DeviceTable);
const Samples = lazyPart(async () => (await import('./Samples.tsx')).Samples);
const Verified = lazyPart(async () => (await import('../report/BenchFacts.tsx')).BenchFacts);
const Kernels = lazyPart(async () => (await import('../report/BenchResult.tsx')).BenchResult);
const MoreTokens = lazyPart(async () => (await import('./MoreTokens.tsx')).MoreTokens);
const ModelGains = lazyPart(async () => (await import('../../../papers/ModelGainsView.tsx')).ModelGainsView);
const Settings = lazyPart(async () => (await import('../form/BenchControls.tsx')).BenchControls);
const Runs = lazyPart(async () => (await import('./Runs.tsx')).Runs);

/** The details sections of the page Measure; addresses contain their ids. */
export const MEASURE_DETAILS = [
  { id: 'devices', title: 'other devices' },
  { id: 'roofline', title: 'roofline' },
  { id: 'samples', title: 'every sample' },
  { id: 'verified', title: 'how it was verified' },
  { id: 'kernels', title: 'all kernels tried' },
  { id: 'tokens', title: 'more tokens' },
  { id: 'worth', title: 'from kernel to model' },
  { id: 'settings', title: 'settings and sweeps' },
  { id: 'runs', title: 'runs and files' },
] as const;
type DetailsId = (typeof MEASURE_DETAILS)[number]['id'];

interface MeasureDetailsProps {
  /** null until a matrix is open */
  readonly measuredPair: MeasuredPair | null;
  readonly visibleDevice: VisibleDevice;
  readonly timesOf: (device: Device) => DeviceTimes;
  readonly visibleRun: VisibleRun;
}

/** The details sections of Measure: details of the times, other devices, kernels and token counts, settings, and stored runs. */
export function MeasureDetails({ measuredPair, visibleDevice, timesOf, visibleRun }: MeasureDetailsProps) {
  const { document } = useApp();
  const open = useDocument((doc) => pageState(doc, MEASURE_FIELDS).fold);
  const { run, report } = visibleRun;
  const contents: Readonly<Record<DetailsId, ReactNode>> = {
    devices: measuredPair && <Devices measuredPair={measuredPair} visibleDevice={visibleDevice} timesOf={timesOf} />,
    roofline: <Roofline visibleDevice={visibleDevice} measuredPair={measuredPair} />,
    samples: <Samples measuredPair={measuredPair} device={visibleDevice.device} />,
    verified: (
      <div className="measure-facts columns-[24rem] gap-x-10 max-w-[70rem]">
        {measuredPair?.sides[0].timedRow && <p className="text-muted mb-4 max-w-[48rem]">{timingText(measuredPair)}</p>}
        {measuredPair?.sides.map(({ side, name, notes }) =>
          notes.map((note) => (
            <p key={`${side} ${note.says}`} className="text-muted mb-4 max-w-[48rem]">
              {withGroups(`${name}: ${noteText(note)}`)}
            </p>
          )),
        )}
        <Verified run={run} report={report} />
      </div>
    ),
    kernels: <Kernels visibleRun={visibleRun} />,
    tokens: measuredPair && <MoreTokens measuredPair={measuredPair} visibleDevice={visibleDevice} />,
    worth: <ModelGains device={visibleDevice.device} />,
    settings: <Settings />,
    runs: <Runs visibleRun={visibleRun} />,
  };
  const sections = MEASURE_DETAILS.map(({ id, title }): DetailsEntry => ({ id, title, content: contents[id] }));
  return (
    <Details
      sections={sections}
      open={openDetails(open)}
      onOpen={(ids) => {
        const doc = document.getState();
        document.setState(withPage(doc, MEASURE_FIELDS, { ...pageState(doc, MEASURE_FIELDS), fold: ids.join('.') }));
      }}
    />
  );
}

/** How the first format was timed: 'cold, ratios of rounds, p10 to p90: 1.25 to 1.26, verified before, first answer …' */
function timingText({ sides: [a], speed }: MeasuredPair): string {
  if (!a.timedRow) return '';
  const { row, report } = a.timedRow;
  const rounds = speed?.rounds ?? null;
  const range =
    rounds === null ? '' : `, ratios of rounds, p10 to p90: ${threeDigits(rounds.p10)} to ${threeDigits(rounds.p90)}`;
  const verified = row.verified.checkedAfterTiming ? 'verified before and after' : 'verified before';
  return `${report.workload.memory}${range}, ${verified}${report.unfinished ? ', so far' : firstAnswerText(row)}`;
}

/** The time before other kernels were tried: ', first answer 31.4 µs (30.9 to 31.8) by macko/spmv_staged' */
function firstAnswerText({ first, kernel }: BenchRow): string {
  if (!first) return '';
  const by = first.kernel === kernel ? '' : ` by ${first.kernel}`;
  return `, first answer ${time(first.medianNs)} (${time(first.p10Ns)} to ${time(first.p90Ns)})${by}`;
}
