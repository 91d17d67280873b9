import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const START = fileURLToPath(new URL('start.mjs', import.meta.url));

test.each(['5e3', '0x1388', '5000.0', ' 5000', '-1', '0', '65536', 'abc'])(
  'npm start rejects PORT=%j before it starts anything: only digits are accepted, from 1 to 65535',
  (port) => {
    const env = { ...process.env, PORT: port };
    const { status, stderr, stdout } = spawnSync(process.execPath, [START], { encoding: 'utf8', env, timeout: 20_000 });
    expect(stderr).toBe(`PORT: found '${port}', expected a whole number from 1 to 65535.\n`);
    expect([status, stdout]).toEqual([1, '']);
  },
);
