import { ELEMENT_BYTES } from '../elements.ts';
import { type NamedTensor, tensorBytes, tensorLength } from '../tensors/named-tensors.ts';

/**
 * Arrays as a safetensors file with `facts` as its metadata. Wide elements come first and the header is padded to a
 * multiple of 8, so that every array is aligned. Returns pieces of the file.
 */
export function writeSafetensors(
  tensors: readonly NamedTensor[],
  facts: Readonly<Record<string, string>>,
): readonly Uint8Array<ArrayBuffer>[] {
  const sorted = tensors.toSorted((a, b) => ELEMENT_BYTES[b.type] - ELEMENT_BYTES[a.type]);
  const header: Record<string, unknown> = { __metadata__: facts };
  let end = 0;
  for (const tensor of sorted) {
    const from = end;
    end += tensor.data.byteLength;
    header[tensor.name] = {
      dtype: tensor.type.toUpperCase(),
      shape: [tensorLength(tensor)],
      data_offsets: [from, end],
    };
  }
  const json = JSON.stringify(header);
  const text = new TextEncoder().encode(json.padEnd(json.length + ((8 - (new Blob([json]).size % 8)) % 8)));
  const start = new Uint8Array(8);
  new DataView(start.buffer).setBigUint64(0, BigInt(text.length), true);
  return [start, text, ...sorted.map(tensorBytes)];
}
