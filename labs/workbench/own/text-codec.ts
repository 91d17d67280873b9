/**
 * Serialises requests to a sandbox and its answers as texts: JSON, then the bytes of typed arrays as characters below
 * 256. In Node, code in the sandbox gets texts only: through an object's constructor it could reach the process.
 */

const KINDS = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float32Array, Float64Array };
type Kind = keyof typeof KINDS;

/** The JSON form of a typed array. */
interface ListMark {
  readonly list: Kind;
  readonly length: number;
}

/** Bytes per call of String.fromCharCode, whose number of arguments is limited. */
const CHUNK_BYTES = 8192;

/** Returns the bytes as characters below 256. */
function charactersOf(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    text += String.fromCharCode.apply(null, Array.from(bytes.subarray(start, start + CHUNK_BYTES))); // bounded: a chunk
  }
  return text;
}

/** Serialises a value. */
export function toText(value: unknown): string {
  const payload: string[] = [];
  const json = JSON.stringify(value, (_, inner: unknown) => {
    if (!ArrayBuffer.isView(inner)) return inner;
    const list = Object.keys(KINDS).find((name) => inner instanceof KINDS[name as Kind]) as Kind | undefined;
    if (!list) throw new TypeError(`found another typed array, expected ${Object.keys(KINDS).join(', ')}`);
    payload.push(charactersOf(new Uint8Array(inner.buffer, inner.byteOffset, inner.byteLength)));
    const mark: ListMark = { list, length: (inner as Uint8Array).length };
    return mark;
  });
  return `${json.length}\n${json}${payload.join('')}`;
}

/** Parses the result of `toText`. Throws SyntaxError or RangeError for any other text. */
export function fromText(text: string): unknown {
  const end = text.indexOf('\n');
  const length = Number(text.slice(0, end));
  let position = end + 1 + length;
  return JSON.parse(text.slice(end + 1, position), (_, inner: unknown) => {
    const { list, length: count } = Object(inner) as Partial<ListMark>;
    if (list === undefined || !Object.hasOwn(KINDS, list) || typeof count !== 'number') return inner;
    const Kind = KINDS[list];
    if (!(count >= 0 && count * Kind.BYTES_PER_ELEMENT <= text.length - position)) {
      throw new RangeError(`found ${text.length - position} bytes for ${count} elements`);
    }
    const elements = new Kind(count);
    const bytes = new Uint8Array(elements.buffer);
    for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(position++);
    return elements;
  });
}
