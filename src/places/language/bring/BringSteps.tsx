import './bring.css';
import { useRef } from 'react';
import { useStore } from 'zustand';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { useApp } from '../../../kit/app-context.ts';
import { useOpenModel } from '../use-model.ts';
import { Bring } from './Bring.tsx';
import { PlanCard } from './PlanCard.tsx';
import { useBringing } from './use-bringing.ts';

interface BringStepsProps {
  /** a model was loaded, and is what the place is about */
  readonly onLoaded?: () => void;
}

/** The two steps: where a model is, then what it is and whether to load it. */
export function BringSteps({ onLoaded }: BringStepsProps) {
  const { announce } = useApp();
  const bringing = useBringing();
  const { looked, running, error } = useStore(bringing.store);
  const open = useOpenModel();
  const box = useRef<HTMLDivElement>(null);
  const load = async (keep: boolean): Promise<void> => {
    const model = await bringing.load(keep);
    if (model === null) return;
    announce(`${model.config.name} is loaded`);
    open(model.id);
    onLoaded?.();
  };
  return (
    <div ref={box} className="bring-steps" tabIndex={-1}>
      {error !== null && running === null && (
        <p className="problem" role="alert">
          {error}
        </p>
      )}
      {running ? (
        <JobProgress job={running} onCancel={bringing.stop} />
      ) : looked ? (
        <PlanCard looked={looked} onLoad={(keep) => void load(keep)} onBack={bringing.back} />
      ) : (
        <Bring onLook={(request) => void bringing.look(request)} />
      )}
    </div>
  );
}
