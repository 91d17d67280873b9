import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { amount } from '../read-checks.ts';
import { type RandomAccessSource, readBytes } from '../source.ts';
import { Pacer, throwIfCancelled } from '../../core/pace.ts';

// Reads the header of a GGUF file sequentially.

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
  /** offset of the next byte in the file */
  position = 0;

  constructor(source: RandomAccessSource, job: Job) {
    this.#source = source;
    this.#job = job;
  }

  async skip(bytes: number): Promise<void> {
    const end = this.position + bytes;
    if (end > Math.min(this.#source.size, MAX_HEADER_BYTES)) throw this.#beyond(bytes);
    this.position = end;
  }

  u32(): Promise<number> {
    return this.next(4, (view, at) => view.getUint32(at, true));
  }

  /** A number of 64 bits, which must be exact in a double. */
  async u64(): Promise<number> {
    const at = this.position;
    const value = await this.next(8, (view, offset) => view.getBigUint64(offset, true));
    if (value >= 2n ** 53n) throw new ReadError(`byte ${at}: found ${value}, expected below 2^53`);
    return Number(value);
  }

  /** A number of 64 bits, at most `max`; `what`: what it counts, for the message. */
  async count(what: string, max: number): Promise<number> {
    const at = this.position;
    const value = await this.u64();
    if (value > max) throw new ReadError(`byte ${at}: found ${value} ${what}, expected at most ${max}`);
    return value;
  }

  /** A text preceded by its length. */
  async text(): Promise<string> {
    await this.#pauseIfDue();
    const length = await this.count('bytes of a name', MAX_NAME_BYTES);
    return this.next(length, ({ buffer, byteOffset }, at) =>
      new TextDecoder().decode(new Uint8Array(buffer, byteOffset + at, length)),
    );
  }

  async skipText(): Promise<void> {
    await this.#pauseIfDue();
    await this.skip(await this.u64());
  }

  /** Yields and checks for a cancel between two texts, of which a header has hundreds of thousands. */
  #pauseIfDue(): Promise<void> {
    throwIfCancelled(this.#job);
    return this.#pacer.pauseIfDue();
  }

  /** Passes the next `bytes` bytes to `read`, as a view and their offset `at` in it, and returns its result. */
  async next<T>(bytes: number, read: (view: DataView, at: number) => T): Promise<T> {
    const at = this.position - this.#viewStart;
    if (at < 0 || at + bytes > this.#view.byteLength) await this.#load(bytes);
    this.position += bytes;
    return read(this.#view, this.position - bytes - this.#viewStart);
  }

  /** Makes `bytes` bytes available. */
  async #load(bytes: number): Promise<void> {
    const end = Math.min(this.#source.size, MAX_HEADER_BYTES);
    if (this.position + bytes > end) throw this.#beyond(bytes);
    const piece = await readBytes(
      this.#source,
      this.position,
      Math.min(end, this.position + Math.max(bytes, STEP_BYTES)),
    );
    this.#view = new DataView(piece.buffer, piece.byteOffset, piece.byteLength);
    this.#viewStart = this.position;
  }

  /** The error for `bytes` further bytes that the file, or a header of allowed size, does not have. */
  #beyond(bytes: number): ReadError {
    const { size } = this.#source;
    const end = size < MAX_HEADER_BYTES ? 'the end' : `a header of more than ${MAX_HEADER_BYTES} bytes`;
    return new ReadError(
      `byte ${Math.min(size, MAX_HEADER_BYTES)}: found ${end}, expected ${amount(bytes, 'byte')} more from byte ${this.position}`,
    );
  }
}
