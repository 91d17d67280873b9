import './user-kernel.css';
import { Suspense, useMemo, useState } from 'react';
import type { ByteClass } from '../../../../src/core/encoded/ledger.ts';
import { DRAFT_BOUNDS } from '../../theory/bounds.ts';
import { STARTERS } from '../../own/starters.ts';
import { kernelPaths } from '../../own/kernel/user-kernel.ts';
import { declaredInputs } from '../../../../src/core/declared/accessors.ts';
import { lazyPart } from '../../../../src/kit/browser/lazy-part.ts';
import { saveText } from '../../../../src/kit/browser/save-blob.ts';
import { Section, SectionHead } from '../../../../src/kit/controls/Section.tsx';
import { SelectField } from '../../../../src/kit/controls/Select.tsx';
import { LastRun } from '../drafts/LastRun.tsx';
import { loadEditor } from '../editor/load-editor.ts';
import { type KernelFormat, type UserKernelState, useUserKernel } from './use-user-kernel.ts';
import { counted, countText } from '../../../../src/core/text/words.ts';
import { NumberInput } from '../../../../src/kit/controls/NumberInput.tsx';
import { ArrayTable } from '../memory/ArrayTable.tsx';
import { truncationText, chosenArray, loadWords } from '../memory/recorded-loads.ts';
import type { BenchReport, BenchRow } from '../../../../src/core/report.ts';
import { sharedRounds } from '../../../../src/core/bench/shared-rounds.ts';
import { largest } from '../../../../src/core/number/statistics.ts';
import { userFormatId } from '../../own/user-format-source.ts';
import { useApp } from '../../../../src/kit/app-context.ts';
import { Button, TextButton } from '../../../../src/kit/controls/Button.tsx';
import { Swatch } from '../../../../src/kit/controls/Swatch.tsx';
import { substituteOf, withSubstitute } from '../../../../src/kit/words/ran-instead.ts';
import { percent, ratio, time } from '../../../../src/kit/words/quantity.ts';
import { speedFromTimes } from '../../../../src/kit/words/speed-of.ts';

const KernelEditor = lazyPart(loadEditor, { isPreloaded: false });

interface UserKernelPageProps {
  readonly format: KernelFormat;
  /** returns to the format's code in JavaScript */
  readonly onClose: () => void;
}

