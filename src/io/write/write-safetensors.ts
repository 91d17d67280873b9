import { ELEMENT_BYTES } from '../elements.ts';
import { type NamedTensor, tensorBytes, tensorLength } from '../tensors/named-tensors.ts';

/** Arrays as a safetensors file, in pieces, with `facts` as metadata; wide elements first, so that all are aligned. */
export function writeSafetensors(
  tensors: readonly NamedTensor[],
  facts: Readonly<Record<string, string>>,
): readonly Uint8Array<ArrayBuffer>[] {
  const sorted = tensors.toSorted((a, b) => ELEMENT_BYTES[b.type] - ELEMENT_BYTES[a.type]);
  const head = safetensorsHead(
    sorted.map((tensor) => ({
      name: tensor.name,
      type: tensor.type.toUpperCase(),
      shape: [tensorLength(tensor)],
      bytes: tensor.data.byteLength,
    })),
    facts,
  );
  return [head, ...sorted.map(tensorBytes)];
}

/** The description of a tensor in a header; `type` as in the file: 'F16'. */
interface HeadTensor {
  readonly name: string;
  readonly type: string;
  readonly shape: readonly number[];
  readonly bytes: number;
}

/** The length of a safetensors header and the header, padded to 8 bytes; the data of `tensors` follows without gaps. */
export function safetensorsHead(
  tensors: readonly HeadTensor[],
  facts: Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer> {
  const header: Record<string, unknown> = { __metadata__: facts };
  let end = 0;
  for (const { name, type, shape, bytes } of tensors) {
    const from = end;
    end += bytes;
    header[name] = { dtype: type, shape, data_offsets: [from, end] };
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const padded = Math.ceil(text.length / 8) * 8;
  const head = new Uint8Array(8 + padded).fill(0x20);
  new DataView(head.buffer).setBigUint64(0, BigInt(padded), true);
  head.set(text, 8);
  return head;
}
