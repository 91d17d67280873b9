import { type ReactNode, useMemo, useState } from 'react';
import { counted, countText } from '../../../core/story/words.ts';
import { useDocument, useSession } from '../../../kit/app-context.ts';
import { type ChoiceFields, useChoices } from '../../../kit/browser/choices.ts';
import { saveText } from '../../../kit/browser/save-blob.ts';
import { figuresCsv } from '../../../kit/charts/chart-csv.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { NumberInput } from '../../../kit/controls/NumberInput.tsx';
import { SelectField } from '../../../kit/controls/Select.tsx';
import { LiveSlider } from '../../../kit/forms/LiveSlider.tsx';
import { Answer } from '../../../kit/frame/Answer.tsx';
import { bytes, percent } from '../../../kit/words/quantity.ts';
import type { Reading } from '../address.ts';
import type { Draft } from '../kernel-drafts/draft.ts';
import { numberOf } from '../kernel-drafts/draft.ts';
import { type ListedKernel, mainFile } from '../kernel-list.ts';
import { PartButton } from '../PartButton.tsx';
import type { MemoryAnswer, MemoryRequest } from '../service/drafts/draft-types.ts';
import type { KernelReading, ReadPass } from '../service/kernel-reading-types.ts';
import type { ReadingState } from '../use-reading.ts';
import { LaneLinks } from './LaneLinks.tsx';
import type { MemoryChoices } from './memory-choices.ts';
import { usedShare } from './memory-words.ts';
import { useWatched } from './use-loads.ts';
import {
  cutText,
  elementsText,
  firstSubgroup,
  kindOf,
  loadsFrom,
  shownArray,
  watchedPicture,
  watchedWords,
  workgroupsOf,
} from './watched.ts';

export interface WatchedPartProps {
  readonly listed: ListedKernel;
  readonly draft: Draft | null;
  readonly reading: ReadingState;
  readonly fields: ChoiceFields<MemoryChoices>;
  /** back to the code, or to a line of it */
  readonly onCode: (at?: Pick<Reading, 'file' | 'line'>) => void;
  readonly outcome: ReactNode;
}

/** What one workgroup of a kernel without a model, or of a draft, loads: seen on this device, where it can be. */
export function WatchedPart({ listed, draft, reading, fields, onCode, outcome }: WatchedPartProps) {
  const name = useSession((s) => s.summary?.name ?? 'the matrix');
  const problem = useProblem(listed.kernel.id, reading);
  const what = draft ? `draft ${numberOf(draft)} of ${listed.kernel.id}, ${draft.name}` : listed.kernel.id;
  const about = `${what} · what one workgroup loads, on ${name}`;
  return (
    <div className="memory-part">
      <div className="draft-tools">
        <PartButton onClick={() => onCode()}>Code</PartButton>
      </div>
      {reading.kind === 'there' && problem === null ? (
        <Watchable kernel={reading.reading} {...{ listed, draft, fields, about, onCode }} />
      ) : (
        <Answer about={about} words={[{ text: problem ?? 'Reading the kernel …' }]} />
      )}
      {outcome}
    </div>
  );
}

/** Why a kernel cannot be watched here, as a sentence; null while it can be, or is still being read. */
function useProblem(id: string, reading: ReadingState): string | null {
  const device = useSession((s) => s.device);
  const isRunning = useSession((s) => s.bench.running !== null);
  if (device?.kind === 'unavailable') {
    return `The loads of ${id} can only be seen on a GPU, and there is none: ${device.reason.replace(/\.$/, '')}.`;
  }
  if (isRunning) return `A benchmark is running: ${id} can be watched when it has ended.`;
  if (reading.kind === 'failed') return reading.reason;
  if (reading.kind === 'waiting') return null;
  const { standIn, refusal } = reading.reading;
  if (standIn !== null) return `${id} cannot be watched on this matrix: ${standIn}.`;
  return refusal === null ? null : `This device cannot run ${id}: it ${refusal}.`;
}

interface WatchableProps extends Pick<WatchedPartProps, 'listed' | 'draft' | 'fields' | 'onCode'> {
  readonly kernel: KernelReading;
  readonly about: string;
}

