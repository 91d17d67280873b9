// The part of a kernel's page about the memory that its lanes load.

import { type ReactNode, useMemo, useState } from 'react';
import { capitalised, counted, countText } from '../../../../src/core/text/words.ts';
import { useApp, useDocument, useSession } from '../../../../src/kit/app-context.ts';
import { type ChoiceFields, numberChoice, textChoice, useChoices } from '../../../../src/kit/browser/choices.ts';
import { PageChoices } from '../../../../src/kit/browser/PageChoices.tsx';
import { saveText } from '../../../../src/kit/browser/save-blob.ts';
import { tableCsv } from '../../../../src/kit/charts/chart-csv.ts';
import { Button, TextButton } from '../../../../src/kit/controls/Button.tsx';
import { JobProgress } from '../../../../src/kit/controls/JobProgress.tsx';
import { NumberInput } from '../../../../src/kit/controls/NumberInput.tsx';
import { SelectField } from '../../../../src/kit/controls/Select.tsx';
import { LiveSlider } from '../../../../src/kit/forms/LiveSlider.tsx';
import { AnswerHeader } from '../../../../src/kit/frame/AnswerLine.tsx';
import { type WorkbenchFields, WORKBENCH_FIELDS } from '../address.ts';
import { type Draft, versionNumber } from '../kernel-drafts/draft.ts';
import { type ListedKernel, mainFile } from '../../../../src/pages/code/kernel-list.ts';
import { PartButton } from '../PartButton.tsx';
import type { MemoryAnswer, MemoryRequest } from '../service/drafts/draft-types.ts';
import type { KernelReading, VisiblePass } from '../../../../src/engine/kernel-reading/kernel-reading-types.ts';
import type { ReadingState } from '../../../../src/pages/code/use-reading.ts';
import { ArrayTable } from './ArrayTable.tsx';
import { LaneLinks } from './LaneLinks.tsx';
import {
  truncationText,
  elementsText,
  firstSubgroup,
  arrayColor,
  loadsFrom,
  chosenArray,
  loadPicture,
  loadWords,
  workgroupsOf,
} from './recorded-loads.ts';
import { type Job, useMatrixJob } from '../../../../src/kit/use-job.ts';
import type { draftService } from '../service/drafts/service.ts';

/** Time after which a typed number counts as complete, ms. */
const SETTLE_MS = 400;

/** Records the loads of one workgroup of a kernel on this device. `isManual`: only on request. */
function useRecordedLoads(request: MemoryRequest, isManual: boolean): Job<MemoryAnswer> {
  const { engine } = useApp();
  const drafts = engine.service<typeof draftService>('drafts');
  return useMatrixJob(['memory', request], (watch) => drafts.memory(watch, request), {
    title: `Watching workgroup ${request.workgroup} of ${request.kernel}`,
    manual: isManual,
    cancelWhenUnmounted: true,
    settleMs: SETTLE_MS,
  });
}

/** The choices for the picture of a kernel's loads, in the address. */
interface MemoryChoices {
  /** index in the workgroup; -1: the first one that loads from the array */
  readonly subgroup: number;
  /** number of the load of the array, from 1 */
  readonly load: number;
  /** index of the workgroup, from 0 */
  readonly workgroup: number;
  /** number of the kernel's pass, from 1 */
  readonly pass: number;
  /** the array whose loads are shown, by its name in the text; '' for the default one */
  readonly array: string;
}

const MEMORY_FIELDS: ChoiceFields<MemoryChoices> = {
  subgroup: numberChoice(-1, 2 ** 31 - 1, -1, true),
  load: numberChoice(1, 2 ** 31 - 1, 1, true),
  workgroup: numberChoice(0, 2 ** 31 - 1, 0, true),
  pass: numberChoice(1, 64, 1, true),
  array: textChoice(64),
};

