import { closeSync, openSync, readSync } from 'node:fs';

/** What Linux tells of the thread that opens it: the nanoseconds for which it ran, and two more numbers. */
const OWN_TIME = '/proc/thread-self/schedstat';

const bytes = new Uint8Array(64);
const decoder = new TextDecoder();

/**
 * Milliseconds for which this thread has run: what other threads and processes do does not count. Where the system does
 * not tell, the CPU time of the process, which is the time of all of its threads.
 */
export function threadMs(): number {
  let file: number;
  try {
    file = openSync(OWN_TIME, 'r');
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
  try {
    const length = readSync(file, bytes, 0, bytes.length, 0);
    return Number.parseInt(decoder.decode(bytes.subarray(0, length)), 10) / 1e6;
  } finally {
    closeSync(file);
  }
}
