import './roofline.css';
import { useCallback, useId, useMemo } from 'react';
import type { AnyListedFormat } from '../../../core/format.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { paramsToRun } from '../../../state/bench-form.ts';
import { SEED } from '../../../state/first-form.ts';
import { REFERENCE_FORMAT } from '../../../state/reference-format.ts';
import { useTitleOf } from '../../../kit/report/use-title-of.ts';

import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { shape } from '../../../kit/words/quantity.ts';
import { saveText } from '../../../kit/browser/save-blob.ts';
import { QuestionFrame } from '../../../kit/frame/QuestionFrame.tsx';
import { Boundary } from '../../../kit/frame/Boundary.tsx';
import { useOwnRun } from '../../../kit/frame/shell-context.ts';
import { isBound } from '../../../state/devices/device.ts';
import { TRAIL_TOKENS } from '../../../theory/roofline/roofs.ts';
import type { BenchRequest } from '../../../engine/bench/bench-types.ts';
import { Answer } from '../../../kit/frame/Answer.tsx';
import { RoofChart } from './RoofChart.tsx';
import { RoofSide } from './RoofSide.tsx';
import { DeviceBar } from '../../../kit/devices/DeviceBar.tsx';
import { isTimed } from './roof-devices.ts';
import { RoofSteps } from './RoofSteps.tsx';
import { roofSentence, tokensText } from './roof-words.ts';
import { type Roofline, useRoofline } from './use-roofline.ts';

const ROUNDS = 12;

/** Why bytes decide: every measured kernel beneath the device's roofs, or predictions from the roofs alone. */
export function RooflinePage({ wide }: { readonly wide: boolean }) {
  const roofline = useRoofline();
  const titleOf = useTitleOf();
  const { choices, subject, device, point, dense } = roofline;
  const { tokens } = choices;
  const measure = useMeasure();
  const { release } = roofline.on;
  const { session, announce } = useApp();
  const gpu = useSession((s) => s.device?.kind === 'ready');
  const running = useSession((s) => s.bench.running);
  const run = useCallback(() => {
    if (gpu) {
      release();
      measure.run(tokens);
    } else announce('Kernels are measured only on a GPU: without WebGPU, every time here is a prediction.');
  }, [measure, release, tokens, gpu, announce]);
  useOwnRun(run);
  const isMeasured = isTimed(device);
  const answer = (
    <Answer
      about={
        subject === null
          ? 'no matrix'
          : `${subject.title}, ${shape(subject.rows, subject.cols)} · ${tokens === 1 ? 'y = A x' : 'Y = X Aᵀ'}, ${tokensText(tokens)} · ${device.name}`
      }
      words={roofSentence(point, dense, { subject, roofs: device.roofs, device: device.name, isMeasured, titleOf })}
      exports={[{ label: 'JSON', title: 'Save the roofs and all kernels as JSON', save: () => saveJson(roofline) }]}
    />
  );
  const main = (
    <>
      {answer}
      <DeviceBar shown={roofline.on} onMeasure={gpu && running === null ? run : null} lacks={lacksText(roofline)} />
      {running && (
        <div className="roof-running">
          <JobProgress job={running.job} onCancel={() => session.cancelBench()} />
        </div>
      )}
      <Boundary name="The roof" follows={`${device.id} ${subject?.key} ${tokens}`}>
        <RoofChart roofline={roofline} />
      </Boundary>
      <Tokens roofline={roofline} />
      {gpu && (
        <p className="roof-note">
          Run measures every format with {tokensText(tokens)}.{' '}
          <button
            type="button"
            className="text-button"
            aria-disabled={running !== null}
            onClick={running === null ? measure.trail : undefined}
          >
            Measure dense for 1 to 2048 tokens
          </button>
        </p>
      )}
    </>
  );
  const side = <RoofSide roofline={roofline} onMeasure={gpu ? measure.roofs : null} />;
  const steps = <RoofSteps roofline={roofline} />;
  return (
    <QuestionFrame
      wide={wide}
      name="Roofline"
      className="roof"
      narrow="right first"
      leastCentre={420}
      left={{ name: 'Matrix, kernels and roofs', width: 'Width of the choices', least: 220, most: 480, content: side }}
      right={{
        name: 'The arithmetic of one kernel',
        width: 'Width of the arithmetic',
        least: 240,
        most: 480,
        content: steps,
      }}
    >
      {main}
    </QuestionFrame>
  );
}

