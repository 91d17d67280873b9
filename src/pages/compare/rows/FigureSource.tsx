/* Below Compare's table: where its figures are from, and the section 'how it is counted'. */

import { countText, listText } from '../../../core/text/words.ts';
import { Checkbox } from '../../../kit/controls/Checkbox.tsx';
import { Select } from '../../../kit/controls/Select.tsx';
import { DeviceBar } from '../../../kit/devices/DeviceBar.tsx';
import { duration } from '../../../kit/words/quantity.ts';
import { modelSize } from '../../../kit/words/model-sizes.ts';
import { kvCacheBytesPerToken } from '../../../theory/models/model-shape.ts';
import { recordedDevice } from '../../../theory/models/token-speeds.ts';
import { isTimedInBlock, hasOnlyBounds } from '../../../state/index.ts';
import type { ComparedFormats } from './compare-row.ts';
import { TextButton } from '../../../kit/controls/Button.tsx';

interface FigureSourceProps {
  readonly compared: ComparedFormats;
  /** measures the compared formats on this device; null if that is impossible */
  readonly onRun: (() => void) | null;
}

type Model = NonNullable<ComparedFormats['model']>;

/** The line below Compare's table: where its figures are from, and a button to measure them here. */
export function FigureSource({ compared, onRun }: FigureSourceProps) {
  return (
    <section
      className="underlined flex flex-wrap items-center gap-y-1 gap-x-6 text-muted [&_.device-bar]:my-0 [&_.device-bar]:[font-size:inherit]"
      aria-label="Counted"
    >
      {compared.model && compared.visibleDevice.device.kind === 'this' && (
        <MeasureModel model={compared.model} onRun={onRun} />
      )}
      <DeviceBar
        visibleDevice={compared.visibleDevice}
        onMeasure={onRun}
        extraNote={missingTimesText(compared)}
        note={sourceNote(compared)}
      />
    </section>
  );
}

/** Where the figures of the table are from, in one line. */
export function sourceNote(compared: Pick<ComparedFormats, 'model' | 'rows' | 'summary' | 'visibleDevice'>): string {
  const { model, rows, summary } = compared;
  if (model) {
    const denseParts = [
      ...(model.isLayer || model.prunesHead ? [] : ['lm_head', 'embedding']),
      ...(model.shape.experts ? ['routers'] : []),
    ];
    const dense = denseParts.length > 0 ? `; ${listText(denseParts)} stay dense` : '';
    return `Only weights are counted${dense}. Tokens per second count the products alone${wholeText(compared)}.`;
  }
  const timed = rows.filter(({ measuredNs }) => measuredNs !== null);
  const sizes = `Sizes ${summary.sampledRows === undefined ? 'exact' : 'computed'}`;
  if (timed.length === 0) return `${sizes}.`;
  const isAnyOtherMatrix = timed.some(({ figures }) => figures?.measurement?.isOtherMatrix);
  return `${sizes}; times measured ${isAnyOtherMatrix ? 'on random matrices, ' : ''}uncached.`;
}

/** The collapsible section 'how it is counted': what is included in bytes and times, options for a model, and files. */
export function HowCounted({ compared }: Pick<FigureSourceProps, 'compared'>) {
  return (
    <div className="grid gap-3 text-muted">
      {compared.model === null ? <MatrixCounted {...compared} /> : <ModelCounted model={compared.model} />}
      <Exports compared={compared} />
    </div>
  );
}

/** For a matrix: what bytes and times include. */
function MatrixCounted({ rows, a, tokens }: Pick<ComparedFormats, 'rows' | 'a' | 'tokens'>) {
  const isBlock = a !== null && isTimedInBlock(a.format.group, tokens);
  return (
    <p>
      Bytes count all arrays; times are for {isBlock ? 'the feed-forward block around them' : 'y = A x'}.
      {rows.some(({ figures, measuredNs }) => measuredNs !== null && figures?.measurement?.isOtherRun) &&
        ' “Other run”: not timed in the same rounds as A and B.'}
    </p>
  );
}

