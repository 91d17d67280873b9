/** Bytes that are kept of all files together. */
const MAX_BYTES = 2 ** 26;

/** Bytes of a file from `from` on. */
interface Segment {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** A remote file, as far as it has been read. */
export interface KnownFile {
  readonly name: string;
  readonly size: number;
  /** changes with the content; null when nothing tells whether that is still the same */
  readonly validator: string | null;
  /** the server sends parts; otherwise the file was read whole */
  readonly sendsParts: boolean;
}

/**
 * What was read of remote files, so that a list, a look and an opening ask for each byte once. Least recently used
 * bytes go first. Knows nothing of servers: who asks it makes sure that the file is still the same.
 */
export class RemoteCache {
  readonly #maxBytes: number;
  readonly #files = new Map<string, KnownFile>();
  /** in the order of their use, oldest first */
  readonly #segments = new Map<Segment, KnownFile>();
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The file of this key; null when there is none, or when it was read whole and that is no longer here. */
  file(key: string): KnownFile | null {
    return this.#files.get(key) ?? null;
  }

  /** Takes the place of what was known of this key, of which nothing stays. */
  open(key: string, file: KnownFile): void {
    const old = this.#files.get(key);
    this.#files.set(key, file);
    for (const [segment, owner] of this.#segments) if (owner === old) this.#drop(segment);
  }

  /** The bytes of a file from `at` on, as many as are here in one piece; null when there are none. */
  bytesAt(file: KnownFile, at: number): Uint8Array | null {
    for (const [segment, owner] of this.#segments) {
      if (owner !== file || at < segment.from || at >= segment.from + segment.bytes.length) continue;
      this.#segments.delete(segment);
      this.#segments.set(segment, file);
      return segment.bytes.subarray(at - segment.from);
    }
    return null;
  }

  /** Keeps bytes, which nobody changes from now on, if they are not more than there is room for. */
  keep(file: KnownFile, from: number, bytes: Uint8Array): void {
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
    if (owner?.sendsParts !== false) return;
    for (const [key, file] of this.#files) if (file === owner) this.#files.delete(key);
  }
}
