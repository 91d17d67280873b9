import { useEffect, useRef, useState } from 'react';
import { Check } from '../../../kit/controls/Check.tsx';
import type { Looked } from './bringing.ts';
import { keepProblem, planRows, roomText } from './words.ts';

interface PlanCardProps {
  readonly looked: Looked;
  readonly onLoad: (keep: boolean) => void;
  readonly onBack: () => void;
}

/** What a model is and what it takes, before any of its weights is fetched. */
export function PlanCard({ looked: { plan, room, keep: kept }, onLoad, onBack }: PlanCardProps) {
  const [keep, setKeep] = useState(kept);
  const problem = keepProblem(room, plan.bytes);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus({ preventScroll: true }), []);
  return (
    <section className="plan" aria-label={`The model ${plan.config.name}`}>
      <h3 ref={head} tabIndex={-1}>
        {plan.config.name}
      </h3>
      <dl className="plan-facts">
        {planRows(plan).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div className="plan-keep">
        <Check
          checked={keep && problem === null}
          disabled={problem !== null}
          describedBy="plan-room"
          onChange={setKeep}
        >
          Keep it in this browser
        </Check>
        <p id="plan-room" className="quiet">
          {problem ?? (room && roomText(room))}
        </p>
      </div>
      <p className="plan-actions">
        <button type="button" className="button button--solid" onClick={() => onLoad(keep && problem === null)}>
          Load
        </button>
        <button type="button" className="text-button" onClick={onBack}>
          another model
        </button>
      </p>
    </section>
  );
}
