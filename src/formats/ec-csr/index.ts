import { defineFormat } from '../../core/format.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps } from './encode.ts';
import { facts } from './facts.ts';
import { kernels } from './kernels.ts';
import { type EcCsrEncoded, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import { overlapTasks } from './overlap-tasks.ts';
import { fastOverlaps } from './overlap-wasm.ts';
import { type EcCsrParams, params } from './params.ts';
import { storage } from './storage.ts';

export const ecCsr = defineFormat<EcCsrEncoded, EcCsrParams>({
  id: 'ec-csr',
  title: 'EC-CSR',
  summary:
    'Dense blocks of rows that share columns, found level by level; one list of short deltas serves all their rows.',
  source: {
    title: 'Toward Efficient SpMV in Sparse LLMs via Block Extraction and Compressed Storage',
    authors: 'Junqing Lin, Jingwei Sun, Mingge Lu, Guangzhong Sun',
    year: 2025,
    url: 'https://arxiv.org/abs/2507.12205',
  },
  params,
  admits,
  encodeSteps: (m, p) => encodeSteps(m, p, fastOverlaps()),
  decode,
  validate,
  storage,
  facts,
  multiply,
  story: () => import('./story/index.ts').then((m) => m.story),
  kernels,
  tasks: [overlapTasks],
});
