import * as Comlink from 'comlink';
import type { EngineApi, EngineThreadApi, ReportProgress, TakeReport } from './protocol.ts';
import type { Locks } from './pulse.ts';

/** The page's listener as it arrives here: every call is a message, and it holds a port until it is released. */
type RemoteProgress = Comlink.Remote<ReportProgress & Comlink.ProxyMarked>;

/** Runs `work` with a listener that is local, and releases the port when it is done. */
async function listening<T>(onProgress: ReportProgress, work: (onProgress: ReportProgress) => Promise<T>): Promise<T> {
  const remote = onProgress as unknown as RemoteProgress;
  try {
    return await work((progress) => void remote(progress));
  } finally {
    remote[Comlink.releaseProxy]();
  }
}

/** The same for a listener whose answer is waited for: it has what it was given before the call that gave it ends. */
async function handing<T>(takeReport: TakeReport, work: (takeReport: TakeReport) => Promise<T>): Promise<T> {
  const remote = takeReport as unknown as Comlink.Remote<TakeReport & Comlink.ProxyMarked>;
  try {
    return await work(async (report) => {
      await remote(report);
    });
  } finally {
    remote[Comlink.releaseProxy]();
  }
}

/**
 * Offers an engine at `endpoint`, in a worker to its page, with its signs of life. Results that are arrays are handed
 * over, not copied. `locks` are those of the browser, where it has any.
 */
export function exposeEngine(engine: EngineApi, endpoint?: Comlink.Endpoint, locks?: Locks): void {
  const exposed: EngineThreadApi = {
    open: (job, request, onProgress) => listening(onProgress, (report) => engine.open(job, request, report)),
    tensors: (job, request, onProgress) => listening(onProgress, (report) => engine.tensors(job, request, report)),
    preview: (job, request, onProgress) => listening(onProgress, (report) => engine.preview(job, request, report)),
    encodingFile: (job, format, params, kind, onProgress) =>
      listening(onProgress, (report) => engine.encodingFile(job, format, params, kind, report)),
    matrixFile: (job, kind, onProgress) => listening(onProgress, (report) => engine.matrixFile(job, kind, report)),
    async spy(request) {
      const tile = await engine.spy(request);
      return Comlink.transfer(tile, [tile.buckets.buffer]);
    },
    async marginals(rowBuckets, colBuckets) {
      const both = await engine.marginals(rowBuckets, colBuckets);
      return Comlink.transfer(both, [both.rowDensity.buffer, both.colDensity.buffer]);
    },
    async window(region) {
      const cells = await engine.window(region);
      return Comlink.transfer(cells, [cells.indptr.buffer, cells.indices.buffer, cells.data.buffer]);
    },
    async pruningRanks(job, region, way) {
      const ranked = await engine.pruningRanks(job, region, way);
      const { indptr, indices, data, ranks } = ranked;
      return Comlink.transfer(ranked, [indptr.buffer, indices.buffer, data.buffer, ranks.buffer]);
    },
    async tileCounts(job, tileWidth) {
      const counts = await engine.tileCounts(job, tileWidth);
      return Comlink.transfer(counts, [counts.rows.buffer, counts.tileRows.buffer, counts.fullest.buffer]);
    },
    encode: (job, format, params, onProgress) =>
      listening(onProgress, (report) => engine.encode(job, format, params, report)),
    device: () => engine.device(),
    bench: (job, request, onProgress, takePart) =>
      listening(onProgress, (report) => handing(takePart, (take) => engine.bench(job, request, report, take))),
    sweep: (job, request, axis, onProgress, takeReport) =>
      listening(onProgress, (report) => handing(takeReport, (take) => engine.sweep(job, request, axis, report, take))),
    setHidden: (hidden) => engine.setHidden(hidden),
    cancel: (job) => engine.cancel(job),
    async ping() {},
    holdLock: (name) =>
      new Promise((resolve) => {
        if (!locks) return resolve(false);
        const hold = (): Promise<never> => {
          resolve(true);
          return new Promise(() => {});
        };
        locks.request(name, hold).catch(() => resolve(false));
      }),
  };
  Comlink.expose(exposed, endpoint);
}
