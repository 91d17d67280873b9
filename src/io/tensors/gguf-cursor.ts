import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { Pacer, throwIfCancelled } from '../../core/pace.ts';
import { type RandomAccessSource, readBytes } from '../source.ts';

/** Bytes per read: vocabularies make headers of some megabytes. */
const STEP_BYTES = 2 ** 18;
const MAX_HEADER_BYTES = 2 ** 28;
const MAX_NAME_BYTES = 2 ** 16;

/** Reads little-endian numbers and texts of a file sequentially, a piece at a time. */
export class GgufCursor {
  readonly #source: RandomAccessSource;
  #view = new DataView(new ArrayBuffer(0));
  /** offset of `#view` in the file */
  #viewStart = 0;
  readonly #job: Job;
  readonly #pacer = new Pacer();
  /** bytes read so far */
  position = 0;

  constructor(source: RandomAccessSource, job: Job) {
    this.#source = source;
    this.#job = job;
  }

  async skip(bytes: number): Promise<void> {
    const to = this.position + bytes;
    if (to > Math.min(this.#source.size, MAX_HEADER_BYTES)) throw this.#beyond(bytes);
    this.position = to;
  }

  async u32(): Promise<number> {
    const at = this.#holds(4) ? this.position - this.#viewStart : await this.#load(4);
    this.position += 4;
    return this.#view.getUint32(at, true);
  }

  /** A number of `bytes` bytes, as `read` takes it. */
  async fixed<T>(bytes: number, read: (view: DataView, at: number) => T): Promise<T> {
    const at = this.#holds(bytes) ? this.position - this.#viewStart : await this.#load(bytes);
    this.position += bytes;
    return read(this.#view, at);
  }

  /** A number of 64 bits, which must be exact in a double. */
  async u64(): Promise<number> {
    const at = this.#holds(8) ? this.position - this.#viewStart : await this.#load(8);
    const value = Number(this.#view.getBigUint64(at, true));
    if (!Number.isSafeInteger(value)) {
      throw new ReadError(`byte ${this.position}: found ${value}, expected below 2^53`);
    }
    this.position += 8;
    return value;
  }

  async count(what: string, max: number): Promise<number> {
    const at = this.position;
    const value = await this.u64();
    if (value > max) throw new ReadError(`byte ${at}: found ${value} ${what}, expected at most ${max}`);
    return value;
  }

  /** A text preceded by its length. */
  async text(): Promise<string> {
    await this.#breathe();
    const length = await this.count('bytes of a name', MAX_NAME_BYTES);
    const at = this.#holds(length) ? this.position - this.#viewStart : await this.#load(length);
    this.position += length;
    return new TextDecoder().decode(new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, length));
  }

  async skipText(): Promise<void> {
    await this.#breathe();
    await this.skip(await this.u64());
  }

  /** A header has hundreds of thousands of texts: between two of them a cancel is noticed. */
  #breathe(): Promise<void> {
    throwIfCancelled(this.#job);
    return this.#pacer.breathe();
  }

  #holds(bytes: number): boolean {
    const at = this.position - this.#viewStart;
    return at >= 0 && at + bytes <= this.#view.byteLength;
  }

  /** Makes `bytes` bytes available and returns their offset in the view. */
  async #load(bytes: number): Promise<number> {
    const end = Math.min(this.#source.size, MAX_HEADER_BYTES);
    if (this.position + bytes > end) throw this.#beyond(bytes);
    const piece = await readBytes(
      this.#source,
      this.position,
      Math.min(end, this.position + Math.max(bytes, STEP_BYTES)),
    );
    this.#view = new DataView(piece.buffer, piece.byteOffset, piece.byteLength);
    this.#viewStart = this.position;
    return 0;
  }

  #beyond(bytes: number): ReadError {
    const { size } = this.#source;
    const end = size < MAX_HEADER_BYTES ? 'the end of the file' : `a header of more than ${MAX_HEADER_BYTES} bytes`;
    return new ReadError(
      `byte ${Math.min(size, MAX_HEADER_BYTES)}: found ${end}, expected ${bytes} bytes more from byte ${this.position}`,
    );
  }
}
