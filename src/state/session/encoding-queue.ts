import { type AnyListedFormat, storedKey } from '../../core/format.ts';
import type { ReportProgress } from '../../engine/bridge/service-job.ts';
import { type AppDocument, type FormatParams, equalChoices, type FormatChoice } from '../document.ts';
import { failureText } from '../error-messages.ts';
import { isCancelled, isEngineDeath, type SessionContext } from './session-context.ts';
import { type EncodingState, newJob, type SessionState } from './session-state.ts';
import { remainingTime } from '../time-left.ts';

// The queue of encodings of the open matrix: first in format A (shown) and B (compared with it), then in all others.

/** An encoding during which the worker (the engine) has died this often is not tried again. */
const MAX_DEATHS = 2;

/** The key of B's encoding if the document (page state) has other parameters for B's format; no format has this id. */
const AGAINST_KEY = 'against B';

/** The state of the encoding in this format with these parameters; undefined if there is none. */
export function encodingOf(
  encodings: SessionState['encodings'],
  { format, params }: FormatChoice,
): EncodingState | undefined {
  return [encodings[format], encodings[AGAINST_KEY]].find((state) => {
    // Until the document's next B has been processed, the state of B may belong to another format.
    if (!state || (state.kind === 'ready' && state.summary.format !== format)) return false;
    return equalChoices({ format, params: state.params }, { format, params });
  });
}

/** An encoding that the page needs: a format with its parameters. */
interface EncodingRequest {
  /** the key of its state: the id of the format, or `AGAINST_KEY` */
  readonly key: string;
  readonly format: AnyListedFormat;
  readonly params: FormatParams;
}

export type EncodingQueue = ReturnType<typeof createEncodingQueue>;

