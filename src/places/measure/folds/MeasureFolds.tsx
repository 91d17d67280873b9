import { useApp, useDocument } from '../../../kit/app-context.ts';
import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import type { ShownDevice } from '../../../kit/devices/use-device.ts';
import { type FoldEntry, Folds } from '../../../kit/frame/Folds.tsx';
import { placeState, withPlace } from '../../../state/index.ts';
import { MEASURING, openFolds } from '../address.ts';
import type { Measured } from '../answer/use-measured.ts';
import type { ShownRun } from '../use-runs.ts';

const Roofline = lazyPart(async () => (await import('../roofline/RooflineFold.tsx')).RooflineFold);
const Samples = lazyPart(async () => (await import('./Samples.tsx')).Samples);
const Verified = lazyPart(async () => (await import('../report/BenchFacts.tsx')).BenchFacts);
const Kernels = lazyPart(async () => (await import('../report/BenchResult.tsx')).BenchResult);
const MoreTokens = lazyPart(async () => (await import('./MoreTokens.tsx')).MoreTokens);
const Settings = lazyPart(async () => (await import('../form/BenchControls.tsx')).BenchControls);
const Runs = lazyPart(async () => (await import('./Runs.tsx')).Runs);

interface MeasureFoldsProps {
  /** null until there is a matrix */
  readonly measured: Measured | null;
  readonly shown: ShownDevice;
  readonly shownRun: ShownRun;
}

/** What more there is to know of a time, and all that can be measured besides A against B. */
export function MeasureFolds({ measured, shown, shownRun }: MeasureFoldsProps) {
  const { document } = useApp();
  const open = useDocument((doc) => placeState(doc, MEASURING).fold);
  const { run, report } = shownRun;
  const folds: readonly FoldEntry[] = [
    {
      id: 'roofline',
      title: 'where the rest of the time goes: roofline',
      content: <Roofline on={shown} />,
    },
    { id: 'samples', title: 'every sample', content: <Samples measured={measured} device={shown.device} /> },
    {
      id: 'verified',
      title: 'how it was verified',
      content: (
        <div className="measure-facts">
          <Verified run={run} report={report} />
        </div>
      ),
    },
    { id: 'kernels', title: 'all kernels that were tried', content: <Kernels shownRun={shownRun} /> },
    { id: 'tokens', title: 'more tokens', content: measured && <MoreTokens measured={measured} shown={shown} /> },
    { id: 'settings', title: 'settings and sweeps', content: <Settings /> },
    { id: 'runs', title: 'runs and files', content: <Runs shownRun={shownRun} /> },
  ];
  return (
    <Folds
      folds={folds}
      open={openFolds(open)}
      onOpen={(ids) => {
        const doc = document.getState();
        document.setState(withPlace(doc, MEASURING, { ...placeState(doc, MEASURING), fold: ids.join('.') }));
      }}
    />
  );
}
