import { NO_JOB } from '../../../src/core/job.ts';
import { fileSource } from '../../../src/io/source.ts';
import { openSafetensors } from '../../../src/io/tensors/safetensors.ts';
import type { DecoderConfig, DecoderWeights } from '../decoders/decoder.ts';
import { readDecoderConfig } from '../decoders/read/decoder-config.ts';
import { readDecoderWeights } from '../decoders/read/decoder-weights.ts';

/** For tests in a browser: a file that is served. */
export async function fetchedFile(
  path: string,
): Promise<{ readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: found status ${response.status}, expected a file`);
  return { name: path, bytes: new Uint8Array(await response.arrayBuffer()) };
}

/** For tests in a browser: the model in a folder that is served. */
export async function fetchedModel(
  folder: string,
): Promise<{ readonly config: DecoderConfig; readonly weights: DecoderWeights }> {
  const { bytes } = await fetchedFile(`${folder}/config.json`);
  const config = readDecoderConfig(new TextDecoder().decode(bytes), folder);
  const container = await openSafetensors(fileSource(await fetchedFile(`${folder}/model.safetensors`)), NO_JOB);
  return { config, weights: await readDecoderWeights(config, container, NO_JOB) };
}