function Watchable({ listed, draft, fields, onCode, kernel, about }: WatchableProps) {
  const { id } = listed.kernel;
  const onPage = useDocument((doc) => doc.params[listed.format.id]);
  const device = useSession((s) => s.device);
  const isSoftware = device?.kind === 'ready' && device.environment.isFallback;
  const [values, choose] = useChoices(fields);
  const { passes, sizes } = kernel;
  const pass = Math.min(values.pass, passes.length) - 1;
  const workgroups = workgroupsOf(passes[pass]);
  const workgroup = Math.min(values.workgroup, workgroups - 1);
  const request = useMemo((): MemoryRequest => {
    const { files, overrides } = draft ?? { files: {}, overrides: {} };
    return { kernel: id, params: draft?.params ?? onPage, files, overrides, sizes, workgroup, pass };
  }, [id, draft, onPage, sizes, workgroup, pass]);
  // A draft runs when a person asks for it, and a software adapter can take minutes.
  const [asked, watching] = useWatched(request, device?.kind === 'ready' && !isSoftware && draft === null);
  const answer = asked?.kind === 'there' ? asked.answer : null;
  const array = answer && shownArray(answer.arrays, values.array);
  const isStrange = draft !== null && draft.from !== 'here';
  return (
    <>
      <Answer
        about={about}
        words={
          answer
            ? watchedWords(answer, array)
            : [
                {
                  text: `${draft ? 'What a draft loads is not modelled' : `${id} has no model of its loads`}; a copy of it can be watched on this device.`,
                },
              ]
        }
        exports={
          answer
            ? [
                {
                  label: 'CSV',
                  title: 'Save what the workgroup loads as CSV',
                  save: () => saveText('sparsescope-loads.csv', watchedCsv(answer), 'text/csv'),
                },
              ]
            : []
        }
      />
      <div className="memory-controls">
        {passes.length > 1 && (
          <SelectField
            label="Pass"
            value={pass}
            options={passes.map((one, i) => ({ value: i, label: `${i + 1}. ${mainFile(one).path}` }))}
            onChange={(next) => choose({ pass: next + 1, workgroup: 0, subgroup: -1, load: 1 })}
          />
        )}
        <NumberInput
          key={pass}
          label={`Workgroup, 0 to ${countText(workgroups - 1)}`}
          value={workgroup}
          min={0}
          max={workgroups - 1}
          whole
          onChange={(next) => choose({ workgroup: next, subgroup: -1, load: 1 })}
        />
        {answer && array && (
          <SelectField
            label="Loads of"
            value={array.name}
            options={answer.arrays.map((one) => ({ value: one.name, label: one.name }))}
            onChange={(next) => choose({ array: next, subgroup: -1, load: 1 })}
          />
        )}
      </div>
      {asked?.kind === 'failed' && <p role="alert">{asked.reason}</p>}
      {asked?.kind === 'waiting' && asked.job && <JobProgress job={asked.job} onCancel={watching.cancel} />}
      {(asked === null || asked.kind === 'failed') && (
        <p className="memory-watch">
          <button type="button" className="button button--solid" onClick={watching.watch}>
            {isStrange ? 'Watch somebody’s code' : asked === null ? 'Watch it' : 'Try again'}
          </button>{' '}
          {isSoftware && (
            <span className="quiet">
              This is a software adapter: compiling the copy may be a matter of seconds or of minutes.
            </span>
          )}
        </p>
      )}
      {answer && array && (
        <Seen key={array.name} {...{ id, answer, array, onCode }} pass={passes[pass]} values={values} choose={choose} />
      )}
      <p className="quiet memory-note">
        Seen on this device by a copy of the kernel that writes down its addresses, for one workgroup; no model is
        involved. Lanes that reach a load together are assumed to make it together, and a load of one component counts
        as one of its whole element. {answer && cutText(answer)}
      </p>
    </>
  );
}

interface SeenProps {
  readonly id: string;
  readonly answer: MemoryAnswer;
  readonly array: MemoryAnswer['arrays'][number];
  readonly pass: ReadPass;
  readonly values: MemoryChoices;
  readonly choose: (changed: Partial<MemoryChoices>) => void;
  readonly onCode: WatchedPartProps['onCode'];
}

