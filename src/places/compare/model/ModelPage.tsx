import './model.css';
import { Fragment, useCallback, useEffect, useRef } from 'react';
import { QuestionFrame } from '../../../kit/frame/QuestionFrame.tsx';
import { useOwnRun, useShell } from '../../../kit/frame/shell-context.ts';
import { Answer } from '../../../kit/frame/Answer.tsx';
import { LayerBars } from './LayerBars.tsx';
import { MemoryBars } from './MemoryBars.tsx';
import { modelExports } from './model-exports.ts';
import { answerWords } from './model-view.ts';
import { paramsText } from './model-words.ts';
import { ModelFacts } from './ModelFacts.tsx';
import { ModelForm } from './ModelForm.tsx';
import { TokensChart } from './TokensChart.tsx';
import { useModel } from './use-model.ts';
import { density } from '../../../kit/words/quantity.ts';
import { useSession } from '../../../kit/app-context.ts';
import { DeviceBar } from '../../../kit/devices/DeviceBar.tsx';
import { isBound } from '../../../state/devices/device.ts';
import type { ModelPageState } from './use-model.ts';

/** A whole model: its size, the time of its matrices per token, and what limits them. */
export function ModelPage({ wide }: { readonly wide: boolean }) {
  const state = useModel();
  const latest = useRef(state.measure);
  useEffect(() => {
    latest.current = state.measure;
  });
  useOwnRun(useCallback(() => latest.current(), []));
  const { theme } = useShell();
  const isRunning = useSession((s) => s.bench.running !== null);
  const { view, format, shownParams, title } = state;
  const { model, storage, tokens } = view;
  const about = [
    model.name,
    `density ${density(storage.density, 2)}`,
    `${format.title}, ${paramsText(format, shownParams)}`,
    tokens === 1 ? 'one token at a time' : `a prompt of ${tokens} tokens`,
    ...(view.measuredShapes > 0 && state.device !== null ? [state.device] : []),
  ].join(' · ');
  const answer = (
    <>
      <Answer about={about} words={answerWords(view, title)} exports={modelExports(state, theme)} />
      <DeviceBar shown={state.shown} onMeasure={isRunning ? null : state.measure} lacks={<Lacks state={state} />} />
      <LayerBars state={state} />
      <MemoryBars state={state} />
      <TokensChart state={state} />
    </>
  );
  const form = <ModelForm state={state} />;
  const facts = <ModelFacts state={state} />;
  return (
    <QuestionFrame
      wide={wide}
      name="Answer"
      className="model"
      narrow="left first"
      leastCentre={460}
      left={{ name: 'Model', width: 'Width of the choices', least: 220, most: 420, content: form }}
      right={{ name: 'Facts', width: 'Width of the facts', least: 220, most: 420, content: facts }}
    >
      {answer}
    </QuestionFrame>
  );
}

/** What the device was not measured for, and for what it was. */
function Lacks({ state: { view, shown, densities, title, choose } }: { readonly state: ModelPageState }) {
  const { device } = shown;
  const { measuredShapes, lines, tokens, storage } = view;
  if (isBound(device))
    return tokens === 1 ? null : 'How long a prompt takes has to be measured: bytes alone cannot say.';
  if (device.kind === 'this' || measuredShapes === lines.length) return null;
  const of = tokens === 1 ? '' : ` for ${tokens} tokens`;
  return (
    <>
      {measuredShapes === 0
        ? `It has no times of ${title} at density ${density(storage.density, 2)}${of}.`
        : `It has times of ${measuredShapes} of ${lines.length} shapes in ${title} at density ${density(storage.density, 2)}${of}.`}
      {densities.length > 0 && ' Measured: '}
      {densities.map((at, i) => (
        <Fragment key={at}>
          {i > 0 && ', '}
          <button type="button" className="text-button" onClick={() => choose({ density: at })}>
            {density(at, 2)}
          </button>
        </Fragment>
      ))}
      {densities.length > 0 && '.'}
    </>
  );
}
