import { type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import { counted, countText } from '../../../../core/story/words.ts';
import type { ByteClass } from '../../../../core/encoded/ledger.ts';
import { type Draft, numberOf } from '../kernel-drafts/draft.ts';
import type { KernelLibrary } from '../kernel-drafts/library.ts';
import { draftText, tooLong } from '../kernel-drafts/file.ts';
import type { Working } from '../address.ts';
import type { CompileMessage } from '../service/drafts/draft-types.ts';
import type { KernelFile, KernelReading } from '../../../../places/code/service/kernel-reading-types.ts';
import { useApp, useSession } from '../../../../kit/app-context.ts';
import { Answer } from '../../../../kit/frame/Answer.tsx';
import { Icon } from '../../../../kit/controls/Icon.tsx';
import { lazyPart } from '../../../../kit/browser/lazy-part.ts';
import { saveText } from '../../../../kit/browser/save-blob.ts';
import { type ListedKernel, mainFile } from '../../../../places/code/kernel-list.ts';
import { type DraftOverride, draftOverrides } from './draft-overrides.ts';
import { draftWords, shownRun } from './draft-words.ts';
import { PartButton } from '../PartButton.tsx';
import { useShownTab } from '../use-shown-tab.ts';
import { loadEditor } from '../editor/load-editor.ts';
import { Swatch } from '../../../../kit/controls/Swatch.tsx';
import { DRAFT_BOUNDS } from '../../../../core/bounds/bounds.ts';
import { numberProblem } from '../../../../kit/controls/NumberInput.tsx';
import { Field } from '../../../../kit/controls/Field.tsx';

interface OverrideFieldsProps {
  readonly constants: readonly DraftOverride[];
  readonly overrides: Readonly<Record<string, number>>;
  /** null for the text's own value */
  readonly onChange: (name: string, value: number | null) => void;
}

/** Who sets a constant that has no field: a short form next to its value, and a sentence. */
const FIXED: Readonly<Partial<Record<DraftOverride['origin'], readonly [short: string, why: string]>>> = {
  device: ['device', 'It comes from this device.'],
  matrix: ['matrix', 'It comes from the matrix that is open.'],
  parameters: ['parameters', 'It comes from the parameters of the format.'],
  derived: ['derived', 'It comes from other constants and the matrix.'],
  text: ['derived', 'The text computes it from other constants.'],
};

interface Range {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

/** The values that a constant of the type can have. */
const RANGES: Readonly<Record<string, Range>> = {
  bool: { min: 0, max: 1, whole: true },
  u32: { min: 0, max: 2 ** 32 - 1, whole: true },
  i32: { min: -(2 ** 31), max: 2 ** 31 - 1, whole: true },
};
const ANY: Range = { min: -3.4028234663852886e38, max: 3.4028234663852886e38, whole: false };

/** A draft's constants: free ones as fields, the others with what sets them. */
function OverrideFields({ constants, overrides, onChange }: OverrideFieldsProps) {
  if (constants.length === 0) return null;
  // A constant that the draft changed can always be reset.
  const isField = ({ name, origin }: DraftOverride): boolean =>
    FIXED[origin] === undefined || Object.hasOwn(overrides, name);
  const shown = constants.slice(0, DRAFT_BOUNDS.overrides);
  return (
    <div className="draft-overrides" role="group" aria-label="Constants of the draft">
      {shown.filter(isField).map(({ name, type, value, meaning, origin }) => (
        <OverrideField
          key={name}
          name={name}
          hint={`${meaning} ${origin === 'own' ? 'The draft’s' : 'The kernel’s'} own value is ${value ?? 'open'}.`.trim()}
          range={Object.hasOwn(RANGES, type) ? RANGES[type] : ANY}
          original={value}
          own={overrides[name] ?? null}
          onChange={(next) => onChange(name, next === value ? null : next)}
        />
      ))}
      {shown
        .filter((one) => !isField(one))
        .map(({ name, value, meaning, origin }) => (
          <div key={name} className="draft-fixed" title={`${meaning} ${FIXED[origin]?.[1] ?? ''}`.trim()}>
            <span>{name}</span>
            <span>
              <span className="number">{value ?? '–'}</span> <span className="faint">{FIXED[origin]?.[0]}</span>
            </span>
          </div>
        ))}
      {constants.length > shown.length && (
        <p className="quiet">and {countText(constants.length - shown.length)} more, as the text has them</p>
      )}
    </div>
  );
}

interface OverrideFieldProps {
  readonly name: string;
  readonly hint: string;
  readonly range: Range;
  /** null if the text leaves it open */
  readonly original: number | null;
  readonly own: number | null;
  readonly onChange: (value: number | null) => void;
}

function OverrideField({ name, hint, range, original, own, onChange }: OverrideFieldProps) {
  // The text as typed; a restored version shows its value once the field loses focus.
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? String(own ?? original ?? '');
  const problem = numberProblem(text, range);
  return (
    <Field
      className="draft-override"
      label={own === null ? name : `${name}, yours`}
      title={hint}
      error={problem}
      foot={
        own !== null && (
          <button
            type="button"
            className="text-button"
            onClick={() => {
              setTyped(null);
              onChange(null);
            }}
          >
            <span className="unseen">{name} </span>was {original ?? 'open'}
          </button>
        )
      }
    >
      {(control) => (
        <input
          {...control}
          className="input"
          inputMode={range.whole ? 'numeric' : 'decimal'}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            const next = event.currentTarget.value;
            setTyped(next);
            if (numberProblem(next, range) === null) onChange(Number(next));
          }}
          onBlur={() => {
            if (problem === null) setTyped(null);
          }}
        />
      )}
    </Field>
  );
}

