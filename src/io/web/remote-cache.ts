/** Default limit of the bytes of all files together. */
const MAX_BYTES = 2 ** 26;

/** Bytes of a remote file that were read together, from `from` on. */
interface Segment {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** Size, name and validator of a remote file. */
export interface CachedFile {
  readonly name: string;
  readonly size: number;
  /** changes with the content; null if the server sends none */
  readonly validator: string | null;
  /** the server supports ranges; otherwise the file was read whole */
  readonly supportsRanges: boolean;
}

/** Bytes already read from remote files, so that each is requested once; evicts the least recently used ones first. */
export class RemoteCache {
  readonly #maxBytes: number;
  readonly #files = new Map<string, CachedFile>();
  /** least recently used first */
  readonly #segments = new Map<Segment, CachedFile>();
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The file of this key; null if there is none, or if it was read whole and its bytes were evicted. */
  file(key: string): CachedFile | null {
    return this.#files.get(key) ?? null;
  }

  /** Registers a file under this key, and drops the bytes of the file that it replaces. */
  open(key: string, file: CachedFile): void {
    const old = this.#files.get(key);
    this.#files.set(key, file);
    for (const [segment, owner] of this.#segments) if (owner === old) this.#drop(segment);
  }

  /** The bytes of a file from `at`, as many as are contiguous; null if there are none. */
  bytesAt(file: CachedFile, at: number): Uint8Array | null {
    for (const [segment, owner] of this.#segments) {
      if (owner !== file || at < segment.from || at >= segment.from + segment.bytes.length) continue;
      this.#segments.delete(segment);
      this.#segments.set(segment, file);
      return segment.bytes.subarray(at - segment.from);
    }
    return null;
  }

  /** Keeps bytes, which must not change from now on, unless they alone exceed the limit. */
  keep(file: CachedFile, from: number, bytes: Uint8Array): void {
    if (bytes.length === 0 || bytes.length > this.#maxBytes) return;
    this.#segments.set({ from, bytes }, file);
    this.#bytes += bytes.length;
    for (const segment of this.#segments.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#drop(segment);
    }
  }

  #drop(segment: Segment): void {
    const owner = this.#segments.get(segment);
    this.#segments.delete(segment);
    this.#bytes -= segment.bytes.length;
    if (owner?.supportsRanges !== false) return;
    for (const [key, file] of this.#files) if (file === owner) this.#files.delete(key);
  }
}
