import { countText } from '../../../core/story/words.ts';
import { Check } from '../../../kit/controls/Check.tsx';
import { Select } from '../../../kit/controls/Select.tsx';
import { DeviceBar } from '../../../kit/devices/DeviceBar.tsx';
import { duration } from '../../../kit/words/quantity.ts';
import { modelSize } from '../../../kit/words/weights.ts';
import { kvCacheBytesPerToken } from '../../../theory/models/model-shape.ts';
import { recordedAs } from '../../../theory/models/whole-tokens.ts';
import { isBound } from '../../../state/devices/device.ts';
import type { Compared } from './compare-row.ts';

interface CountedProps {
  readonly compared: Compared;
  /** measures what is compared on this device; null where nothing can be */
  readonly onRun: (() => void) | null;
}

/** What the figures of the table count, on which device they were measured, and the table as files. */
export function Counted({ compared, onRun }: CountedProps) {
  return (
    <section className="counted" aria-label="Counted">
      {compared.model ? (
        <ModelCounted
          whole={wholeWords(compared)}
          model={compared.model}
          isHere={compared.shown.device.kind === 'this'}
          onRun={onRun}
        />
      ) : (
        <p>
          <b>Counted</b> all arrays of the matrix
          {compared.summary.sampledRows !== undefined && ', by closed forms: random weights stand in for its own'}; y =
          A x, with nothing in the cache
          {compared.rows.some(({ figures, measuredNs }) => measuredNs !== null && figures?.measured?.isAlike) &&
            '; times of random matrices of this shape with as much left'}
          {compared.rows.some(({ figures, measuredNs }) => measuredNs !== null && figures?.measured?.isApart) &&
            '; “other run”: not timed in the same rounds as A and B'}
          .
        </p>
      )}
      <DeviceBar shown={compared.shown} onMeasure={onRun} lacks={lacksText(compared)} />
      <Exports compared={compared} />
    </section>
  );
}

/** Contexts that are offered, in tokens. */
const CONTEXTS = [0, 2048, 8192, 32_768, 131_072];

interface ModelCountedProps {
  readonly model: NonNullable<Compared['model']>;
  /** this device answers */
  readonly isHere: boolean;
  readonly onRun: (() => void) | null;
  /** what is said of whole tokens, where some row has them */
  readonly whole: string;
}

function ModelCounted({ model, isHere, onRun, whole }: ModelCountedProps) {
  const { shape, unavailable, measureMs, fused, head, context, contextBytes, isLayer, choose } = model;
  const offered = CONTEXTS.includes(context) ? CONTEXTS : [...CONTEXTS, context].toSorted((a, b) => a - b);
  const sample = context === 0 ? 8192 : context;
  const bytes = context === 0 ? sample * kvCacheBytesPerToken(shape) : contextBytes;
  const isKept = !isLayer && !head;
  return (
    <div className="counted-model">
      <p>
        <b>Counted</b> weights alone{isKept && ', with lm_head and the embedding dense'}; tokens/s of their products
        alone{whole}.
      </p>
      <label className="counted-context">
        context{' '}
        <Select
          aria-label="Context, in tokens"
          value={context}
          options={offered.map((count) => ({
            value: count,
            key: String(count),
            label: count === 0 ? 'none' : countText(count),
          }))}
          onChange={(value) => choose({ context: value })}
        />
        <span className="faint">
          {countText(sample)} tokens of it {context === 0 ? 'would add' : 'add'} {modelSize(bytes)}
          {context > 0 && ' to what a card has to hold'}
        </span>
      </label>
      {!isLayer && (
        <Check checked={head} onChange={(value) => choose({ head: value })}>
          <span>{shape.tied ? 'prune lm_head, which is the embedding' : 'prune lm_head too'}</span>
        </Check>
      )}
      <Check checked={fused} onChange={(value) => choose({ fused: value })}>
        <span>{`q, k, v as one matrix${shape.gated ? ', gate and up as one' : ''}`}</span>
      </Check>
      {isHere && unavailable !== null && <span>{unavailable} Nothing can be measured here.</span>}
      {isHere && unavailable === null && onRun && (
        <button type="button" className="text-button" onClick={onRun}>
          measure every shape in A, B and dense f16: about {duration(measureMs)}
        </button>
      )}
    </div>
  );
}

/** Which tokens per second are those of whole tokens; empty where none are. */
function wholeWords({ rows, shown }: Compared): string {
  if (rows.every(({ wholeNs }) => wholeNs === null)) return '';
  const recorded = recordedAs(shown.device.name);
  return `, but for whole ones${recorded === null ? '' : `, recorded on an ${recorded}`}`;
}

/** What the device was not measured for; null where it lacks nothing. */
function lacksText({ shown: { device }, rows, model, a, tokens }: Compared): string | null {
  if (tokens > 1 && isBound(device))
    return `How long ${tokens} tokens take has to be measured: bytes alone cannot say.`;
  if (isBound(device) || device.kind === 'this') return null;
  if (rows.some(({ measuredNs }) => measuredNs !== null)) return '– was not measured on it.';
  const view = model && a && model.viewOf(a);
  if (view && view.measuredShapes > 0) {
    return `It has times of ${view.measuredShapes} of ${view.lines.length} shapes in ${a.format.title} with this much left.`;
  }
  return model
    ? 'It has no times of this model with this much left.'
    : `${device.label}: this matrix was not timed on it.`;
}

function Exports({ compared }: { readonly compared: Compared }) {
  const save = (kind: 'svg' | 'csv' | 'json'): void => {
    void import('./compare-files.ts').then(({ saveTable }) => saveTable(compared, kind));
  };
  return (
    <p className="counted-exports">
      {(['svg', 'csv', 'json'] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          className="text-button"
          aria-label={`Save the table as ${kind.toUpperCase()}`}
          onClick={() => save(kind)}
        >
          {kind.toUpperCase()}
        </button>
      ))}
    </p>
  );
}
