import { zipSync } from 'fflate';
import { npyHeader, writeNpy } from '../../src/io/write/write-npy.ts';
import type { GatedResult } from '../train-gated/train.ts';
import type { TrainedNetwork } from './train.ts';

/** Fixed, so that the same arrays give the same bytes. */
const MODIFIED = new Date(2020, 0, 1);

/** The contents of public/networks: the file of the network, and the index that describes it. */
export interface NetworkFiles {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly index: object;
}

/**
 * The whole network as NumPy's archive: weights of every layer (outputs x inputs) in f16, biases in f32; and the index
 * with where it comes from and what the gates of the gated networks do. The same bytes every time.
 */
export function networkFiles({ network, accuracy }: TrainedNetwork, gates: readonly GatedResult[]): NetworkFiles {
  const members: Record<string, Uint8Array> = {};
  network.layers.forEach((layer, k) => {
    members[`fc${k + 1}.weight.npy`] = writeNpy(layer.outputs, layer.inputs, layer.cells(), 'f16');
    members[`fc${k + 1}.bias.npy`] = biasesNpy(layer.biases);
  });
  const file = 'digits.npz';
  return {
    file,
    bytes: zipSync(members, { level: 9, mtime: MODIFIED }),
    index: {
      digits: {
        file,
        layers: network.layers.map(({ inputs, outputs }, k) => ({ name: `fc${k + 1}`, inputs, outputs })),
        // Before its weights were rounded to f16.
        accuracy,
        provenance:
          'A network 256-512-512-10 with rectifiers, trained by scripts/train-digits.ts with Adam on 16,000 drawn digits of 16 × 16 pixels (turned, sheared, shifted, noisy); weights in f16, biases in f32. The digits are drawn by src/generate/digit-images.ts from seed 12 for training and from seed 14 for testing, so that no image has to be shipped.',
        licence: 'MIT',
      },
      gates: {
        networks: gates.map(({ l1, accuracy: share, meanNonZeros, mostNonZeros, deadNeurons }) => ({
          l1,
          accuracy: share,
          meanNonZeros,
          mostNonZeros,
          deadNeurons,
        })),
        neurons: 1024,
        provenance:
          'Gated feed-forward blocks (width 128, 1024 neurons) between a layer for the pixels and one for the classes, trained by scripts/train-gated with Adam on 16,000 drawn digits, with the coefficient times the sum of |h| added to the loss of every image; counted on the 4,000 test images.',
        licence: 'MIT',
      },
    },
  };
}

function biasesNpy(biases: Float32Array): Uint8Array {
  const header = npyHeader('<f4', [biases.length]);
  const bytes = new Uint8Array(header.length + 4 * biases.length);
  bytes.set(header);
  const view = new DataView(bytes.buffer, header.length);
  biases.forEach((bias, i) => view.setFloat32(4 * i, bias, true));
  return bytes;
}
