// The column next to the editor of a draft, a kernel that the user changed.

import { useStore } from 'zustand';
import { type Draft, type DraftText, versionNumber, originOf, sameText } from '../kernel-drafts/draft.ts';
import type { KernelLibrary } from '../kernel-drafts/kernel-library.ts';
import { encodeHash, MAX_WINDOW_SIDE, pageState, variantId, withPage } from '../../../../src/state/index.ts';
import { type WorkbenchFields, WORKBENCH_FIELDS } from '../address.ts';
import { useApp, useSession } from '../../../../src/kit/app-context.ts';
import { PageLink } from '../../../../src/kit/browser/AddressLink.tsx';
import { rivalName, visibleRun, type VisibleRun } from './draft-words.ts';
import { LastRun } from './LastRun.tsx';
import { RaceChart } from './RaceChart.tsx';
import { Checkbox } from '../../../../src/kit/controls/Checkbox.tsx';
import { toggleVariant, variantOf } from '../kernel-drafts/variants.ts';
import { Section } from '../../../../src/kit/controls/Section.tsx';
import { DRAFT_BOUNDS } from '../../theory/bounds.ts';
import { draftCode, fileName } from '../kernel-drafts/draft-file.ts';
import { saveText } from '../../../../src/kit/browser/save-blob.ts';
import { Button, TextButton } from '../../../../src/kit/controls/Button.tsx';
import { Field } from '../../../../src/kit/controls/Field.tsx';
import { CopyButton } from '../../../../src/kit/controls/CopyButton.tsx';
import { largest, smallest } from '../../../../src/core/number/statistics.ts';
import { isScratch } from '../../../../src/core/scratch/card.ts';
import { resultWords, draftSpeed } from '../kernel-drafts/draft-result.ts';

interface DraftColumnProps {
  readonly draft: Draft;
  readonly library: KernelLibrary;
  /** id of the kernel's format; '' if unknown */
  readonly format: string;
  readonly runsOnChange: boolean;
  readonly onRunsOnChange: (runsOnChange: boolean) => void;
  readonly onRun: () => void;
  /** whether the kernel has been read and can run */
  readonly ready: boolean;
  readonly onShow: (fields: Partial<WorkbenchFields>) => void;
  /** shows a line of a file of the draft */
  readonly onGo: (file: string, line: number) => void;
}

/** Rows listed around an incorrect one. */
const ROWS_AROUND = 5;

/** The column next to a draft (a kernel that the user changed): its last run, its speed, all versions, and actions. */
export function DraftColumn(props: DraftColumnProps) {
  const { draft, library, format, runsOnChange, onRunsOnChange, onRun, ready, onShow, onGo } = props;
  const runText = draft.from === 'here' ? 'Run' : 'Run another user’s code';
  const running = useStore(library.currentRun, (run) => run?.draft === draft.id);
  const run = visibleRun(draft);
  const { session } = useApp();
  const showRow = (row: number, { rows, cols }: { readonly rows: number; readonly cols: number }): void => {
    const count = Math.min(rows, ROWS_AROUND);
    const first = Math.min(Math.max(0, row - Math.floor(count / 2)), rows - count);
    if (format !== '') session.setFormat(format);
    session.setWindow({ row: first, col: 0, rows: count, cols: Math.min(cols, MAX_WINDOW_SIDE) });
    session.follow('stage'); // opens the page Watch
  };
  return (
    <>
      <div className="max-lg:mt-4 flex items-center justify-between gap-4 mb-4">
        <Button kind="solid" disabled={!ready} onClick={running ? library.cancel : onRun}>
          {running ? 'Cancel' : runText}
        </Button>
        <Checkbox checked={runsOnChange} disabled={draft.from !== 'here'} onChange={onRunsOnChange}>
          run on every change
        </Checkbox>
      </div>
      {draft.from !== 'here' && (
        <p className="border-s-2 border-danger text-12 mb-4 px-3 py-2 bg-danger-ground">
          This code came with a {draft.from}. It can only keep your GPU busy: run it if you trust its source.
        </p>
      )}
      {run && <LastRun {...run} onCancel={running ? library.cancel : null} onGo={onGo} onRow={showRow} />}
      {run?.result.timed && (
        <RaceChart number={run.number} timed={run.result.timed} format={format} rival={rivalName(draft, run.result)} />
      )}
      {run?.result.ended?.ok && <VersionActions draft={draft} run={run} />}
      <VersionList draft={draft} onRestore={(version) => library.restore(draft.id, version)} />
      <DraftActions draft={draft} library={library} onShow={onShow} />
    </>
  );
}

