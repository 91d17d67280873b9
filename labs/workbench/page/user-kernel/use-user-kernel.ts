// The state of a user's kernel for a custom format: its text, and the results of its runs.

import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { messageOf } from '../../../../src/core/error-messages.ts';
import type { LawReport } from '../../own/laws.ts';
import { type ModuleDescription, type UserArray, paramsOf } from '../../own/parse-answers.ts';
import type { UserParams } from '../../own/module-messages.ts';
import { arraysText, declaredInputs } from '../../../../src/core/declared/accessors.ts';
import { startText } from '../../own/kernel/start-text.ts';
import type { ModuleEvaluation } from '../../own/user-format-session.ts';
import { useApp, useSession } from '../../../../src/kit/app-context.ts';
import { matrixText } from '../drafts/use-run.ts';
import { type Job, useMatrixJob } from '../../../../src/kit/use-job.ts';
import { createKernelRuns, type KernelRun } from '../kernel-drafts/draft-runs.ts';
import { type DraftResult, emptyResult, withEvent } from '../kernel-drafts/draft-result.ts';
import type { MemoryAnswer } from '../service/drafts/draft-types.ts';
import type { EncodeModuleOnPage, UserKernelRequest, UserTrialRequest } from '../service/own/kernel-types.ts';
import type { userKernelService } from '../service/own/service.ts';
import { type FormatDraft, FORMAT_DRAFTS, type FormatText } from '../../provider/format-library.ts';
import { createDraftLibrary, type DraftLibrary } from '../../library/draft-library.ts';
import { browserDraftStore, type DraftStore } from '../../library/draft-store.ts';
import { browserStore } from '../../../../src/state/index.ts';
import { CsrMatrix } from '../../../../src/core/matrix/index.ts';
import { requestSetup, encodeAndDecode } from '../../own/module-requests.ts';

/** What the worker needs to try a kernel: the request, and a function that encodes matrices in the page. */
interface Trial {
  readonly request: UserTrialRequest;
  readonly encode: EncodeModuleOnPage;
}

/** The kernels for custom formats, by the name of the format. */
type KernelTexts = DraftLibrary<FormatText, FormatDraft>;

/** The kernels in `storage`, where changes are saved. */
export function createKernelTexts(storage: DraftStore<FormatDraft>): KernelTexts {
  return createDraftLibrary({ ...FORMAT_DRAFTS, plural: 'kernels' }, storage, () => new Date());
}

/** Created on first use, once for the page. */
let pageLibrary: KernelTexts | null = null;

/** The kernels stored in this browser; the first call starts to load them. */
function kernelTexts(): KernelTexts {
  if (pageLibrary) return pageLibrary;
  pageLibrary = createKernelTexts(browserDraftStore(FORMAT_DRAFTS, browserStore('kernels')));
  window.addEventListener('pagehide', pageLibrary.leave);
  void pageLibrary.load();
  return pageLibrary;
}

/** A custom format whose kernel is being written. */
export interface KernelFormat {
  /** its name in an address */
  readonly name: string;
  /** its code in JavaScript */
  readonly text: string;
  readonly description: ModuleDescription;
  readonly params: UserParams;
  /** its arrays with these parameters */
  readonly arrays: readonly UserArray[];
  /** results of its tests, such as that decode undoes encode; null while they run */
  readonly laws: LawReport | null;
  /** Evaluates a module in the sandbox. */
  readonly evaluate: (text: string) => ModuleEvaluation;
  /** storage of kernels; default: this browser */
  readonly kernels?: KernelTexts;
}

/** The kernel of a custom format on the page: its text, its runs, and the functions of its buttons. */
export interface UserKernelState {
  /** the WGSL that the user writes */
  readonly code: string;
  /** its initial text, which depends on the arrays */
  readonly start: string;
  /** generated WGSL that binds the arrays; cannot be edited */
  readonly arraysCode: string;
  readonly write: (code: string) => void;
  /** why this browser could not store the text; null if it could */
  readonly rejection: string | null;
  readonly result: DraftResult | null;
  /** whether the text is still the one that was run */
  readonly isCurrent: boolean;
  readonly isRunning: boolean;
  readonly run: () => void;
  readonly cancel: () => void;
  /** the loads of a workgroup's lanes */
  readonly loads: Job<MemoryAnswer>;
  readonly recordLoads: (workgroup: number) => void;
  /** whether the format passes all its tests; if not, its kernel is not timed; null while they run */
  readonly areLawsSatisfied: boolean | null;
}

