import { generate } from '../src/generate/generate.ts';
import { macko } from '../src/formats/macko/index.ts';
import { dense } from '../src/formats/dense/index.ts';
for (const [r,c,d] of [[4096,4096,0.1],[20480,3584,0.1],[12288,12288,0.1],[5120,13824,0.5]] as const) {
  const t=[performance.now()];
  const m = generate({ pattern: 'uniform', rows:r, cols:c, density:d, seed: 1 }); t.push(performance.now());
  const e4 = macko.encode(m, { valueType: 'f16', deltaBits: 4 } as any); t.push(performance.now());
  const e8 = macko.encode(m, { valueType: 'f16', deltaBits: 8 } as any); t.push(performance.now());
  const de = dense.encode(m, { valueType: 'f16' } as any); t.push(performance.now());
  console.log(r,c,d,t.slice(1).map((x,i)=>(x-t[i]).toFixed(0)).join(' '), m.nnz, e4.values.length/m.nnz, e8.values.length/m.nnz);
}