/** Why there is no time of this device for what is shown; null where there is one, and where nothing is timed on it. */
function lacksText({ on, device, measured, subject }: Roofline): string | null {
  if (on.device.roofs === null) return `Nothing is known of it yet: the roofs are those of ${device.name}.`;
  if (isBound(on.device) || measured.length > 0 || subject === null) return null;
  return `This matrix was not timed on it: every time is a prediction${on.device.reports.length > 0 ? '; choose one of its matrices for measured ones' : ''}.`;
}

/** The number of tokens that share one read of the weights: a slider with the stops of trails. */
function Tokens({ roofline: { choices, choose, stops } }: { readonly roofline: Roofline }) {
  const id = useId();
  const at = Math.max(0, stops.indexOf(choices.tokens));
  return (
    <div className="roof-tokens">
      <label htmlFor={id}>
        tokens <span>at once</span>
      </label>
      <div>
        <input
          id={id}
          type="range"
          min={0}
          max={stops.length - 1}
          step={1}
          value={at}
          aria-valuetext={tokensText(choices.tokens)}
          onChange={(event) => choose({ tokens: stops[Number(event.currentTarget.value)] })}
        />
        <div className="roof-stops" aria-hidden="true">
          {stops.map((stop) => (
            <span key={stop} data-current={stop === choices.tokens ? '' : undefined}>
              {stop}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

interface Measure {
  readonly run: (tokens: number) => void;
  /** the roofs, along with dense */
  readonly roofs: () => void;
  /** dense for every count of tokens of a trail */
  readonly trail: () => void;
}

/** This page's measurements, on the matrix on the stage. The same object during the page's life. */
function useMeasure(): Measure {
  const { session, formats, document } = useApp();
  return useMemo(() => {
    const request = (
      operation: string,
      tokens: number,
      wanted: (format: AnyListedFormat) => boolean = () => true,
    ): BenchRequest => {
      const { params } = document.getState();
      return {
        operation,
        sizes: operation === 'spmv' ? {} : { tokens },
        workload: { kind: 'stage' },
        entries: formats
          .filter((f) => wanted(f) && f.kernels.some((kernel) => kernel.operation === operation))
          .map((f) => ({ format: f.id, params: paramsToRun(f, { operation }, params[f.id] ?? {}), kernels: 'auto' })),
        memory: 'cold',
        rounds: ROUNDS,
        seed: SEED,
        where: 'gpu',
      };
    };
    const isReference = ({ id }: AnyListedFormat): boolean => id === REFERENCE_FORMAT;
    return {
      run: (tokens) => void session.runBench(request(tokens === 1 ? 'spmv' : 'gemm', tokens)),
      roofs: () => void session.runBench(request('spmv', 1, isReference)),
      trail: () =>
        void session.runSweep(request('gemm', 1, isReference), { of: 'size', name: 'tokens', values: TRAIL_TOKENS }),
    };
  }, [session, formats, document]);
}

function saveJson({ device, subject, choices, shown, measured }: Roofline): void {
  const figures = {
    device: { name: device.name, by: device.by, source: device.source, ...device.roofs },
    matrix: subject,
    tokens: choices.tokens,
    kernels: [...new Set([...shown, ...measured])],
  };
  saveText('sparsescope-roofline.json', `${JSON.stringify(figures, null, 2)}\n`, 'application/json');
}
