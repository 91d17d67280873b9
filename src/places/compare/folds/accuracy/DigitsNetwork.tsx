import './network.css';
import { useDeferredValue, useState } from 'react';
import { saveText } from '../../../../kit/browser/save-blob.ts';
import { AnswerHead } from '../../../../kit/frame/Answer.tsx';
import { useNetwork } from './use-network.ts';
import { AtDensity } from './AtDensity.tsx';
import { ChangedAnswers } from './ChangedAnswers.tsx';
import { resultsCsv, resultsJson } from './exports.ts';
import { LEAST_DENSITY } from './fields.ts';
import { answerWords } from './figures.ts';
import { Gates } from './Gates.tsx';
import { LossCharts } from './LossCharts.tsx';
import { FIRST_LOOK } from './network-runs.ts';
import { NetworkForm } from './NetworkForm.tsx';
import { OneDigit } from './OneDigit.tsx';
import { useLeft } from '../../curves/left.ts';
import { WAY_WORDS } from './plan.ts';

/** The cost of pruning: a network that really runs, pruned, quantised and both. */
export function DigitsNetwork() {
  const network = useNetwork();
  const { offered, chosen, choose, formats, plan, done, ran, compared, refused, whole, titleOf, measuring } = network;
  const { prune, where, images } = chosen;
  // The pruned network for the digit; the cursor moves faster than networks are built.
  const left = useLeft();
  const here = Math.max(LEAST_DENSITY, left.at ?? 1);
  const at = useDeferredValue(here);
  const [strong, setStrong] = useState<string | null>(null);

  const imagesText =
    done === plan.length || images <= FIRST_LOOK
      ? `${images} test images`
      : `${FIRST_LOOK} test images so far, ${done} of ${plan.length} networks on all ${images}`;
  const ways = prune.map((way) => WAY_WORDS[way]);
  return (
    <div className="network">
      <AnswerHead
        about={`digits, 256-512-512-10 · ${imagesText} · pruned ${ways[0] ?? 'in no way'} · products on the ${where === 'gpu' ? 'GPU' : 'CPU'}`}
        words={answerWords(compared, compared.find((r) => r.way === null) ?? null, titleOf)}
        exports={[
          {
            label: 'CSV',
            title: 'Save every run as CSV',
            save: () => saveText('sparsescope-network.csv', resultsCsv(ran), 'text/csv'),
          },
          {
            label: 'JSON',
            title: 'Save every run as JSON',
            save: () => saveText('sparsescope-network.json', resultsJson(ran, refused), 'application/json'),
          },
        ]}
      />
      <NetworkForm
        chosen={chosen}
        choose={choose}
        formats={offered}
        running={network.running}
        error={network.error}
        done={done}
        of={plan.length}
        onRun={network.run}
        onCancel={network.cancel}
      />
      <LossCharts
        runs={ran}
        whole={whole}
        ways={prune}
        formats={formats}
        titleOf={titleOf}
        at={here}
        onMove={(density) => left.preview(Math.max(LEAST_DENSITY, Number(density.toFixed(2))))}
        onRelease={left.commit}
        strong={strong}
        onStrong={setStrong}
      />
      <div className="network-found">
        <AtDensity runs={ran} refused={refused} whole={whole} at={at} titleOf={titleOf} way={prune[0]} />
        <ChangedAnswers
          runs={ran}
          whole={whole}
          at={at}
          way={prune[0]}
          titleOf={titleOf}
          onPick={(image) => choose({ image })}
        />
      </div>
      <OneDigit
        chosen={chosen}
        choose={choose}
        at={at}
        format={formats[0] ?? offered[0]}
        busy={measuring}
        titleOf={titleOf}
      />
      <Gates />
    </div>
  );
}
