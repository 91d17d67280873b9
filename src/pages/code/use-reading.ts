import { useMemo, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { refersTo } from '../../core/kernel/shader.ts';
import { findKernelCard } from '../../core/scratch/card.ts';
import { pageRecordings } from '../../kit/devices/page-recordings.ts';
import { whileMounted } from '../../kit/browser/while-mounted.ts';
import { WHOLE_TEXT } from './address.ts';
import { kernelText } from './kernel-texts.ts';
import { fastestFirst, kernelToRead, type ListedKernel } from './kernel-list.ts';
import type { KernelFile, KernelReading, VisiblePass } from '../../engine/kernel-reading/kernel-reading-types.ts';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { useMatrixJob, useJob } from '../../kit/use-job.ts';
import type { kernels } from './service/service.ts';

/** Makes the kernel's format the page's format A (B is compared with it), or calls `showKernelOfA` if A is new. */
export function useFormatOfKernel(listed: ListedKernel | null, formatOfA: string, showKernelOfA: () => void): void {
  const { session, announce } = useApp();
  const id = listed?.kernel.id ?? null;
  const before = useRef({ id, formatOfA });
  const follow = useEffectEvent(() => {
    // A link may bring another kernel and another A at once.
    const isNewA = before.current.formatOfA !== formatOfA && before.current.id === id;
    before.current = { id, formatOfA };
    if (!listed || listed.format.id === formatOfA) return;
    if (isNewA) return showKernelOfA();
    before.current = { id, formatOfA: listed.format.id };
    session.setFormat(listed.format.id);
    announce(`A is ${listed.format.title} now, as this kernel reads it`);
  });
  useEffect(() => follow(), [id, formatOfA]);
}

const NO_FILES: readonly KernelFile[] = [];

/** Every file of every kernel; empty until they are loaded. */
export function useKernelFiles(): readonly KernelFile[] {
  const { engine } = useApp();
  // Without the files only the search is empty. After a crash of the worker they are requested again.
  const isInWorker = useSession((s) => s.isInWorker); // whether the worker has a matrix
  const { latest } = useJob(['Files of the kernels', isInWorker], (watch) =>
    engine.service<typeof kernels>('kernels').files(watch),
  );
  return latest ?? NO_FILES;
}

interface ReadKernel {
  readonly kind: 'ready';
  readonly result: KernelReading;
  /** the visible pass: the chosen one or, if that lacks the file of the address, the first that has it */
  readonly pass: VisiblePass;
  readonly choosePass: (index: number) => void;
  /** the text alone: matrix and device are not known yet */
  readonly isEarly: boolean;
}

/** The state of reading a kernel: its text, compiled for the open matrix. */
export type ReadingState =
  | ReadKernel
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly reason: string };

const WAITING: ReadingState = { kind: 'waiting' };

interface ReadingInput {
  /** null while it is unknown */
  readonly kernel: string | null;
  readonly params: Readonly<Record<string, unknown>> | undefined;
  /** other kernels: if the device cannot run `kernel`, the first of these that it can run is read instead */
  readonly otherwise: readonly string[];
  /** whether the user requested this kernel */
  readonly isNamed: boolean;
  /** the file in the address */
  readonly file: string;
  /** whether the kernel’s text alone is shown until the kernel has been read */
  readonly showsEarlyText: boolean;
}