/** The page on which a user writes, runs and times a kernel for a custom format, and sees the memory it loads. */
export function UserKernelPage({ format, onClose }: UserKernelPageProps) {
  const { name, description, arrays, params } = format;
  const kernel = useUserKernel(format);
  const [comparing, setComparing] = useState(false);
  const [line, setLine] = useState<{ readonly line: number } | null>(null);
  const { code: path } = kernelPaths(name);
  const { code, start, result } = kernel;
  // What the editor shows: the text, the compiler's messages about it, and each buffer's name in the color of its class.
  const messages = useMemo(() => (result?.messages ?? []).filter(({ file }) => file === path), [result, path]);
  const file = useMemo(
    () => ({ path, code, original: start, messages, scrollTo: line }),
    [path, code, start, messages, line],
  );
  const buffers = useMemo(
    () =>
      new Map<string, ByteClass>(
        declaredInputs(arrays, params).arrays.flatMap(({ array, name: binding, reader }): [string, ByteClass][] => [
          [binding, array.byteClass],
          [reader, array.byteClass],
        ]),
      ),
    [arrays, params],
  );
  const onSave = (): void => saveText(`${name}.wgsl`, `${kernel.arraysCode}\n${code}`, 'text/plain');
  return (
    <section
      className="own-kernel flex flex-col xl:grid xl:grid-cols-[minmax(0,1fr)_26rem] gap-4 xl:gap-x-8 min-w-0 py-4 px-6"
      aria-labelledby="own-kernel"
    >
      <header className="xl:col-span-full">
        <SectionHead
          id="own-kernel"
          title={`The kernel of ${description.title}`}
          caption="y = A x, in WGSL"
          action={<TextButton onClick={onClose}>Back to the module</TextButton>}
        />
        <p className="text-muted">Arrays, x and y are bound: write what a lane does.</p>
        <Tools {...{ kernel, comparing, onSave }} onCompare={() => setComparing(!comparing)} />
        <details>
          <summary>Given: {arrays.length === 1 ? 'one array' : `${arrays.length} arrays`}, x and y</summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard */}
          <pre className="max-h-80 mt-2 p-3 overflow-auto bg-sunken" tabIndex={0} role="group" aria-label="Given">
            {kernel.arraysCode}
          </pre>
        </details>
        {kernel.rejection !== null && (
          <p className="field-error" role="alert">
            {kernel.rejection}
          </p>
        )}
      </header>
      <div className="flex flex-col gap-4 min-w-0">
        <Suspense fallback={<p className="text-quiet">Loading …</p>}>
          <KernelEditor
            key={name}
            file={file}
            buffers={buffers}
            comparing={comparing}
            onChange={(_, next) => kernel.write(next)}
            admits={(_, next) => next.length <= DRAFT_BOUNDS.length}
            onRun={kernel.run}
            onSave={onSave}
            onCompare={() => setComparing(!comparing)}
          />
        </Suspense>
        <p className="text-quiet">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> runs it; <kbd>Esc</kbd>, then <kbd>Tab</kbd> leaves.
        </p>
      </div>
      <div className="own-kernel-results flex flex-col gap-4 min-w-0">
        <div className="flex flex-wrap items-center gap-4">
          <Button kind="solid" onClick={kernel.isRunning ? kernel.cancel : kernel.run}>
            {kernel.isRunning ? 'Cancel' : 'Run'}
          </Button>
          {/* A law is a test of the format, such as that decode undoes encode. */}
          {kernel.areLawsSatisfied !== true && (
            <p className="text-muted">It is raced only if all laws are satisfied.</p>
          )}
        </div>
        {result !== null && (
          <>
            {!kernel.isCurrent && <p className="text-muted">Changed since this run.</p>}
            <LastRun
              isLast
              result={result}
              onCancel={kernel.isRunning ? kernel.cancel : null}
              onGo={(file, to) => file === path && setLine({ line: to })}
              onRow={null}
            />
          </>
        )}
        {result?.timed?.report && <UserKernelRace report={result.timed.report} name={name} title={description.title} />}
        <Section title="What its lanes load">
          <UserKernelLoads recorded={kernel.loads} onRecord={kernel.recordLoads} />
        </Section>
      </div>
    </section>
  );
}

interface ToolsProps {
  readonly kernel: UserKernelState;
  readonly comparing: boolean;
  readonly onSave: () => void;
  readonly onCompare: () => void;
}

/** Kernels to start from, and buttons to compare and save the current one. */
function Tools({ kernel, comparing, onSave, onCompare }: ToolsProps) {
  return (
    <div className="flex flex-wrap items-end mt-4 mb-4 gap-4">
      <SelectField
        label="Begin with"
        value=""
        options={[
          { value: '', label: 'choose a text …' },
          { value: 'start', label: 'an empty loop' },
          ...STARTERS.flatMap(({ id, title, kernel: text }) =>
            text === null ? [] : [{ value: id, label: `the kernel of ${title}` }],
          ),
        ]}
        onChange={(id) => {
          const text = id === 'start' ? kernel.start : STARTERS.find((starter) => starter.id === id)?.kernel;
          if (text != null) kernel.write(text);
        }}
      />
      <Button aria-pressed={comparing} onClick={onCompare}>
        Compare with the beginning
      </Button>
      <Button onClick={onSave}>Save as file</Button>
    </div>
  );
}

interface UserKernelLoadsProps {
  readonly recorded: UserKernelState['loads'];
  readonly onRecord: (workgroup: number) => void;
}