const KernelEditor = lazyPart(loadEditor, { isAhead: false });

interface DraftPanelProps {
  readonly listed: ListedKernel;
  readonly kernel: KernelReading;
  readonly draft: Draft;
  readonly library: KernelLibrary;
  readonly asked: Working;
  /** every file of every kernel, to tell which others contain one */
  readonly files: readonly KernelFile[];
  readonly onRead: (reading: Partial<Working>) => void;
  readonly onRun: () => void;
  /** its results, if they have no column of their own */
  readonly outcome: ReactNode;
}

/** Marks a gap to fill in an exercise. */
const GAP = '// Your turn';

const NO_MESSAGES: readonly CompileMessage[] = [];

/** A draft: its facts, its constants, and an editor for its files. */
export function DraftPanel({ listed, kernel, draft, library, asked, files, onRead, onRun, outcome }: DraftPanelProps) {
  const { session } = useApp();
  const [comparing, setComparing] = useState(false);
  const { passes } = kernel;
  const pass = passes.find((one) => one.files.some(({ path }) => path === asked.file)) ?? passes[0];
  const shown = pass.files.find(({ path }) => path === asked.file) ?? mainFile(pass);
  const began = draft.start?.[shown.path];
  const run = shownRun(draft);
  // Messages belong to the text that was compiled; they keep their positions while another file is shown.
  const said = useMemo(() => shownRun(draft)?.result.messages ?? NO_MESSAGES, [draft]);
  const messages = useMemo(() => said.filter(({ file }) => file === shown.path), [said, shown.path]);
  const code = draft.files[shown.path] ?? shown.code;
  const original = began ?? shown.code;
  // An exercise opens at its gap.
  const gap = began === undefined ? 0 : began.split('\n').findIndex((text) => text.includes(GAP)) + 1;
  // On a narrow page the code is as high as its lines: scrolling there would hide the task.
  const line = asked.file === shown.path ? asked.line : outcome === null ? gap : 0;
  // On every request: somebody may have scrolled away since.
  const place = useMemo(() => (line > 0 ? { line, asked } : null), [line, asked]);
  const edited = useMemo(
    () => ({ path: shown.path, code, original, messages, place }),
    [shown.path, original, code, messages, place],
  );
  const buffers = useBuffers(passes);
  const onChange = useCallback(
    (path: string, next: string): void => {
      const original = passes.flatMap((one) => one.files).find((file) => file.path === path)?.code;
      library.write(draft.id, path, next === original ? null : next);
    },
    [library, draft.id, passes],
  );
  const admits = (path: string, next: string): boolean => {
    const fault = tooLong(draft, path, next);
    if (fault !== null) session.store.setState({ error: fault });
    return fault === null;
  };
  const all = new Map(passes.flatMap((one) => one.files.map((file) => [file.path, file])));
  const stray = Object.keys(draft.files).filter((path) => !all.has(path));
  const device = useSession((s) => s.device);
  const subgroup = device?.kind === 'ready' ? device.environment.subgroupSize.max : 1;
  const constants = useMemo(
    () => draftOverrides(passes, { files: draft.files, overrides: draft.overrides }, Math.max(1, subgroup)),
    [passes, draft.files, draft.overrides, subgroup],
  );
  const strange = Object.keys(draft.overrides).filter((name) => constants.every((one) => one.name !== name));
  const errors = said.filter(({ severity }) => severity === 'error');
  const elsewhere = errors.filter(({ file }) => file === null || !all.has(file));
  const save = (): void => saveText(`${fileName(draft.name)}.wgsl`, draftText(draft), 'text/plain');
  return (
    <>
      <div className="kernel-head">
        <div className="draft-tools">
          <PartButton onClick={() => onRead({ part: 'memory' })}>Memory</PartButton>
          <button
            type="button"
            className="button"
            title="Ctrl Shift D in the editor"
            aria-pressed={comparing}
            onClick={() => setComparing(!comparing)}
          >
            Compare
          </button>
          <button type="button" className="button" onClick={() => library.restore(draft.id, null)}>
            Reset
          </button>
          <button type="button" className="button" title="Ctrl S in the editor" onClick={save}>
            Save as file
          </button>
        </div>
        <Answer
          about={
            <>
              <Swatch format={listed.format.id} /> {listed.format.title}, {listed.kernel.title} ·{' '}
              {draft.from === 'here' ? 'your' : 'somebody’s'} draft {numberOf(draft)}
            </>
          }
          words={draftWords(draft, run)}
        />
        {outcome}
        {(stray.length > 0 || strange.length > 0) && (
          <p className="field-error">
            {[...stray, ...strange].join(', ')}: the kernel has no such {stray.length > 0 ? 'file' : 'constant'} with
            these parameters, so this part of the draft has no effect.
          </p>
        )}
        {elsewhere.map(({ text }) => (
          <p key={text} className="draft-pipeline" role="alert">
            <Icon name="warning" /> {text}
          </p>
        ))}
        <OverrideFields
          key={draft.id}
          constants={constants}
          overrides={draft.overrides}
          onChange={(name, value) => library.setOverride(draft.id, name, value)}
        />
        <Files paths={[...all.keys()]} shown={shown.path} draft={draft} errors={errors} onRead={onRead} />
      </div>
      <Suspense fallback={<p className="faint kernel-head">Loading the editor …</p>}>
        <KernelEditor
          key={draft.id}
          file={edited}
          buffers={buffers}
          comparing={comparing}
          onChange={onChange}
          admits={admits}
          onRun={onRun}
          onSave={save}
          onCompare={() => setComparing(!comparing)}
        />
      </Suspense>
      <Foot errors={errors} path={shown.path} others={othersOf(files, shown.path, kernel.kernel)} onRead={onRead} />
    </>
  );
}

