import { useStore } from 'zustand';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { formulaOf } from '../../../kit/report/operation-words.ts';
import { runningFormats } from '../../../state/bench-form.ts';
import { useBenchSetup } from './bench-setup.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';

/** A placeholder for results: what Run does and, during the first run, what it measures. */
export function NothingYet() {
  const running = useSession((s) => s.bench.running !== null);
  return running ? <KernelGhosts /> : <Empty />;
}

function Empty() {
  const { benchForm } = useApp();
  const operation = useStore(benchForm, (form) => form.operation);
  return (
    <div className="bench-empty">
      <p className="quiet size-12 min-h-5">{formulaOf(operation)}</p>
      <h2 className="bench-sentence leading-145 size-18 weight-400 pretty max-48">
        Run checks every kernel, then times the right ones against dense.
      </h2>
      <KernelGhosts />
    </div>
  );
}

/** The formats that Run would measure, as dashed outlines in place of their results. */
function KernelGhosts() {
  const setup = useBenchSetup();
  return (
    <ul className="kernel-ghosts stack gap-2 mt-5" aria-label="Formats that will run">
      {runningFormats(setup).map((format) => (
        <li key={format.id}>
          <Swatch format={format.id} />
          <b>{format.title}</b>
          <span className="ghost" />
          <span className="ghost ghost--short" />
        </li>
      ))}
    </ul>
  );
}
