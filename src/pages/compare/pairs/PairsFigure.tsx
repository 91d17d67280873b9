import { useApp } from '../../../kit/app-context.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { useJob } from '../../../kit/use-job.ts';
import { percent } from '../../../kit/words/quantity.ts';
import type { SharedPairs } from '../../../theory/shared-pairs.ts';
import type { compareFormats, ModelPairs } from '../service/service.ts';
import { PRUNED_MODELS, type PrunedModelId, RECORDED_PAIRS, pairedShares } from './pairs-figure-facts.ts';
import { TextButton } from '../../../kit/controls/Button.tsx';

type ComputedPairs = ReadonlyMap<PrunedModelId, ModelPairs | null>;

const NONE: ComputedPairs = new Map();

/** The figure of a lesson on EC-SpMV: the share of a model's weights in columns that two paired rows have in common. */
export function PairsFigure() {
  const { engine } = useApp();
  const computing = useJob<ComputedPairs>(
    ['Pairing rows'],
    async ({ signal, onProgress, show }, { lastOfSameKey, update }) => {
      let computed: ComputedPairs = lastOfSameKey ?? NONE;
      for (const { id, title, model, pruning } of PRUNED_MODELS) {
        show({ title: `Pairing rows: ${title}` });
        const request = { model, folder: new URL(`models/${model}/`, document.baseURI).href, pruning };
        const pairs = await engine.service<typeof compareFormats>('compare').pairs({ signal, onProgress }, request);
        computed = new Map(computed).set(id, pairs);
        update(computed);
      }
      return computed;
    },
    { manual: true, cancelWhenUnmounted: true },
  );
  const computed = computing.data ?? NONE;
  return (
    <div className="grid content-start gap-4 py-4">
      {(['all', 'down'] as const).map((part) => (
        <section key={part}>
          <h3 className="text-15 mb-2">{part === 'all' ? 'All matrices' : 'down_proj alone'}</h3>
          <ol className="grid gap-2 list-none">
            {PRUNED_MODELS.map(({ id, title }) => (
              <PairsBar
                key={id}
                title={title}
                pairs={(computed.get(id) ?? RECORDED_PAIRS[id])[part]}
                isComputed={(computed.get(id) ?? null) !== null}
              />
            ))}
          </ol>
        </section>
      ))}
      <p className="flex flex-wrap gap-y-1 gap-x-3 text-muted text-12" aria-hidden="true">
        <span>
          <span className="swatch me-1 bg-values" />
          weights in pairs
        </span>
        <span>
          <span className="inline-block me-1 w-0.5 h-3 bg-ink" />
          as many, in columns at random
        </span>
      </p>
      <div role="status">
        {computing.job && <JobProgress job={computing.job} onCancel={computing.cancel} />}
        {computing.error !== null && <p className="text-danger">{computing.error}</p>}
        {computing.job === null && computed.size === 0 && (
          <TextButton onClick={computing.start}>Compute it here, from the model’s files</TextButton>
        )}
        {[...computed.values()].includes(null) && <p className="text-muted">No weights can be read here: recorded.</p>}
      </div>
    </div>
  );
}

interface PairsBarProps {
  readonly title: string;
  readonly pairs: SharedPairs;
  /** computed on this page, not recorded */
  readonly isComputed: boolean;
}

/** A bar for the share of weights in pairs, full at one half, and a tick at the share for columns at random. */
function PairsBar({ title, pairs, isComputed }: PairsBarProps) {
  const { paired, random } = pairedShares(pairs);
  return (
    <li className="grid grid-cols-[clamp(7rem,25vw,10rem)_minmax(0,1fr)_clamp(4.5rem,15vw,6rem)] items-center gap-3">
      <span className="text-muted text-13 text-end">{title}</span>
      <span
        className="relative block h-5 border-l border-hairline"
        role="img"
        aria-label={`${percent(paired)}, at random ${percent(random)}`}
      >
        <i className="block h-full bg-values" style={{ inlineSize: `${200 * paired}%` }} />
        <b
          className="absolute -inset-y-[3px] w-0.5 bg-ink outline outline-ground"
          style={{ insetInlineStart: `${200 * random}%` }}
        />
      </span>
      <span className="number font-semibold">
        {percent(paired)}
        {isComputed && <span className="text-muted text-12 font-normal"> here</span>}
      </span>
    </li>
  );
}