/** One load of one subgroup as a picture, and what all loads of the workgroup cost. */
function Seen({ id, answer, array, pass, values, choose, onCode }: SeenProps) {
  const { subgroups, trace } = answer;
  const first = useMemo(() => firstSubgroup(answer, array.name), [answer, array.name]);
  const subgroup = values.subgroup < 0 ? first : Math.min(values.subgroup, subgroups - 1);
  const loads = useMemo(() => loadsFrom(answer, subgroup, array.name), [answer, subgroup, array.name]);
  const [moved, setMoved] = useState<number | null>(null);
  const number = Math.min(moved ?? values.load, loads.length);
  const step = loads.at(number - 1);
  const picture = useMemo(() => step && watchedPicture(trace.sites[step.site], step), [trace, step]);
  const site = step && trace.sites[step.site];
  return (
    <>
      <div className="memory-controls">
        <div className="memory-slider">
          {subgroups > 1 && (
            <LiveSlider
              label="Subgroup"
              value={subgroup}
              min={0}
              max={subgroups - 1}
              step={1}
              format={(value) => `${countText(value)} of 0 to ${countText(subgroups - 1)}`}
              onChange={(next) => choose({ subgroup: next, load: 1 })}
            />
          )}
        </div>
        <div className="memory-slider">
          {loads.length > 1 && (
            <LiveSlider
              label="Load"
              value={Math.min(values.load, loads.length)}
              min={1}
              max={loads.length}
              step={1}
              format={(value) => `${countText(value)} of ${countText(loads.length)}`}
              onMove={setMoved}
              onChange={(next) => {
                setMoved(null);
                choose({ load: next });
              }}
            />
          )}
        </div>
      </div>
      <div className="memory-columns">
        <section className="memory-seen" aria-label={`Loads of ${array.name}`}>
          {site === undefined ? (
            <p className="quiet">{`Subgroup ${countText(subgroup)} loads nothing from ${array.name}.`}</p>
          ) : (
            <>
              <p className="memory-who">
                Subgroup {countText(subgroup)}. Number {countText(number)} of {countText(loads.length)} loads of{' '}
                {array.name}, in{' '}
                <button
                  type="button"
                  className="text-button"
                  onClick={() => onCode({ file: site.file, line: site.line })}
                >
                  line {countText(site.line)} of {site.file}
                </button>
                .
              </p>
              {picture ? (
                <LaneLinks
                  id={`lanes-${id.replace('/', '-')}`}
                  title={`${id}: number ${number} of its loads of ${array.name}, subgroup ${subgroup}`}
                  caption={`${counted(picture.links.length, 'lane')} ask for ${site.elementBytes} bytes each of ${array.name}: ${counted(picture.rows.length, array.space === 'storage' ? 'line' : 'turn')}.`}
                  picture={picture}
                  kind={kindOf(pass, array.name)}
                  whatAt={(byte, words) => elementsText(site, byte, words)}
                />
              ) : (
                <p className="quiet">The size of its elements is not known, so there is no picture.</p>
              )}
            </>
          )}
        </section>
        <ArrayTable answer={answer} shown={array.name} />
      </div>
    </>
  );
}

/** What the whole workgroup loads, array by array. */
function ArrayTable({ answer, shown }: { readonly answer: MemoryAnswer; readonly shown: string }) {
  return (
    <table className="table memory-arrays">
      <caption className="unseen">What workgroup {answer.workgroup} loads, by array</caption>
      <thead>
        <tr>
          <th scope="col">Array</th>
          <th scope="col" className="number">
            Loads
          </th>
          <th scope="col" className="number">
            Lines or turns
          </th>
          <th scope="col" className="number">
            Bytes asked for
          </th>
          <th scope="col" className="number" title="Bytes asked for, as a share of those in the lines or turns">
            Used
          </th>
        </tr>
      </thead>
      <tbody>
        {answer.arrays.map(({ name, space, loads, cost, usedBytes }) => (
          <tr key={name} aria-current={name === shown ? 'true' : undefined}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td className="number">{countText(loads)}</td>
            <td className="number">{cost === null ? '–' : counted(cost, space === 'storage' ? 'line' : 'turn')}</td>
            <td className="number">{usedBytes === null ? '–' : bytes(usedBytes)}</td>
            <td className="number">
              {cost === null || usedBytes === null ? '–' : percent(usedShare({ cost, usedBytes }), 0)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function watchedCsv({ kernel, pass, workgroup, subgroup, arrays }: MemoryAnswer): string {
  return figuresCsv({
    head: [
      'kernel',
      'pass',
      'workgroup',
      'lanes of a subgroup',
      'array',
      'memory',
      'loads',
      'lanes that ask',
      'bytes of an element',
      'lines or turns',
      'bytes used',
    ],
    rows: arrays.map(({ name, space, loads, asked, elementBytes, cost, usedBytes }) => ({
      name: kernel,
      cells: [],
      values: [kernel, pass + 1, workgroup, subgroup, name, space, loads, asked, elementBytes, cost, usedBytes],
    })),
  });
}
