import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Bytes of memory that a process occupies now, typed arrays and code included; null once it has ended, or where this
 * system does not tell: by /proc on Linux, by `ps` on other Unix systems, and not on Windows.
 */
export async function residentBytes(pid: number): Promise<number | null> {
  const kibibytes = process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  return kibibytes === null || !/^\d+$/.test(kibibytes) ? null : 1024 * Number(kibibytes);
}

async function fromProc(pid: number): Promise<string | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? null;
}

async function fromPs(pid: number): Promise<string | null> {
  const said = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => null);
  return said && said.stdout.trim();
}
