// Assembles every .wat file into a module next to it that contains its bytes. Run after changing one: node
// scripts/build-wasm.mjs. Tests compare both.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import wabt from 'wabt';
import { filesIn } from './labs.mjs';
import { ROOT } from './packages.mjs';

const { parseWat } = await wabt();
for (const path of filesIn(['src', 'labs'], /\.wat$/)) {
  const file = basename(path, '.wat');
  // 'dense-rows' is exported as DENSE_ROWS_MODULE.
  const name = `${file.replaceAll('-', '_').toUpperCase()}_MODULE`;
  const source = readFileSync(join(ROOT, path), 'utf8');
  // Its first line is a comment: ';; PATH: WHAT IT DOES, ...'.
  const purpose = /^;; \S+: ([^,]+)/.exec(source)?.[1] ?? '';
  const module = parseWat(`${file}.wat`, source, { simd: true, mutable_globals: true });
  const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64');
  writeFileSync(
    join(ROOT, path.replace(/\.wat$/, '-module.ts')),
    `/** ${file}.wat, assembled by build-wasm.mjs, in base64: ${purpose}. */\nexport const ${name} =\n  '${base64}';\n`,
  );
}