/** CSS classes of a row of controls; consecutive rows form one block. */
const CONTROLS =
  'grid grid-cols-4 max-lg:grid-cols-2 items-end gap-x-5 gap-y-3 my-4 py-3 border-y border-hairline text-12 [&+&]:-mt-4 [&+&]:border-t-0';

export interface MemoryPartProps {
  readonly listed: ListedKernel;
  /** the changed copy of the kernel that is shown; null for the kernel itself */
  readonly draft: Draft | null;
  /** the kernel as compiled for the open matrix, with its passes, or why there is none */
  readonly reading: ReadingState;
  readonly onShow: (fields: Partial<WorkbenchFields>) => void;
  /** the draft's results; null on a wide page, which has a column for them */
  readonly outcome: ReactNode;
}

/** The page that shows which memory one workgroup of a kernel (or changed copy) loads, as recorded on this device. */
export function MemoryPart({ listed, draft, reading, onShow, outcome }: MemoryPartProps) {
  const name = useSession((s) => s.summary?.name ?? 'the matrix');
  const { id } = listed.kernel;
  const problem = useProblem(id, reading);
  const what = draft ? `draft ${versionNumber(draft)} of ${id}, ${draft.name}` : id;
  const about = `${what} · what one workgroup loads, on ${name}`;
  // With a draft, `onShow` keeps the kernel in the address.
  const kernelField = draft ? {} : { kernel: id };
  const otherFields = useMemo(
    (): Partial<WorkbenchFields> => ({ ...(draft === null && { kernel: id }), part: 'memory' }),
    [draft, id],
  );
  const onCode = (at: Partial<WorkbenchFields> = {}): void => onShow({ ...kernelField, ...at });
  return (
    <PageChoices page={WORKBENCH_FIELDS} otherFields={otherFields}>
      <div className="min-h-0 flex-1 overflow-auto max-lg:overflow-visible py-4 px-6 max-lg:px-0">
        <div className="draft-tools float-end ms-4 mb-2 max-lg:mx-0 max-lg:my-3 flex flex-wrap gap-2">
          <PartButton onClick={() => onCode()}>Code</PartButton>
        </div>
        {reading.kind === 'ready' && problem === null ? (
          <WatchedKernel key={draft?.id ?? id} kernel={reading.result} {...{ listed, draft, about, onCode }} />
        ) : (
          <AnswerHeader topic={about} words={[{ text: problem ?? 'Reading the kernel …' }]} />
        )}
        {outcome}
      </div>
    </PageChoices>
  );
}

/** Why the loads of a kernel cannot be recorded here, as a message; null if they can, or if it is still being read. */
function useProblem(id: string, reading: ReadingState): string | null {
  const device = useSession((s) => s.device);
  const isRunning = useSession((s) => s.bench.running !== null);
  if (device?.kind === 'unavailable') {
    return `Loads of ${id} need a GPU: ${device.reason.replace(/\.$/, '')}.`;
  }
  if (isRunning) return `A benchmark runs: ${id} waits.`;
  if (reading.kind === 'failed') return reading.reason;
  if (reading.kind === 'waiting') return null;
  const { whySubstitute, rejection } = reading.result;
  if (whySubstitute !== null) return `${id} cannot be watched on this matrix: ${whySubstitute}.`;
  return rejection === null ? null : `This device cannot run ${id}: ${rejection}.`;
}

interface WatchedKernelProps extends Pick<MemoryPartProps, 'listed' | 'draft'> {
  readonly kernel: KernelReading;
  readonly about: string;
  /** returns to the code, or to a line of it */
  readonly onCode: (at?: Pick<WorkbenchFields, 'file' | 'line'>) => void;
}

