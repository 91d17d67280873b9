import './pairs.css';
import { useApp } from '../../../kit/app-context.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { useJob } from '../../../kit/use-job.ts';
import { percent } from '../../../kit/words/quantity.ts';
import type { SharedPairs } from '../../../theory/shared-pairs.ts';
import type { ModelPairs } from '../service/size-types.ts';
import type { compareFormats } from '../service/service.ts';
import { PRUNED_MODELS, type PrunedModelId, RECORDED_PAIRS, pairedShares } from './pairs-figure-facts.ts';
import { TextButton } from '../../../kit/controls/Button.tsx';

type ComputedPairs = ReadonlyMap<PrunedModelId, ModelPairs | null>;

const NONE: ComputedPairs = new Map();

/** The share of weights that one round of pairs covers, by pruning: recorded, or computed from the shipped files. */
export function PairsFigure() {
  const { engine } = useApp();
  const live = useJob<ComputedPairs>(
    ['Pairing rows'],
    async ({ signal, onProgress, show }, { before, update }) => {
      let found: ComputedPairs = before ?? NONE;
      for (const { id, title, model, pruning } of PRUNED_MODELS) {
        show({ title: `Pairing rows: ${title}` });
        const request = { model, folder: new URL(`models/${model}/`, document.baseURI).href, pruning };
        const pairs = await engine.service<typeof compareFormats>('explore').pairs({ signal, onProgress }, request);
        found = new Map(found).set(id, pairs);
        update(found);
      }
      return found;
    },
    { manual: true, cancelWhenUnmounted: true },
  );
  const found = live.data ?? NONE;
  return (
    <div className="pairs stack content-start gap-4 py-4">
      {(['all', 'down'] as const).map((part) => (
        <section key={part}>
          <h3 className="size-15 mb-2">{part === 'all' ? 'All matrices' : 'down_proj alone'}</h3>
          <ol className="stack gap-2 list-none">
            {PRUNED_MODELS.map(({ id, title }) => (
              <Pairs
                key={id}
                title={title}
                pairs={(found.get(id) ?? RECORDED_PAIRS[id])[part]}
                isHere={(found.get(id) ?? null) !== null}
              />
            ))}
          </ol>
        </section>
      ))}
      <p className="flex wrap gap-1-3 quiet size-12" aria-hidden="true">
        <span>
          <span className="swatch me-1 pairs-swatch" />
          weights in pairs
        </span>
        <span>
          <span className="pairs-tick me-1" />
          as many, in columns at random
        </span>
      </p>
      <div role="status">
        {live.job && <JobProgress job={live.job} onCancel={live.cancel} />}
        {live.error !== null && <p className="text-danger">{live.error}</p>}
        {live.job === null && found.size === 0 && (
          <TextButton onClick={live.start}>Compute it here, from the model’s files</TextButton>
        )}
        {[...found.values()].includes(null) && <p className="quiet">No weights can be read here: recorded.</p>}
      </div>
    </div>
  );
}

interface PairsProps {
  readonly title: string;
  readonly pairs: SharedPairs;
  readonly isHere: boolean;
}

function Pairs({ title, pairs, isHere }: PairsProps) {
  const { paired, random } = pairedShares(pairs);
  return (
    <li className="pairs-bar items-center gap-3">
      <span className="quiet size-13 text-end">{title}</span>
      <span
        className="pairs-track line-before"
        role="img"
        aria-label={`${percent(paired)}, at random ${percent(random)}`}
      >
        <i style={{ inlineSize: `${200 * paired}%` }} />
        <b style={{ insetInlineStart: `${200 * random}%` }} />
      </span>
      <span className="number weight-600">
        {percent(paired)}
        {isHere && <span className="quiet size-12 weight-400"> here</span>}
      </span>
    </li>
  );
}
