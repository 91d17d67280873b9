import './side-by-side.css';
import { useId } from 'react';
import { listText } from '../../../../core/story/words.ts';
import { referenceFormat } from '../../../../formats/catalog.ts';
import { useApp, useDocument } from '../../../../kit/app-context.ts';
import { figuresCsv } from '../../../../kit/charts/chart-csv.ts';
import { FiguresTable } from '../../../../kit/charts/FiguresTable.tsx';
import { AnswerHead } from '../../../../kit/frame/Answer.tsx';
import { Newer, TypedFields } from '../../../../kit/devices/DeviceBar.tsx';
import { DeviceLabel } from '../../../../kit/devices/DeviceLabel.tsx';
import { DeviceSelect } from '../../../../kit/devices/DeviceSelect.tsx';
import { saveText } from '../../../../kit/browser/save-blob.ts';
import { nameAndShape } from '../../../../kit/words/quantity.ts';
import { useChoices } from '../../../../kit/browser/choices.ts';
import { useLeft } from '../../curves/left.ts';
import { FORMS_FIELDS } from '../../curves/curve-choices.ts';
import { useCurveChoices } from '../../curves/use-curve-choices.ts';
import { usePublished } from '../../curves/use-published.ts';
import { useDensity } from '../../curves/use-curves.ts';
import type { FoldProps } from '../fold.ts';
import { LEAST_SIDES, MOST_SIDES, SIDE_FIELD } from './side-choice.ts';
import { changesText, sideFigures, sideSentence } from './side-words.ts';
import { formatAsked } from './sides.ts';
import { Turnover } from './Turnover.tsx';
import { type SidesOfPage, useSides } from './use-sides.ts';
import { WhyChart } from './WhyChart.tsx';

/** Where the ranking of formats turns over on two to six devices, and why. */
export function SideBySide({ wide }: FoldProps) {
  const left = useLeft();
  const [chosen] = useChoices(FORMS_FIELDS);
  const [{ side }, choose] = useChoices(SIDE_FIELDS);
  const choices = useCurveChoices(chosen, left);
  const density = useDensity(choices);
  const { formats } = useApp();
  const wanted = useDocument((doc) => doc.format);
  const published = usePublished(formats);
  const found = useSides(side, density, choices.formats, published);
  const { sides, loading, problem, retry } = found;
  const { question } = density;
  const asked = formatAsked(sides, wanted);
  const format = formats.find(({ id }) => id === asked) ?? null;
  const { title: reference } = referenceFormat;
  const figures = sideFigures(sides, format, reference);
  const shown = sides.flatMap((one) => one.figures);
  return (
    <div className="side-body">
      <AnswerHead
        about={`${nameAndShape({ ...question, name: 'uniform' })}, ${question.valueType} · y = A x, one token, cold · ${sides.length} devices`}
        words={sideSentence(sides, format, reference)}
        exports={[
          {
            label: 'CSV',
            title: 'Save the devices side by side as CSV',
            save: () => saveText('sparsescope-side-by-side.csv', figuresCsv(figures), 'text/csv'),
          },
        ]}
      />
      <ChosenDevices found={found} onChoose={(ids) => choose({ side: ids })} />
      {loading.length > 0 && (
        <p className="field-hint" role="status">
          Loading the recording of {loading.join(' and ')} …
        </p>
      )}
      {problem !== null && (
        <p className="field-hint" role="alert">
          {problem}{' '}
          <button type="button" className="text-button" onClick={retry}>
            try again
          </button>
        </p>
      )}
      <Turnover sides={sides} scale={choices.axis} at={choices.at} />
      <FiguresTable caption="Devices side by side" {...figures} />
      <details className="disclosure">
        <summary>every density at which two formats change places</summary>
        <ul className="side-changes">
          {sides.map((one) => (
            <li key={one.device.id}>
              <b>{one.name}</b>: {changesText(one)}.
            </li>
          ))}
        </ul>
      </details>
      <WhyChart sides={sides} at={choices.at} reference={reference} wide={wide} />
      <ol className="side-changes" aria-label="Where their figures come from">
        {sides.map(({ device, name }) => (
          <li key={device.id}>
            <b>{name}</b>: <DeviceLabel device={device} />
            {device.changed !== undefined && device.changed.size > 0 && <Newer changed={[...device.changed]} />}
          </li>
        ))}
      </ol>
      {[...new Set(shown.map(({ source }) => source))].map((source) => {
        const own = shown.filter((one) => one.source === source);
        return (
          <p key={source} className="field-hint">
            {unique(own.map(({ title }) => title))} on {unique(own.flatMap(({ on }) => on ?? []))}: published by{' '}
            {source}.
          </p>
        );
      })}
    </div>
  );
}

const SIDE_FIELDS = { side: SIDE_FIELD };

function unique(words: readonly string[]): string {
  return listText([...new Set(words)]);
}

interface ChosenDevicesProps {
  readonly found: SidesOfPage;
  readonly onChoose: (ids: readonly string[]) => void;
}

/** The devices, each in a list of its own, from which it can be changed or removed. */
function ChosenDevices({ found: { sides, cards }, onChoose }: ChosenDevicesProps) {
  const id = useId();
  const devices = sides.map(({ device }) => device);
  const ids = devices.map((device) => device.id);
  const free = cards.filter((device) => !ids.includes(device.id));
  const [next] = free;
  const all = [...cards, ...devices.filter(({ kind }) => kind === 'typed')];
  return (
    <fieldset className="side-devices">
      <legend className="unseen">Devices side by side</legend>
      {devices.map((device, i) => {
        const change = (to: string): void => onChoose(ids.map((one, place) => (place === i ? to : one)));
        return (
          // A list keeps its focus while arrow keys or letters change its device.
          // oxlint-disable-next-line react/no-array-index-key -- the places are what stays
          <div key={i} className="side-device">
            <label htmlFor={`${id} ${i}`}>
              <span className="unseen">device </span>
              {i + 1}
            </label>
            <DeviceSelect
              id={`${id} ${i}`}
              device={device}
              devices={all.filter((one) => one.id === device.id || !ids.includes(one.id))}
              onChoose={change}
            />
            {ids.length > LEAST_SIDES && (
              <button
                type="button"
                className="text-button"
                aria-label={`Remove ${device.label}`}
                onClick={() => onChoose(ids.filter((one) => one !== device.id))}
              >
                remove
              </button>
            )}
            {device.kind === 'typed' && <TypedFields id={device.id} onChoose={change} />}
          </div>
        );
      })}
      {ids.length < MOST_SIDES && next && (
        <button type="button" className="button" onClick={() => onChoose([...ids, next.id])}>
          Add a device
        </button>
      )}
    </fieldset>
  );
}