/** Context lengths to choose from, in tokens. */
const CONTEXTS = [0, 2048, 8192, 32_768, 131_072];

/** The context whose bytes are shown while none is chosen, in tokens. */
const EXAMPLE_CONTEXT = 8192;

/** For a model: the length of its KV cache, whether lm_head is pruned, and which matrices are stored as one. */
function ModelCounted({ model: { shape, fused, prunesHead, context, isLayer, choose } }: { readonly model: Model }) {
  const offered = [...new Set([...CONTEXTS, context])].toSorted((a, b) => a - b);
  const length = context || EXAMPLE_CONTEXT;
  return (
    <div className="flex flex-wrap items-center gap-y-1 gap-x-5">
      <label className="[&_.select]:w-auto inline-flex flex-wrap items-center gap-y-1 gap-x-2">
        context{' '}
        <Select
          aria-label="Context, in tokens"
          value={context}
          options={offered.map((value) => ({ value, label: value === 0 ? 'none' : countText(value) }))}
          onChange={(value) => choose({ context: value })}
        />
        <span className="text-quiet">
          {countText(length)} tokens of it {context === 0 ? 'would add' : 'add'}{' '}
          {modelSize(length * kvCacheBytesPerToken(shape))}
        </span>
      </label>
      {!isLayer && (
        <Checkbox checked={prunesHead} onChange={(value) => choose({ head: value })}>
          <span>{shape.tied ? 'prune lm_head, the embedding' : 'prune lm_head too'}</span>
        </Checkbox>
      )}
      <Checkbox checked={fused} onChange={(value) => choose({ fused: value })}>
        <span>{`q, k, v as one matrix${shape.gated ? ', gate and up as one' : ''}`}</span>
      </Checkbox>
    </div>
  );
}

/** A button that measures a model on this device, or why that is impossible. */
function MeasureModel({
  model: { unavailable, measureMs },
  onRun,
}: Pick<FigureSourceProps, 'onRun'> & { readonly model: Model }) {
  if (unavailable !== null) return <p>{unavailable} Nothing can be measured here.</p>;
  return onRun && <TextButton onClick={onRun}>measure all: about {duration(measureMs)}</TextButton>;
}

/** The end of the note if some rows have times of whole tokens, with the recorded device; '' if none has. */
function wholeText({ rows, visibleDevice }: Pick<ComparedFormats, 'rows' | 'visibleDevice'>): string {
  if (rows.every(({ tokenNs }) => tokenNs === null)) return '';
  const recorded = recordedDevice(visibleDevice.device.name);
  return `, except where whole tokens are listed${recorded === null ? '' : `, recorded on an ${recorded}`}`;
}

/** Which times were not measured on the current device, as text; null if none is missing. */
function missingTimesText({ visibleDevice: { device }, rows, model, a, tokens }: ComparedFormats): string | null {
  if (tokens > 1 && hasOnlyBounds(device)) return `The time of ${tokens} tokens has to be measured.`;
  if (hasOnlyBounds(device) || device.kind === 'this') return null;
  if (rows.some(({ measuredNs }) => measuredNs !== null)) return null;
  const view = model && a && model.viewOf(a);
  if (view && view.measuredShapes > 0) {
    return `Timed: ${view.measuredShapes} of ${view.lines.length} shapes in ${a.format.title}.`;
  }
  return model ? 'Not timed on this device.' : 'No times for this matrix.';
}

/** Buttons that save the table as files. */
function Exports({ compared }: { readonly compared: ComparedFormats }) {
  const save = (kind: 'svg' | 'csv' | 'json'): void => {
    void import('./compare-files.ts').then(({ saveTable }) => saveTable(compared, kind));
  };
  return (
    <p className="flex gap-3">
      {(['svg', 'csv', 'json'] as const).map((kind) => (
        <TextButton key={kind} aria-label={`Save the table as ${kind.toUpperCase()}`} onClick={() => save(kind)}>
          {kind.toUpperCase()}
        </TextButton>
      ))}
    </p>
  );
}