/** The choices of pass, workgroup and array, and the recorded loads. */
function WatchedKernel({ listed, draft, onCode, kernel, about }: WatchedKernelProps) {
  const { id } = listed.kernel;
  const pageParams = useDocument((doc) => doc.params[listed.format.id]);
  const device = useSession((s) => s.device);
  const isSoftware = device?.kind === 'ready' && device.environment.isFallback;
  const [values, choose] = useChoices(MEMORY_FIELDS);
  const { passes, sizes } = kernel;
  const pass = Math.min(values.pass, passes.length) - 1;
  const workgroups = workgroupsOf(passes[pass]);
  const workgroup = Math.min(values.workgroup, workgroups - 1);
  const request = useMemo((): MemoryRequest => {
    const { files, overrides } = draft ?? { files: {}, overrides: {} };
    return { kernel: id, params: draft?.params ?? pageParams, files, overrides, sizes, workgroup, pass };
  }, [id, draft, pageParams, sizes, workgroup, pass]);
  // A draft runs only on request, and a software adapter can take minutes.
  const isAutomatic = device?.kind === 'ready' && !isSoftware && draft === null;
  const { data: answer, job, error, isCancelled, start, cancel } = useRecordedLoads(request, !isAutomatic);
  const problem = isCancelled ? 'Watching was cancelled.' : error;
  const array = answer && chosenArray(answer.arrays, values.array);
  const isOfAnotherUser = draft !== null && draft.from !== 'here';
  return (
    <>
      <AnswerHeader
        topic={about}
        words={
          answer
            ? loadWords(answer, array)
            : [
                {
                  text: isAutomatic ? `Watching ${id} …` : requestText(draft ? 'a draft' : id, isSoftware),
                },
              ]
        }
        exports={
          answer
            ? [
                {
                  label: 'CSV',
                  title: 'Save the loads as CSV',
                  save: () => saveText('sparsescope-loads.csv', loadsCsv(answer), 'text/csv'),
                },
              ]
            : []
        }
      />
      <div className={CONTROLS}>
        {passes.length > 1 && (
          <SelectField
            label="Pass"
            value={pass}
            options={passes.map((candidate, i) => ({ value: i, label: `${i + 1}. ${mainFile(candidate).path}` }))}
            onChange={(next) => choose({ pass: next + 1, workgroup: 0, subgroup: -1, load: 1 })}
          />
        )}
        <NumberInput
          key={pass}
          label={`Workgroup, 0 to ${countText(workgroups - 1)}`}
          value={workgroup}
          min={0}
          max={workgroups - 1}
          isInteger
          onChange={(next) => choose({ workgroup: next, subgroup: -1, load: 1 })}
        />
        {answer && array && (
          <SelectField
            label="Loads of"
            value={array.name}
            options={answer.arrays.map((candidate) => ({ value: candidate.name, label: candidate.name }))}
            onChange={(next) => choose({ array: next, subgroup: -1, load: 1 })}
          />
        )}
      </div>
      {problem !== null && <p role="alert">{problem}</p>}
      {job && <JobProgress job={job} onCancel={cancel} />}
      {job === null && answer === null && (
        <p className="flex flex-wrap items-center gap-3 text-12 mt-4 mb-4">
          <Button kind="solid" onClick={start}>
            {isOfAnotherUser ? 'Watch another user’s code' : problem === null ? 'Watch it' : 'Try again'}
          </Button>
        </p>
      )}
      {answer && array && (
        <RecordedLoads
          key={array.name}
          {...{ id, answer, array, onCode }}
          pass={passes[pass]}
          values={values}
          choose={choose}
        />
      )}
      <p className="text-muted text-12 mt-6 max-w-[44rem]">
        A copy of the kernel notes its addresses on this device. {answer && truncationText(answer)}
      </p>
    </>
  );
}

/** Why the loads of a kernel, or of 'a draft', are not recorded yet. */
function requestText(what: string, isSoftware: boolean): string {
  return isSoftware
    ? `On a software adapter, watching ${what} takes minutes.`
    : `${capitalised(what)} is watched on request.`;
}

interface RecordedLoadsProps {
  readonly id: string;
  readonly answer: MemoryAnswer;
  readonly array: MemoryAnswer['arrays'][number];
  readonly pass: VisiblePass;
  readonly values: MemoryChoices;
  readonly choose: (changed: Partial<MemoryChoices>) => void;
  readonly onCode: WatchedKernelProps['onCode'];
}

