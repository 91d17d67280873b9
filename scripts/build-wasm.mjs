// Assembles every .wat file into a module next to it that contains its bytes. Run after changing one: node
// scripts/build-wasm.mjs.
import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

const modules = [
  { path: '../src/formats/ec-csr/overlap', name: 'OVERLAP_MODULE' },
  { path: '../src/core/encoded/checksum', name: 'CHECKSUM_MODULE' },
  { path: '../src/formats/macko/dense-rows', name: 'DENSE_ROWS_MODULE' },
  { path: '../src/labs/language/decoders/batch/product', name: 'PRODUCT_MODULE' },
  { path: '../src/labs/language/decoders/halves', name: 'HALVES_MODULE' },
];

const { parseWat } = await wabt();
for (const { path, name } of modules) {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const source = readFileSync(new URL(`${path}.wat`, import.meta.url), 'utf8');
  const module = parseWat(`${file}.wat`, source, { simd: true, mutable_globals: true });
  const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64');
  writeFileSync(
    new URL(`${path}-module.ts`, import.meta.url),
    `/** ${file}.wat, assembled by scripts/build-wasm.mjs; a test compares them. */\nexport const ${name} =\n  '${base64}';\n`,
  );
}
