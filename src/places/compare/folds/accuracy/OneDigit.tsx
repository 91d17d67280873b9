import { useEffect, useRef, useState } from 'react';
import type { AnyListedFormat } from '../../../../core/format.ts';
import { counted } from '../../../../core/story/words.ts';
import { largest } from '../../../../core/number/statistics.ts';
import type { DigitAnswer, LayerActivations, NetworkChoice } from '../../service/network/types.ts';
import { useApp, useDocument } from '../../../../kit/app-context.ts';
import { NumberInput } from '../../../../kit/controls/NumberInput.tsx';
import { useShell } from '../../../../kit/frame/shell-context.ts';
import { EDGE, emptyDrawing } from './drawing.ts';
import type { NetworkChoices } from './fields.ts';
import { NETWORK_PATH } from './network-runs.ts';
import { paintCells } from './paint-cells.ts';
import { PixelPad } from './PixelPad.tsx';
import { pruningAt, pruningText, valueTypesOf } from './plan.ts';
import type { explore } from '../../service/service.ts';
import { SectionHead } from '../../../../kit/controls/Section.tsx';

export interface OneDigitProps {
  readonly chosen: NetworkChoices;
  readonly choose: (changed: Partial<NetworkChoices>) => void;
  readonly at: number;
  readonly format: AnyListedFormat;
  /** a benchmark is running */
  readonly busy: boolean;
  readonly titleOf: (format: string) => string;
}

const NO_PIXELS = new Float32Array(EDGE * EDGE);

/** One digit, a test image or a drawing, through the whole and the pruned network, layer by layer. */
export function OneDigit({ chosen, choose, at, format, busy, titleOf }: OneDigitProps) {
  const params = useDocument((doc) => doc.params[format.id]);
  const [drawn, setDrawn] = useState<Float32Array | null>(null);
  const way = chosen.prune[0];
  const pruning = way === undefined ? null : pruningAt(way, at);
  const choice: NetworkChoice = {
    format: format.id,
    params: { ...params, valueType: valueTypesOf(format)[0] },
    pruning,
    layers: chosen.layers,
    where: 'cpu',
  };
  const { answer, error } = useDigit(drawn, chosen.image, choice, busy);
  const pixels = drawn ?? answer?.pixels ?? NO_PIXELS;
  const pruned = answer && !('refused' in answer.pruned) ? answer.pruned : null;
  return (
    <section className="network-digit" aria-label="One digit">
      <SectionHead
        level={3}
        title="One digit"
        caption={`through every layer, whole and pruned: ${titleOf(format.id)}, ${pruningText(pruning)}`}
      />
      <div className="digit-row">
        <div className="digit-input">
          <PixelPad pixels={pixels} onDraw={setDrawn} onClear={() => setDrawn(emptyDrawing())} />
          <div className="digit-choice">
            <NumberInput
              label="test image"
              whole
              min={0}
              max={3999}
              value={chosen.image}
              onChange={(image) => {
                setDrawn(null);
                choose({ image });
              }}
            />
            <button type="button" className="button" onClick={() => setDrawn(emptyDrawing())}>
              Draw your own
            </button>
          </div>
          <p className="field-hint">Draw with a pointer, a finger or the arrow keys: Shift draws, Space sets a dot.</p>
        </div>
        <div className="digit-answers">
          <p className="digit-words" role="status">
            {error ?? (answer ? digitWords(answer) : 'Reading the network …')}
          </p>
          {answer && 'refused' in answer.pruned && <p className="field-error">{answer.pruned.refused}</p>}
          {answer && (
            <div className="digit-layers">
              <Activations title="whole" layers={answer.whole} scaleOf={answer.whole} />
              {pruned && <Activations title="pruned" layers={pruned} scaleOf={answer.whole} />}
            </div>
          )}
        </div>
      </div>
    </section>
  );
}

