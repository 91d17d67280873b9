import * as Comlink from 'comlink';
import type { EngineApi, EngineThreadApi, ReportProgress } from './protocol.ts';
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

/** Takes what a long call has so far. */
type Take<A extends readonly unknown[]> = (...result: A) => void | Promise<void>;

/** The same for a listener whose answer is waited for: it has what it was given before the call that gave it ends. */
async function handing<A extends readonly unknown[], T>(
  take: Take<A>,
  work: (take: Take<A>) => Promise<T>,
): Promise<T> {
  const remote = take as unknown as Comlink.Remote<Take<A> & Comlink.ProxyMarked> & Take<A>;
  try {
    return await work(async (...result) => {
      await remote(...result); // bounded: the arguments of one call
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
    text: (job, request) => engine.text(job, request),
    async tileCounts(job, tileWidth) {
      const counts = await engine.tileCounts(job, tileWidth);
      return Comlink.transfer(counts, [counts.rows.buffer, counts.tileRows.buffer, counts.fullest.buffer]);
    },
    encode: (job, format, params, onProgress) =>
      listening(onProgress, (report) => engine.encode(job, format, params, report)),
    compare: (job, params, onProgress) => listening(onProgress, (report) => engine.compare(job, params, report)),
    bestParams: (job, format, params, onProgress) =>
      listening(onProgress, (report) => engine.bestParams(job, format, params, report)),
    sizes: (job, request, onProgress, takeSize) =>
      listening(onProgress, (report) => handing(takeSize, (take) => engine.sizes(job, request, report, take))),
    kernel: (job, request, onProgress) => listening(onProgress, (report) => engine.kernel(job, request, report)),
    kernelFiles: () => engine.kernelFiles(),
    draft: (job, request, take) => handing(take, (taking) => engine.draft(job, request, taking)),
    async memory(job, request) {
      const answer = await engine.memory(job, request);
      const { counts, siteOf, elements } = answer.trace;
      return Comlink.transfer(answer, [counts.buffer, siteOf.buffer, elements.buffer]);
    },
    loads: (job, request, onProgress) => listening(onProgress, (report) => engine.loads(job, request, report)),
    async subgroupLoads(job, request) {
      const answer = await engine.subgroupLoads(job, request);
      const { siteOf, items, costs } = answer.loads;
      return Comlink.transfer(answer, [siteOf.buffer, items.buffer, costs.buffer]);
    },
    device: () => engine.device(),
    bench: (job, request, onProgress, takePart, before) =>
      listening(onProgress, (report) => handing(takePart, (take) => engine.bench(job, request, report, take, before))),
    sweep: (job, request, axis, onProgress, takeReport, before) =>
      listening(onProgress, (report) =>
        handing(takeReport, (take) => engine.sweep(job, request, axis, report, take, before)),
      ),
    forgetTuning: () => engine.forgetTuning(),
    network: (job, request, onProgress, takeResult) =>
      listening(onProgress, (report) => handing(takeResult, (take) => engine.network(job, request, report, take))),
    digit: (job, request) => engine.digit(job, request),
    async testImages(job, first, count) {
      const images = await engine.testImages(job, first, count);
      return Comlink.transfer(images, [images.pixels.buffer, images.labels.buffer]);
    },
    live: (job, request, take) => handing(take, (taking) => engine.live(job, request, taking)),
    endLive: () => engine.endLive(),
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