/** Reads a kernel for the open matrix. */
function useReading({ kernel, params, otherwise, isNamed, file, showsEarlyText }: ReadingInput): ReadingState {
  const { engine } = useApp();
  const [chosen, setChosen] = useState({ kernel: '', index: 0 });
  const isComplete = kernel !== null && params !== undefined;
  const { latest, error } = useMatrixJob(
    isComplete ? ['Reading the kernel', kernel, params, otherwise, isNamed] : null,
    (watch) =>
      engine
        .service<typeof kernels>('kernels')
        .read(watch, { kernel: kernel ?? '', params: params ?? {}, otherwise, isNamed }),
  );
  const earlyKernel = isComplete && showsEarlyText && latest === null ? kernel : null;
  const stored = useStoredText(file === WHOLE_TEXT ? null : earlyKernel, params);
  const { latest: source } = useJob(
    earlyKernel === null || stored !== null ? null : ['Source of the kernel', earlyKernel, params],
    (watch) =>
      engine.service<typeof kernels>('kernels').source(watch, { kernel: earlyKernel ?? '', params: params ?? {} }),
  );
  const early = stored ?? source;
  if (error !== null) return { kind: 'failed', reason: error };
  // Until the requested kernel has been read, the one before must not appear under its name.
  const isRequested =
    latest !== null &&
    [latest.kernel, ...latest.passedOver.map((passedOver) => passedOver.kernel)].includes(kernel ?? '');
  const result = isRequested ? latest : early?.kernel === kernel ? { ...early, generation: NO_MATRIX } : null;
  if (!result) return WAITING;
  const { kernel: read, passes } = result;
  const hasFile = (pass: VisiblePass): boolean => pass.files.some(({ path }) => refersTo(path, file));
  const first = passes[chosen.kernel === read ? chosen.index : 0] ?? passes[0];
  const pass = file === '' || hasFile(first) ? first : (passes.find(hasFile) ?? first);
  const choosePass = (index: number): void => setChosen({ kernel: read, index });
  return { kind: 'ready', result, pass, choosePass, isEarly: !isRequested };
}

/** The text of a kernel that the build stores; null while it loads, and if there is none. */
function useStoredText(kernel: string | null, params: Readonly<Record<string, unknown>> | undefined) {
  const { formats } = useApp();
  const [text, setText] = useState<Awaited<ReturnType<typeof kernelText>>>(null);
  const format = kernel === null ? undefined : findKernelCard(formats, kernel)?.format.id;
  useEffect(() => {
    if (kernel === null || format === undefined || !params) return;
    // Without it the worker sends the text, later.
    return whileMounted(kernelText(format, kernel, params), setText, () => {});
  }, [kernel, format, params]);
  return text?.kernel === kernel ? text : null;
}

/** The number of no matrix: the text of a kernel is read before one is open. */
const NO_MATRIX = -1;

const NO_KERNELS: readonly string[] = [];

interface VisibleKernelInput {
  readonly kernel: string;
  readonly file: string;
  readonly files: readonly KernelFile[];
  /** if the user edits the kernel: the parameters for which it is written */
  readonly draft: { readonly params: Readonly<Record<string, unknown>> } | null;
  /** the kernel belongs to no exercise: another kernel may be read instead */
  readonly isFree: boolean;
  /** false while the requested kernel is still unknown */
  readonly isKnown: boolean;
}

/**
 * `named`: the requested kernel, or the first. `listed`: the shown kernel, which is the requested one or the fastest that
 * runs on the device.
 */
export function useVisibleKernel({ kernel, file, files, draft, isFree, isKnown }: VisibleKernelInput) {
  const { formats } = useApp();
  const formatOfA = useDocument((doc) => doc.format);
  const params = useDocument((doc) => doc.params);
  const named = useMemo(
    () => kernelToRead(formats, { kernel, file }, files, formatOfA),
    [formats, kernel, file, files, formatOfA],
  );
  const fastest = useFastest(isFree ? named : null);
  const isNamed = kernel !== '' || file !== '';
  const first = isNamed || fastest[0] === undefined ? named : (findKernelCard(formats, fastest[0]) ?? named);
  const id = first?.kernel.id;
  const reading = useReading({
    kernel: isKnown ? (id ?? null) : null,
    params: draft?.params ?? (first ? params[first.format.id] : undefined),
    otherwise: useMemo(() => fastest.filter((other) => other !== id), [fastest, id]),
    isNamed,
    file,
    showsEarlyText: isFree && draft === null,
  });
  const listed = (reading.kind === 'ready' ? findKernelCard(formats, reading.result.kernel) : null) ?? first;
  return { named, listed, reading };
}

/** The kernels of the same format and operation, the fastest first according to the reports; none for null. */
function useFastest(listed: ListedKernel | null): readonly string[] {
  const app = useApp();
  const runs = useSession((s) => s.bench.runs);
  const summary = useSession((s) => s.summary);
  const loaded = useStore(pageRecordings(app).store, (recordings) => recordings.loaded);
  return useMemo(() => {
    if (listed === null || summary === null) return NO_KERNELS;
    const recorded = Object.values(loaded).flatMap(({ reports }) => reports);
    return fastestFirst(listed.format, listed.kernel.operation, summary, [
      ...runs.flatMap(({ reports }) => reports),
      ...recorded,
    ]);
  }, [listed, summary, runs, loaded]);
}