/** The answers of both networks, in a sentence. */
function digitWords({ whole, pruned, label }: DigitAnswer): string {
  const drawn = label === null ? '' : `, and it is a ${label}`;
  const first = answerOf(whole);
  if ('refused' in pruned) return `The whole network reads a ${first}${drawn}.`;
  const second = answerOf(pruned);
  return first === second
    ? `Both networks read a ${first}${drawn}.`
    : `The whole network reads a ${first}, the pruned one a ${second}${drawn}.`;
}

/** The digit with the largest score. */
function answerOf(layers: readonly LayerActivations[]): number {
  const scores = layers.at(-1)?.values ?? new Float32Array(1);
  return scores.indexOf(largest(scores));
}

/** The answer to an image; only the newest request counts, even while an older one is pending. */
function useDigit(
  drawn: Float32Array | null,
  image: number,
  choice: NetworkChoice,
  busy: boolean,
): { readonly answer: DigitAnswer | null; readonly error: string | null } {
  const { engine } = useApp();
  const [state, setState] = useState<{ readonly answer: DigitAnswer | null; readonly error: string | null }>({
    answer: null,
    error: null,
  });
  const asked = useRef(0);
  const asking = useRef<Promise<unknown>>(Promise.resolve());
  const key = JSON.stringify(choice);
  useEffect(() => {
    if (busy) return;
    const mine = ++asked.current;
    const request = JSON.parse(key) as NetworkChoice;
    asking.current = asking.current.then(async () => {
      // A hundred requests may arrive during one; only the last counts.
      if (mine !== asked.current) return;
      try {
        const answer = await engine.service<typeof explore>('explore').digit(
          {},
          {
            url: new URL(NETWORK_PATH, document.baseURI).href,
            image: drawn ? { pixels: drawn } : { test: image },
            choice: request,
          },
        );
        if (mine === asked.current) setState({ answer, error: null });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (mine === asked.current) setState((before) => ({ ...before, error: `${message.replace(/\.$/, '')}.` }));
      }
    });
  }, [engine, drawn, image, key, busy]);
  return state;
}

const COLS = 32;

interface ActivationsProps {
  readonly title: string;
  readonly layers: readonly LayerActivations[];
  /** the same layers of the network that sets the scale, so that both can be compared */
  readonly scaleOf: readonly LayerActivations[];
}

/** Each layer's output: hidden neurons as cells, a score for each digit as bars. */
function Activations({ title, layers, scaleOf }: ActivationsProps) {
  const hidden = layers.slice(0, -1);
  const scores = layers.at(-1)?.values ?? new Float32Array(0);
  const best = scores.indexOf(largest(scores));
  const [low, high] = [Math.min(...scores), Math.max(...scores)]; // bounded: ten digits
  return (
    <div className="digit-network">
      <h4 className="network-sub">{title}</h4>
      {hidden.map((layer, k) => (
        <Cells key={layer.name} layer={layer} most={largest(scaleOf[k].values, 0)} />
      ))}
      <ol className="digit-scores" aria-label={`Scores, ${title}`}>
        {Array.from(scores, (score, digit) => (
          // oxlint-disable-next-line react/no-array-index-key -- the index is the digit
          <li key={digit} data-best={digit === best ? '' : undefined}>
            <span className="number">{digit}</span>
            <span className="digit-bar">
              <span style={{ width: `${high > low ? (100 * (score - low)) / (high - low) : 0}%` }} />
            </span>
            <span className="number faint">{score.toFixed(1).replace('-', '−')}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Cells({ layer: { name, values }, most }: { readonly layer: LayerActivations; readonly most: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { theme } = useShell();
  useEffect(() => {
    if (canvas.current) paintCells(canvas.current, values, COLS, most);
  }, [values, most, theme]);
  const fired = values.reduce((sum, value) => sum + (value > 0 ? 1 : 0), 0);
  const words = `${name}: ${fired} of ${counted(values.length, 'neuron')} fire`;
  return (
    <figure className="digit-cells">
      <canvas ref={canvas} role="img" aria-label={words} />
      <figcaption className="faint">{words}</figcaption>
    </figure>
  );
}