/** Encodes the matrix in every format, one at a time: A first, then B, then the others, the cheapest first. */
export function createEncodingQueue(context: SessionContext) {
  const { matrix, store, formats, document, catalog } = context;
  let running: (EncodingRequest & { readonly abort: AbortController }) | null = null;

  /** formats that the user requested: a matrix of which only some rows were generated is encoded only in these */
  const requested = new Set<string>();

  /** how often the engine died over an encoding, by matrix, format and parameters */
  const deaths = new Map<string, number>();

  /** The encodings that a document needs, the cheapest first, B last if it has its own parameters. */
  const requestsFor = ({ params, formatB }: AppDocument): readonly EncodingRequest[] => {
    const cheapestFirst = formats.toSorted((a, b) => a.effort - b.effort);
    const all = cheapestFirst.map((format): EncodingRequest => ({ key: format.id, format, params: params[format.id] }));
    const b = formatB && all.find(({ key }) => key === formatB.format);
    if (!formatB || !b || equalChoices(formatB, { format: b.key, params: b.params })) return all;
    return [...all, { key: AGAINST_KEY, format: b.format, params: formatB.params }];
  };

  const deathKey = ({ source }: AppDocument, { format, params }: EncodingRequest): string =>
    JSON.stringify([source, storedKey(format.id, params)]);
  /** The state of an encoding before it starts: failed if the engine has died over it too often. */
  const initialState = (doc: AppDocument, request: EncodingRequest): EncodingState => {
    const { params } = request;
    return (deaths.get(deathKey(doc, request)) ?? 0) < MAX_DEATHS
      ? { kind: 'waiting', params }
      : { kind: 'failed', params, reason: `The engine stopped ${MAX_DEATHS} times while making this encoding.` };
  };

  const stateOf = (key: string): EncodingState | undefined => store.getState().encodings[key];
  const setState = (key: string, state: EncodingState): void => {
    store.setState(({ encodings }) => ({ encodings: { ...encodings, [key]: state } }));
  };
  /** Whether the page still needs the running encoding; another one with its key starts only after it. */
  const isAwaited = ({ key }: EncodingRequest): boolean => stateOf(key)?.kind === 'running';

  /** Returns the running encoding to the queue. */
  const interrupt = (): void => {
    if (!running) return;
    setState(running.key, { kind: 'waiting', params: running.params });
    running.abort.abort();
  };

  /** A goes first, then B, unless all formats are shown side by side. */
  const preferredIn = ({ view, format, formatB }: AppDocument): readonly string[] =>
    catalog.pages.find(({ id }) => id === view)?.comparesFormats
      ? []
      : [format, ...(formatB === null ? [] : [AGAINST_KEY, formatB.format])];

  /** The waiting encoding to start next. */
  const next = (): EncodingRequest | undefined => {
    const doc = document.getState();
    const preferred = preferredIn(doc);
    const waiting = requestsFor(doc).filter(({ key }) => stateOf(key)?.kind === 'waiting');
    const onDemand = store.getState().summary?.sampledRows !== undefined;
    const open = onDemand ? waiting.filter(({ key }) => requested.has(key)) : waiting;
    const first = preferred.find((id) => open.some(({ key }) => key === id));
    return open.find(({ key }) => key === first) ?? open[0];
  };

  /** Makes one encoding, and sets its state to the result, unless the page no longer needs it. Never rejects. */
  const encode = async (request: EncodingRequest): Promise<void> => {
    const { key, format, params } = request;
    const job = newJob(`Encoding as ${format.title}`);
    const abort = new AbortController();
    const generation = store.getState().summary?.generation ?? 0;
    const estimateMs = remainingTime(() => performance.now());
    running = { ...request, abort };
    setState(key, { kind: 'running', params, job });
    try {
      const onProgress: ReportProgress = (progress) => {
        const state = stateOf(key);
        if (state?.kind !== 'running') return;
        // Encoders that search in rounds name each one in `what`; time is estimated for all of them together.
        const remainingMs = estimateMs({ ...progress, what: job.title });
        setState(key, { ...state, job: { ...state.job, progress, remainingMs } });
      };
      const { signal } = abort;
      if (format.sandboxed) await format.sandboxed.registerWith(matrix, params, signal);
      const summary = await matrix.encode({ signal, onProgress }, format.id, params);
      if (isAwaited(request)) {
        const isCurrent = summary.generation === store.getState().summary?.generation;
        setState(key, isCurrent ? { kind: 'ready', params, summary } : { kind: 'waiting', params });
      }
    } catch (error) {
      if (isEngineDeath(error)) {
        const death = deathKey(document.getState(), request);
        deaths.set(death, (deaths.get(death) ?? 0) + 1);
        if (isAwaited(request)) setState(key, initialState(document.getState(), request));
      } else if (isCancelled(error)) {
        if (isAwaited(request)) setState(key, { kind: 'cancelled', params });
      } else {
        const isOpen = await context.isInWorker(generation);
        if (isAwaited(request))
          setState(
            key,
            isOpen ? { kind: 'failed', params, reason: failureText(error, job.title) } : { kind: 'waiting', params },
          );
      }
    } finally {
      running = null;
    }
  };

  const queue = {
    /** Cancels the running encoding, and returns the states for another matrix: every format waits. */
    restart(doc: AppDocument): SessionState['encodings'] {
      requested.clear();
      running?.abort.abort();
      return Object.fromEntries(requestsFor(doc).map((request) => [request.key, initialState(doc, request)]));
    },
    /** Follows a change of the document: format A goes first, changed parameters are encoded again. */
    follow(doc: AppDocument): void {
      if (!store.getState().summary) return;
      const requests = requestsFor(doc);
      for (const request of requests) {
        if (stateOf(request.key)?.params === request.params) continue;
        if (running?.key === request.key) interrupt();
        setState(request.key, initialState(doc, request));
      }
      if (stateOf(AGAINST_KEY) && !requests.some(({ key }) => key === AGAINST_KEY)) {
        if (running?.key === AGAINST_KEY) interrupt();
        const others = Object.entries(store.getState().encodings).filter(([key]) => key !== AGAINST_KEY);
        store.setState({ encodings: Object.fromEntries(others) });
      }
      const [first] = preferredIn(doc);
      if (running && first !== undefined && running.key !== first && stateOf(first)?.kind === 'waiting') interrupt();
      queue.startNext();
    },
    /** Encodes in a format that failed or was cancelled, or that is encoded only on request. */
    retry(format: string): void {
      const doc = document.getState();
      const request = requestsFor(doc).find(({ key }) => key === format);
      if (!request) return;
      requested.add(format);
      deaths.delete(deathKey(doc, request));
      if (stateOf(format) && running?.key !== format) setState(format, { kind: 'waiting', params: request.params });
      queue.startNext();
    },
    /** Cancels the running encoding; it is not tried again until requested. */
    cancel(): void {
      if (!running) return;
      const state = stateOf(running.key);
      if (state?.kind !== 'running') return;
      setState(running.key, { ...state, job: { ...state.job, cancelling: true } });
      running.abort.abort();
    },
    /** Pauses for a benchmark or a pruning, until `startNext`. */
    pause: interrupt,
    /**
     * Continues if there is work, unless a matrix is being opened or something is being timed, which an encoding would
     * disturb.
     */
    startNext(): void {
      const { summary, isInWorker, bench, opening, quietWork } = store.getState();
      if (running || !summary || !isInWorker || bench.running || opening || quietWork) return;
      const request = next();
      if (request) void encode(request).then(queue.startNext);
    },
  };
  return queue;
}
