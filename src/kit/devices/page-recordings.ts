import type { Progress } from '../../core/job.ts';
import { hasKernelChanged, fullDeviceReports } from '../../core/reports/recording.ts';
import { createRecordings, type Recordings, type RecordingSource, withRecordedKernels } from '../../state/index.ts';
import { type App, oncePerPage } from '../app-context.ts';
import { registerPart } from '../browser/lazy-part.ts';
import type { BenchRequest } from '../../engine/bench/bench-types.ts';

/** The folder of the site with the recordings: runs on other devices, whose times a page without a GPU can show. */
const FOLDER = 'recordings';

async function fetchFile(file: string, signal?: AbortSignal): Promise<Response> {
  const path = `${FOLDER}/${file}`;
  const response = await fetch(new URL(path, document.baseURI), signal ? { signal } : {});
  if (!response.ok) throw new Error(`${path}: found status ${response.status}, expected 200`);
  return response;
}

const checks = () => import('../../core/reports/recording-check.ts');
const kernelHashes = () => import('../../formats/hashes.ts');

let indexText: Promise<string> | null = null;

/** The text of the list of recordings, fetched once; after a failure it is fetched again. */
function index(): Promise<string> {
  indexText ??= fetchFile('index.json').then((response) => response.text());
  indexText.catch(() => (indexText = null));
  return indexText;
}

// Preloaded: the list is short, and with it the page can name its recordings without a network.
for (const part of [checks, kernelHashes, index]) registerPart(part);

/** Fetches recordings from the folder of the site, and checks them. */
const SOURCE: RecordingSource = {
  async entries() {
    const [text, { checkRecordingIndex }] = await Promise.all([index(), checks()]);
    return checkRecordingIndex('recordings/index.json', parseJson('recordings/index.json', text)).recordings;
  },
  async load({ id, name, bytes }, { signal, onProgress }) {
    const file = `${id}.json`;
    const response = await fetchFile(file, signal);
    const progress = (done: number): Progress => ({ what: `loading the recording of ${name}`, done, total: bytes });
    const text = await textOf(response, (done) => onProgress(progress(done)));
    const [{ checkRecording }, { hashes }] = await Promise.all([checks(), kernelHashes()]);
    const recording = checkRecording(file, parseJson(file, text));
    return {
      reports: fullDeviceReports(recording),
      changed: new Set(Object.keys(recording.kernels).filter((kernel) => hasKernelChanged(recording, kernel, hashes))),
    };
  },
};

/** The text of a response; `onBytes` receives the number of bytes so far. */
async function textOf({ body }: Response, onBytes: (bytes: number) => void): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    onBytes(bytes);
    text += decoder.decode(value, { stream: true });
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file}: found '${text.slice(0, 40).trim()}', expected JSON`);
  }
}

const create = (): Recordings => createRecordings(SOURCE);

/** The recordings that come with the site, one store for the whole page: once loaded, they stay. */
export function pageRecordings(app: App): Recordings {
  return oncePerPage(app, create);
}

/** How long a run waits for a recording that is being loaded. */
const LOAD_MS = 1000;

/**
 * Loads a recording of a device of the same vendor as this one, unless one is loaded. Resolves once it is loaded or has
 * failed to load, at the latest after a second. A run that tries the recording's fastest kernels first has a first time
 * near its last.
 */
export async function fastKernelsLoaded(app: App): Promise<void> {
  const { device } = app.session.store.getState();
  if (device?.kind !== 'ready') return;
  const { vendor } = device.environment.adapter;
  const recordings = pageRecordings(app);
  const load = async (): Promise<void> => {
    await recordings.list();
    const { entries, loaded } = recordings.store.getState();
    const ofVendor = entries?.filter(
      ({ name }) => vendor !== '' && name.toLowerCase().startsWith(vendor.toLowerCase()),
    );
    const [entry] = ofVendor ?? [];
    if (!entry || ofVendor?.some(({ id }) => loaded[id])) return;
    // `need` would cancel another recording that is being loaded.
    await untilLoaded(recordings);
    await recordings.need(entry.id);
    // The recording may have been loading already: then `need` returns at once.
    await untilLoaded(recordings);
  };
  let timeout: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([load(), new Promise<void>((resolve) => (timeout = setTimeout(resolve, LOAD_MS)))]);
  clearTimeout(timeout);
}

/** Resolves once no recording is being loaded. */
async function untilLoaded({ store }: Recordings): Promise<void> {
  if (store.getState().loading === null) return;
  await new Promise<void>((resolve) => {
    const unsubscribe = store.subscribe(({ loading }) => {
      if (loading !== null) return;
      unsubscribe();
      resolve();
    });
  });
}

/** The request with the kernels that were fast in runs of this browser or in loaded recordings, to be tried first. */
export function withFastKernels(app: App, request: BenchRequest): BenchRequest {
  const { device, summary, bench } = app.session.store.getState();
  const matrix = request.workload.kind === 'stage' ? summary : request.workload.spec; // 'stage': the open matrix
  if (matrix?.density === undefined || device?.kind !== 'ready') return request;
  const loaded = Object.values(pageRecordings(app).store.getState().loaded);
  const reports = [...bench.runs.flatMap((run) => run.reports), ...loaded.flatMap((recording) => recording.reports)];
  const { rows, cols, density } = matrix;
  return withRecordedKernels(request, { rows, cols, density }, device.environment.adapter.vendor, reports);
}