/** The kernel of a format: its text, stored by the format's name, and its runs. */
export function useUserKernel(format: KernelFormat): UserKernelState {
  const { name, text, description, params, arrays, laws, evaluate } = format;
  const { engine, session, document } = useApp();
  const { store, put } = format.kernels ?? kernelTexts();
  const openMatrix = useSession((s) => s.summary);
  const device = useSession((s) => s.device);
  const arrayInputs = useMemo(() => declaredInputs(arrays, params), [arrays, params]);
  const start = useMemo(() => startText(description.title, arrayInputs), [description.title, arrayInputs]);
  const arraysCode = useMemo(() => arraysText(description.title, arrayInputs), [description.title, arrayInputs]);
  // Undefined if none is stored: the initial text is shown.
  const stored = useStore(store, (s) => s.drafts.find(({ id }) => id === name));
  const rejection = useStore(store, (s) => s.rejection);
  const [lastRun, setLastRun] = useState<{ readonly code: string; readonly result: DraftResult } | null>(null);
  const running = useRef<KernelRun | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const code = stored?.text ?? start;

  const write = (next: string): void =>
    put({ id: name, text: next, changedAt: new Date().toISOString(), versions: [] });

  const requestOf = (): UserKernelRequest => ({ name, description, params, text: code, overrides: {} });
  const cancel = (): void => running.current?.cancel();
  useEffect(() => () => running.current?.cancel(), []);

  const areLawsSatisfied = laws === null ? null : laws.laws.every(({ broken }) => broken === null);
  const service = engine.service<typeof userKernelService>('own-kernels');
  const [tryKernel] = useState(() =>
    createKernelRuns<Trial>(session, 'Trying a kernel', (options, { request, encode }, onEvent) =>
      service.trial(options, request, encode, onEvent),
    ),
  );
  // Each run evaluates the module in a new sandbox, which encodes the matrices, and ends it afterwards.
  const run = (): void => {
    const adapter = device?.kind === 'ready' ? device.environment.adapter : null;
    let result = emptyResult(openMatrix ? matrixText(openMatrix) : 'the matrix', adapter);
    const module = encodingModule(evaluate(text), description, params);
    const request = { ...requestOf(), time: areLawsSatisfied === true, otherParams: document.getState().params };
    const started = tryKernel({ request, encode: module.encode }, (event) => {
      result = withEvent(result, event);
      if (running.current === started) setLastRun({ code, result });
    });
    running.current = started;
    setIsRunning(true);
    setLastRun({ code, result });
    void started.done.finally(() => {
      module.end();
      if (running.current !== started) return;
      running.current = null;
      setIsRunning(false);
    });
  };

  const key = ['Watching a kernel', name, text, params, code] as const;
  const loads = useMatrixJob<MemoryAnswer>(key, null, { cancelWhenUnmounted: true });
  const recordLoads = (workgroup: number): void =>
    loads.startWith(async ({ signal }) => {
      const module = encodingModule(evaluate(text), description, params);
      try {
        return await service.memory({ signal }, { ...requestOf(), workgroup }, module.encode);
      } finally {
        module.end();
      }
    });

  return {
    code,
    start,
    arraysCode,
    write,
    rejection,
    result: lastRun?.result ?? null,
    isCurrent: lastRun?.code === code,
    isRunning,
    run,
    cancel,
    loads,
    recordLoads,
    areLawsSatisfied,
  };
}

/** The format's code in the sandbox: `encode` runs it; `end` terminates it. */
interface EncodingModule {
  readonly encode: EncodeModuleOnPage;
  readonly end: () => void;
}

/** Prepares the format's code, evaluated in the sandbox, to encode matrices. `encode` returns errors as outcomes. */
function encodingModule(module: ModuleEvaluation, description: ModuleDescription, params: UserParams): EncodingModule {
  const setup = requestSetup(module, description, paramsOf(description, params));
  // Handled in `encode`; without this, an unused setup would be an unhandled rejection.
  setup.catch(() => {});
  return {
    async encode({ rows, cols, starts, columns, values }) {
      try {
        const outcome = await setup;
        if (outcome.kind !== 'done') return outcome;
        const matrix = new CsrMatrix({ rows, cols, indptr: starts, indices: columns, data: values });
        return await encodeAndDecode(module, outcome.result, matrix, false);
      } catch (error) {
        return { kind: 'failed', message: messageOf(error), line: 0 };
      }
    },
    end: module.end,
  };
}