interface VersionActionsProps {
  readonly draft: Draft;
  /** a correct version */
  readonly run: VisibleRun;
}

/** The actions on a correct version: list it for this session, save its timing against the original as a report. */
function VersionActions({ draft, run }: VersionActionsProps) {
  const { session, formats, announce } = useApp();
  const variants = useSession((s) => s.variants);
  const variant = variantOf(draft, run.number, formats);
  const report = run.result.timed?.report;
  const isListed = variant !== null && variants.some((candidate) => variantId(candidate) === variantId(variant));
  return (
    <Section title="Compare it in Measure">
      {variant && (
        <Checkbox checked={isListed} onChange={() => toggleVariant(session, variant)}>
          list it with the kernels of Measure
        </Checkbox>
      )}
      {isListed && (
        <PageLink className="text-button" link="settings" target={[]}>
          Show it there
        </PageLink>
      )}
      {report && (
        <TextButton
          onClick={() => {
            void session.keepReport(report);
            announce('The race is under Measure.');
          }}
        >
          Put the race under Measure
        </TextButton>
      )}
    </Section>
  );
}

interface DraftActionsProps {
  readonly draft: Draft;
  readonly library: KernelLibrary;
  readonly onShow: (fields: Partial<WorkbenchFields>) => void;
}

/** Renaming, copying, linking and deleting a draft. */
function DraftActions({ draft, library, onShow }: DraftActionsProps) {
  const { document, catalog } = useApp();
  const run = visibleRun(draft);
  const link = async (): Promise<string> => {
    const code = await draftCode(draft);
    // The link includes the page's matrix and parameters.
    const doc = document.getState();
    const reading = { ...pageState(doc, WORKBENCH_FIELDS), kernel: draft.kernel, draft: '', code };
    return new URL(encodeHash(withPage(doc, WORKBENCH_FIELDS, reading), catalog), location.href).href;
  };
  return (
    <Section title="This draft">
      <Field label="Name">
        {(control) => (
          <input
            key={`${draft.id} ${draft.name}`}
            {...control}
            className="input"
            defaultValue={draft.name}
            autoComplete="off"
            maxLength={DRAFT_BOUNDS.name}
            onBlur={(event) => library.rename(draft.id, event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.currentTarget.blur();
            }}
          />
        )}
      </Field>
      <p className="flex flex-wrap gap-y-1 gap-x-4 mt-3">
        <CopyButton text={link} what="Link" otherwise="save it as a file">
          Copy link
        </CopyButton>
        <TextButton
          onClick={() => {
            const copy = library.duplicate(draft.id);
            if (copy !== null) onShow({ kernel: draft.kernel, draft: copy });
          }}
        >
          Duplicate
        </TextButton>
        {run !== null && (
          <TextButton
            onClick={() => saveText(`${fileName(draft.name)}.json`, resultJson(draft, run), 'application/json')}
          >
            Save the result
          </TextButton>
        )}
        <TextButton
          onClick={() => {
            library.remove(draft.id);
            onShow({ kernel: draft.kernel });
          }}
        >
          Delete
        </TextButton>
      </p>
    </Section>
  );
}

/** The last run as JSON, which begins with the fact that it is of a draft, with the files that were run. */
function resultJson(draft: Draft, run: VisibleRun): string {
  const version = draft.versions.find(({ number }) => number === run.number);
  const { checks, doing: _, ...result } = run.result;
  return JSON.stringify(
    {
      kind: 'draft',
      schema: 1,
      note: 'Measured with a changed kernel.',
      name: draft.name,
      kernel: draft.kernel,
      params: draft.params,
      version: run.number,
      at: version?.at,
      files: version?.files,
      overrides: version?.overrides,
      result: { ...result, checks: checks.map(({ map: _map, ...check }) => check) },
    },
    null,
    2,
  );
}