/** The memory requests of one workgroup's lanes, array by array. */
function UserKernelLoads({ recorded, onRecord }: UserKernelLoadsProps) {
  const [workgroup, setWorkgroup] = useState(0);
  const { data: answer, job, error } = recorded;
  const last = answer ? answer.workgroups - 1 : null;
  return (
    <>
      <div className="flex flex-wrap items-center gap-4">
        <NumberInput
          label={last === null ? 'Workgroup' : `Workgroup, 0 to ${countText(last)}`}
          value={workgroup}
          min={0}
          max={last ?? 2 ** 20}
          whole
          onChange={setWorkgroup}
        />
        <Button aria-disabled={job !== null} onClick={job === null ? () => onRecord(workgroup) : undefined}>
          {job === null ? 'Watch it' : 'Watching …'}
        </Button>
      </div>
      {error !== null && <p role="alert">{error}</p>}
      {answer && (
        <>
          <p>
            {loadWords(answer, chosenArray(answer.arrays, '')).map(({ text, strong }) =>
              strong ? <strong key={text}>{text}</strong> : text,
            )}
          </p>
          <ArrayTable answer={answer} />
          <p className="text-muted">{truncationText(answer)}</p>
        </>
      )}
    </>
  );
}

interface UserKernelRaceProps {
  readonly report: BenchReport;
  /** the format's name in its address */
  readonly name: string;
  readonly title: string;
}

/** A kernel in the table of times. */
interface RaceRow {
  readonly row: BenchRow;
  readonly medianNs: number;
  /** half of the distance from the 10th to the 90th percentile */
  readonly spreadNs: number;
  /** its time over the time of the user's kernel; null if no rounds timed both */
  readonly vsUserKernel: number | null;
}

/** The correct kernels of a report that were timed, fastest first. */
export function raceRows({ rows }: Pick<BenchReport, 'rows'>, formatId: string): readonly RaceRow[] {
  const userRow = rows.find(({ format }) => format === formatId);
  return rows
    .flatMap((row): readonly RaceRow[] => {
      const { medianNs, p10Ns, p90Ns, verified } = row;
      if (medianNs === null || p10Ns === null || p90Ns === null || !verified.ok) return [];
      const { a, b } = userRow ? sharedRounds(userRow, row) : { a: [], b: [] };
      const isTimed = a.length > 0 && !a.includes(0) && !b.includes(0);
      const vsUserKernel = isTimed ? speedFromTimes(userRow?.medianNs, medianNs).ratio : null;
      return [{ row, medianNs, spreadNs: (p90Ns - p10Ns) / 2, vsUserKernel }];
    })
    .toSorted((a, b) => a.medianNs - b.medianNs);
}

/** A table of times: the user's kernel, and the fastest of every other format that can store the matrix. */
function UserKernelRace({ report, name, title }: UserKernelRaceProps) {
  const { formats } = useApp();
  const id = userFormatId(name);
  const rows = raceRows(report, id);
  const substitute = substituteOf(report);
  const longest = largest(rows.map(({ medianNs }) => medianNs));
  const titleOf = (format: string): string =>
    format === id ? title : (formats.find((candidate) => candidate.id === format)?.title ?? format);
  if (rows.length === 0) return null;
  const rounds = largest(rows.map(({ row }) => row.samplesNs.length));
  return (
    <Section
      title="Compared with other formats"
      aside={withSubstitute(`${counted(rounds, 'round')}, cold`, substitute)}
    >
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Format</th>
            <th scope="col">Kernel</th>
            <th scope="col" className="number">
              Time
            </th>
            <th scope="col" className="number">
              Against yours
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, medianNs, spreadNs, vsUserKernel }) => {
            const isUserKernel = row.format === id;
            return (
              <tr key={row.kernel} className={isUserKernel ? 'font-semibold' : undefined}>
                <th scope="row">
                  {isUserKernel ? (
                    <span className="inline-block size-[9px] border-2 border-ink" aria-hidden="true" />
                  ) : (
                    <Swatch format={row.format} />
                  )}{' '}
                  {titleOf(row.format)}
                </th>
                <td>{isUserKernel ? 'yours' : row.kernel.slice(row.kernel.indexOf('/') + 1)}</td>
                <td className="number">
                  <span
                    className="inline-block h-[6px] bg-muted align-middle"
                    style={{ inlineSize: `${(60 * medianNs) / longest}px` }}
                  />{' '}
                  {withSubstitute(time(medianNs), substitute)} ± {percent(spreadNs / medianNs, 0)}
                </td>
                <td className="number">
                  {isUserKernel || vsUserKernel === null ? '–' : `${ratio(vsUserKernel)} as long`}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}