/** One load of one subgroup as a picture, and a table of all loads of the workgroup. */
function RecordedLoads({ id, answer, array, pass, values, choose, onCode }: RecordedLoadsProps) {
  const { subgroups, trace } = answer;
  const firstLoading = useMemo(() => firstSubgroup(answer, array.name), [answer, array.name]);
  // The chosen subgroup and load. While the slider is dragged, its load is drawn before it becomes the page's choice.
  const subgroup = values.subgroup < 0 ? firstLoading : Math.min(values.subgroup, subgroups - 1);
  const loads = useMemo(() => loadsFrom(answer, subgroup, array.name), [answer, subgroup, array.name]);
  const [draggedLoad, setDraggedLoad] = useState<number | null>(null);
  const number = Math.min(draggedLoad ?? values.load, loads.length);
  const step = loads.at(number - 1);
  const picture = useMemo(() => step && loadPicture(trace.sites[step.site], step), [trace, step]);
  const site = step && trace.sites[step.site];
  return (
    <>
      <div className={CONTROLS}>
        <div className="col-span-2">
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
        <div className="col-span-2">
          {loads.length > 1 && (
            <LiveSlider
              label="Load"
              value={Math.min(values.load, loads.length)}
              min={1}
              max={loads.length}
              step={1}
              format={(value) => `${countText(value)} of ${countText(loads.length)}`}
              onMove={setDraggedLoad}
              onChange={(next) => {
                setDraggedLoad(null);
                choose({ load: next });
              }}
            />
          )}
        </div>
      </div>
      <div className="grid max-lg:grid-cols-[minmax(0,1fr)] grid-cols-[repeat(auto-fit,minmax(21rem,1fr))] gap-x-8">
        <section className="min-w-0" aria-label={`Loads of ${array.name}`}>
          {site === undefined ? (
            <p className="text-muted">{`Subgroup ${countText(subgroup)} loads nothing from ${array.name}.`}</p>
          ) : (
            <>
              <p className="text-12 mt-2">
                Load {countText(number)}:{' '}
                <TextButton onClick={() => onCode({ file: site.file, line: site.line })}>
                  line {countText(site.line)} of {site.file}
                </TextButton>
              </p>
              {/* Buffers are read in cache lines, workgroup memory in turns with one word of every bank. */}
              {picture ? (
                <LaneLinks
                  id={`lanes-${id.replace('/', '-')}`}
                  title={`${id}: load ${number} of ${array.name}, subgroup ${subgroup}`}
                  caption={`${counted(picture.links.length, 'lane')} load ${site.elementBytes} bytes each of ${array.name}: ${counted(picture.rows.length, array.space === 'storage' ? 'line' : 'turn')}.`}
                  picture={picture}
                  color={arrayColor(pass, array.name)}
                  elementAt={(byte, words) => elementsText(site, byte, words)}
                />
              ) : (
                <p className="text-muted">Its element size is unknown.</p>
              )}
            </>
          )}
        </section>
        <ArrayTable className="self-start mt-2" answer={answer} shownArray={array.name} />
      </div>
    </>
  );
}

function loadsCsv({ kernel, pass, workgroup, subgroup, arrays }: MemoryAnswer): string {
  return tableCsv({
    head: [
      'kernel',
      'pass',
      'workgroup',
      'lanes of a subgroup',
      'array',
      'memory',
      'loads',
      'lanes that load',
      'bytes of an element',
      'lines or turns',
      'bytes used',
    ],
    rows: arrays.map(({ name, space, loads, requestedLanes, elementBytes, transactions, usedBytes }) => ({
      name: kernel,
      cells: [],
      values: [
        kernel,
        pass + 1,
        workgroup,
        subgroup,
        name,
        space,
        loads,
        requestedLanes,
        elementBytes,
        transactions,
        usedBytes,
      ],
    })),
  });
}
