// Assembles src/formats/ec-csr/overlap.wat into overlap-module.ts. Run after changing the .wat file: npm run wasm.
import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

const folder = new URL('../src/formats/ec-csr/', import.meta.url);
const source = readFileSync(new URL('overlap.wat', folder), 'utf8');
const module = (await wabt()).parseWat('overlap.wat', source, { simd: true, mutable_globals: true });
const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64');
writeFileSync(
  new URL('overlap-module.ts', folder),
  `/** overlap.wat, assembled by scripts/build-wasm.mjs; a test compares them. */\nexport const OVERLAP_MODULE =\n  '${base64}';\n`,
);