interface VersionListProps {
  readonly draft: Draft;
  /** null for the original */
  readonly onRestore: (version: number | null) => void;
}

/** Every version with its result, newest first, down to the original; each can be restored. */
function VersionList({ draft, onRestore }: VersionListProps) {
  const current = versionNumber(draft);
  const origin = originOf(draft);
  // A draft from scratch starts with code that computes nothing.
  const isFromScratch = isScratch(draft.kernel);
  const speeds = draft.versions.flatMap(({ result }) => draftSpeed(result) ?? []);
  // The axis of speeds: at least from 0.9 to 1.1 times the original.
  const low = Math.min(0.9, smallest(speeds));
  const high = Math.max(1.1, largest(speeds));
  const position = (speed: number): string => `${(100 * (speed - low)) / (high - low)}%`;
  const isUnstored = !draft.versions.some(({ number }) => number === current);
  return (
    <Section title="Versions" aside={isFromScratch ? 'against another kernel' : 'against the original'}>
      <ol className="draft-versions">
        {isUnstored && !sameText(draft, origin) && (
          <li aria-current="true">
            <span className="number">{current}</span>
            <span>{draft.from === 'here' ? 'being written' : 'as it came'}</span>
            <span className="flex items-center gap-2 text-muted">not run</span>
          </li>
        )}
        {draft.versions.toReversed().map((version) => {
          const words = resultWords(version.result);
          const previous = draft.versions.find(({ number }) => number === version.number - 1) ?? origin;
          const speed = draftSpeed(version.result);
          return (
            <li key={version.number} aria-current={version.number === current ? 'true' : undefined}>
              <span className="number">{version.number}</span>
              <span className="truncate font-mono" title={changesText(version, previous)}>
                {changesText(version, previous)}
              </span>
              <span className="flex items-center gap-2">
                {speed !== null && (
                  <span className="relative w-14 h-7" aria-hidden="true">
                    <i className="absolute inset-y-0 w-px bg-track" style={{ left: position(1) }} />
                    <b
                      className="absolute top-1/2 size-[7px] -mt-[3px] -ml-[3px] rounded-[50%] bg-accent"
                      style={{ left: position(speed) }}
                    />
                  </span>
                )}
                <span className={words.bad ? 'text-danger' : 'number'}>{words.text}</span>
              </span>
              {version.number !== current && (
                <TextButton onClick={() => onRestore(version.number)}>
                  back<span className="unseen"> to version {version.number}</span>
                </TextButton>
              )}
            </li>
          );
        })}
        <li aria-current={sameText(draft, origin) ? 'true' : undefined}>
          <span className="number" />
          <span className="truncate font-mono">{isFromScratch ? 'as it began' : 'original'}</span>
          <span className="flex items-center gap-2 number">{speeds.length > 0 && !isFromScratch && '1.00×'}</span>
          {!sameText(draft, origin) && (
            <TextButton onClick={() => onRestore(null)}>
              back<span className="unseen"> to {isFromScratch ? 'the beginning' : 'the original'}</span>
            </TextButton>
          )}
        </li>
      </ol>
    </Section>
  );
}

/** A version's changes since the previous one: constants with their value, and files. */
function changesText(version: DraftText, previous: DraftText): string {
  const constants = changedNames(version.overrides, previous.overrides).map((name) =>
    Object.hasOwn(version.overrides, name) ? `${name} ${version.overrides[name]}` : `${name} reset`,
  );
  const files = changedNames(version.files, previous.files).map((path) =>
    path.slice(path.indexOf('/') + 1).replace('.wgsl', ''),
  );
  return [...constants, ...files].join(', ') || 'unchanged';
}

/** The names of entries that differ, or that only one of two objects has. */
function changedNames(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);
}
