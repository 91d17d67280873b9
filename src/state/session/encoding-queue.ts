import type { AnyListedFormat } from '../../core/format.ts';
import type { ReportProgress } from '../../engine/bridge/job.ts';
import type { AppDocument, FormatParams } from '../document.ts';
import { isCancelled, isEngineDeath, sentenceOf, type SessionContext } from './session-context.ts';
import { type EncodingState, newJob, type SessionState } from './session-state.ts';
import { timeLeft } from '../time-left.ts';

/** Once it died so often over the same encoding, the engine is not asked for it again. */
const MOST_DEATHS = 2;

/** Encodes the matrix in every format, one at a time: the format on the stage first, the others for comparison, the cheapest first. */
export interface EncodingQueue {
  /** Cancels what runs, and gives the states for another matrix: every format waits. */
  restart(doc: AppDocument): SessionState['encodings'];
  /** The document has changed: its format goes first, changed parameters are encoded again. */
  follow(doc: AppDocument): void;
  retry(format: string): void;
  /** Cancels the running encoding; it is not tried again until asked. */
  cancel(): void;
  /** Gives the machine to a benchmark or a pruning; the queue waits until `pump`. */
  hold(): void;
  /** Goes on if there is something to do, and no matrix is being opened: encodings of the old one may be for nothing. */
  pump(): void;
}

export function createEncodingQueue(context: SessionContext): EncodingQueue {
  const { matrix, store, formats, document, catalog } = context;
  let running: { readonly format: string; readonly params: FormatParams; readonly abort: AbortController } | null =
    null;

  /** formats that a person asked for: stand-in weights are made whole for no other */
  const asked = new Set<string>();

  /** how often the engine died over an encoding, by matrix, format and parameters */
  const deaths = new Map<string, number>();

  const keyOf = ({ source, params }: AppDocument, format: string): string =>
    JSON.stringify([source, format, params[format]]);
  /** A format that is to be encoded, unless that has brought the engine down before. */
  const fresh = (doc: AppDocument, format: string): EncodingState => {
    const params = doc.params[format];
    return (deaths.get(keyOf(doc, format)) ?? 0) < MOST_DEATHS
      ? { kind: 'waiting', params }
      : { kind: 'failed', params, reason: `The engine stopped ${MOST_DEATHS} times while making this encoding.` };
  };

  const stateOf = (format: string): EncodingState | undefined => store.getState().encodings[format];
  const setState = (format: string, state: EncodingState): void => {
    store.setState(({ encodings }) => ({ encodings: { ...encodings, [format]: state } }));
  };
  /** Whether the screen still waits for the encoding that runs; another one of the format begins only after it. */
  const isAwaited = (format: string): boolean => stateOf(format)?.kind === 'running';
  const isWaiting = (format: AnyListedFormat): boolean => stateOf(format.id)?.kind === 'waiting';

  /** The running encoding goes back to the queue. */
  const interrupt = (): void => {
    if (!running) return;
    setState(running.format, { kind: 'waiting', params: running.params });
    running.abort.abort();
  };

  const cheapestFirst = formats.toSorted((a, b) => a.effort - b.effort);
  /** The format on the stage goes first, but where all are looked at side by side. */
  const preferredIn = ({ view, format }: AppDocument): string | null =>
    catalog.places.find(({ id }) => id === view)?.comparesFormats ? null : format;

  const next = (): AnyListedFormat | undefined => {
    const preferred = preferredIn(document.getState());
    const waiting = cheapestFirst.filter(isWaiting);
    const onDemand = preferred !== null && store.getState().summary?.sampledRows !== undefined;
    const wanted = onDemand ? waiting.filter(({ id }) => asked.has(id)) : waiting;
    return wanted.find(({ id }) => id === preferred) ?? wanted[0];
  };

  const encode = async (format: AnyListedFormat): Promise<void> => {
    const params = document.getState().params[format.id];
    const job = newJob(`Encoding as ${format.title}`);
    const abort = new AbortController();
    const left = timeLeft(() => performance.now());
    running = { format: format.id, params, abort };
    setState(format.id, { kind: 'running', params, job });
    try {
      const onProgress: ReportProgress = (progress) => {
        const state = stateOf(format.id);
        if (state?.kind !== 'running') return;
        // A search names every round anew; how long all of it will take is what can be told.
        const leftMs = left({ ...progress, what: job.title });
        setState(format.id, { ...state, job: { ...state.job, progress, leftMs } });
      };
      const summary = await matrix.encode({ signal: abort.signal, onProgress }, format.id, params);
      if (isAwaited(format.id)) {
        const isCurrent = summary.generation === store.getState().summary?.generation;
        setState(format.id, isCurrent ? { kind: 'ready', params, summary } : { kind: 'waiting', params });
      }
    } catch (error) {
      if (isEngineDeath(error)) {
        const key = keyOf(document.getState(), format.id);
        deaths.set(key, (deaths.get(key) ?? 0) + 1);
        if (isAwaited(format.id)) setState(format.id, fresh(document.getState(), format.id));
      } else if (isAwaited(format.id)) {
        setState(
          format.id,
          isCancelled(error) ? { kind: 'cancelled', params } : { kind: 'failed', params, reason: sentenceOf(error) },
        );
      }
    } finally {
      running = null;
    }
  };

  const queue: EncodingQueue = {
    restart(doc) {
      asked.clear();
      running?.abort.abort();
      return Object.fromEntries(formats.map(({ id }) => [id, fresh(doc, id)]));
    },
    follow(doc) {
      for (const format of formats) {
        const params = doc.params[format.id];
        const state = stateOf(format.id);
        if (!state || state.params === params) continue;
        if (running?.format === format.id) interrupt();
        setState(format.id, fresh(doc, format.id));
      }
      const preferred = preferredIn(doc);
      if (running && preferred !== null && running.format !== preferred && stateOf(preferred)?.kind === 'waiting') {
        interrupt();
      }
      queue.pump();
    },
    retry(format) {
      asked.add(format);
      const params = document.getState().params[format];
      deaths.delete(keyOf(document.getState(), format));
      if (stateOf(format) && running?.format !== format) setState(format, { kind: 'waiting', params });
      queue.pump();
    },
    cancel() {
      if (!running) return;
      const state = stateOf(running.format);
      if (state?.kind !== 'running') return;
      setState(running.format, { ...state, job: { ...state.job, cancelling: true } });
      running.abort.abort();
    },
    hold: interrupt,
    pump() {
      const { summary, held, bench, opening, trying } = store.getState();
      if (running || !summary || !held || bench.running || opening || trying) return;
      const format = next();
      if (format) void encode(format).then(queue.pump);
    },
  };
  return queue;
}