/** What the buffers hold, by their names in the text. */
function useBuffers(passes: KernelReading['passes']): ReadonlyMap<string, ByteClass> {
  return useMemo(
    () =>
      new Map(
        passes.flatMap(({ bindings }) =>
          bindings.flatMap(({ name, byteClass }): [string, ByteClass][] => (byteClass ? [[name, byteClass]] : [])),
        ),
      ),
    [passes],
  );
}

interface FilesProps {
  readonly paths: readonly string[];
  readonly shown: string;
  readonly draft: Draft;
  readonly errors: readonly CompileMessage[];
  readonly onRead: DraftPanelProps['onRead'];
}

/** A tab for each file, marked if it is changed or has errors. */
function Files({ paths, shown, draft, errors, onRead }: FilesProps) {
  const tabs = useShownTab(shown);
  return (
    <nav ref={tabs} className="kernel-files" aria-label="Files of the draft, the kernel’s own first">
      {paths.toReversed().map((path) => {
        const wrong = errors.some(({ file }) => file === path);
        const changed = Object.hasOwn(draft.files, path) && draft.files[path] !== draft.start?.[path];
        return (
          <button
            key={path}
            type="button"
            aria-current={path === shown ? 'true' : undefined}
            onClick={() => onRead({ file: path })}
          >
            <span className="quiet">{path.split('/')[0]}/</span>
            {path.slice(path.indexOf('/') + 1).replace('.wgsl', '')}
            {(wrong || changed) && (
              <span className={wrong ? 'draft-dot draft-dot--bad' : 'draft-dot'}>
                <span className="unseen">, {wrong ? 'with errors' : 'changed'}</span>
              </span>
            )}
          </button>
        );
      })}
    </nav>
  );
}

interface FootProps {
  readonly errors: readonly CompileMessage[];
  /** of the file that is shown */
  readonly path: string;
  /** kernels that contain it, too */
  readonly others: readonly string[];
  readonly onRead: DraftPanelProps['onRead'];
}

/** The way to the first error, and how to leave the editor. */
function Foot({ errors, path, others, onRead }: FootProps) {
  return (
    <footer className="draft-foot">
      {errors.length > 0 && (
        <button
          type="button"
          className="text-button draft-errors"
          onClick={() => onRead({ file: errors[0].file ?? path, line: errors[0].line })}
        >
          {counted(errors.length, 'error')}
          {errors[0].file !== null && `, line ${errors[0].line}`}
        </button>
      )}
      <span title={others.join(', ')}>{sharedSentence(others)}</span>
      <span className="draft-leave">
        <kbd>Esc</kbd>, then <kbd>Tab</kbd>, leaves the editor
      </span>
    </footer>
  );
}

/** Which other kernels contain the file, and keep its original. */
function othersOf(files: readonly KernelFile[], path: string, kernel: string): readonly string[] {
  return (files.find((file) => file.path === path)?.kernels ?? []).filter((id) => id !== kernel);
}

function sharedSentence(others: readonly string[]): string {
  if (others.length === 0) return 'no other kernel contains this file';
  const who =
    others.length <= 2 ? others.join(' and ') : `${others[0]} and ${countText(others.length - 1)} other kernels`;
  return `${who} ${others.length === 1 ? 'keeps' : 'keep'} the original of this file`;
}

/** A file name that every system allows. */
export function fileName(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'draft';
}
