// The measured reports of a recording, which are saved after every step.

import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchReport } from '../../src/core/report.ts';
import type { Recording } from '../../src/core/reports/recording.ts';
import { ArgumentError } from '../../scripts/command-line.ts';
import { packRecording, type RecordingMetadata } from './pack-recording.ts';
import { type Step, stepOf } from './plan.ts';

/** A measured step, with its samples: a line of raw.jsonl. */
interface SavedReport {
  /** the command line of its step, by which it is found */
  readonly line: string;
  readonly commit: string;
  /** how long the step took, with its preparation or its share of the preparation of several steps at once */
  readonly seconds: number;
  readonly report: BenchReport;
}

/**
 * The reports of a recording in a folder: every `*.jsonl` in it is read, so that the parts of several machines can be combined;
 * new reports are appended to raw.jsonl. Throws ArgumentError for reports of another commit.
 */
export class SavedReports {
  readonly #folder: string;
  readonly #commit: string;
  readonly #reportsByLine = new Map<string, SavedReport>();

  constructor(folder: string, commit: string) {
    this.#folder = folder;
    this.#commit = commit;
    mkdirSync(folder, { recursive: true });
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
      const path = join(folder, file);
      for (const text of readFileSync(path, 'utf8').split('\n')) {
        const saved = parseReport(text);
        if (saved === null) continue;
        if (saved.commit !== commit) {
          throw new ArgumentError(
            `${path}: found reports of commit ${saved.commit}, expected ${commit}; name another folder with --out`,
          );
        }
        this.#reportsByLine.set(saved.line, saved);
      }
    }
  }

  has({ line }: Step): boolean {
    return this.#reportsByLine.has(line);
  }

  /** Writes the report at once, so that nothing is lost if the program ends. */
  add({ line }: Step, report: BenchReport, seconds: number): void {
    const saved: SavedReport = { line, commit: this.#commit, seconds, report };
    const path = join(this.#folder, 'raw.jsonl');
    // The last line is incomplete if an earlier run was ended while it wrote: the new report begins on a new line.
    const isTruncated = existsSync(path) && !readFileSync(path, 'utf8').endsWith('\n');
    appendFileSync(path, `${isTruncated ? '\n' : ''}${JSON.stringify(saved)}\n`);
    this.#reportsByLine.set(line, saved);
  }

  /** The quotient of measured and predicted time so far; 1 before anything is measured. */
  get pace(): number {
    const measured = [...this.#reportsByLine.values()];
    const predicted = measured.reduce((sum, { line }) => sum + stepOf(line).seconds, 0);
    return predicted === 0 ? 1 : measured.reduce((sum, { seconds }) => sum + seconds, 0) / predicted;
  }

  /** Writes recording.json with all reports, in the order of `steps`; reports of other steps come last. */
  write(
    steps: readonly Step[],
    metadata: Omit<RecordingMetadata, 'commit' | 'driver'> & { readonly driver: string | null },
  ): WrittenRecording {
    const order = [...new Set([...steps.map(({ line }) => line), ...this.#reportsByLine.keys()])];
    const ordered = order.flatMap((line) => this.#reportsByLine.get(line) ?? []);
    const driver = metadata.driver ?? driverOf(ordered[0]?.report);
    const recording = packRecording(
      ordered.map(({ line, report }) => ({ opened: stepOf(line).options.device, report })),
      { ...metadata, driver, commit: this.#commit },
    );
    const path = join(this.#folder, 'recording.json');
    const text = `${JSON.stringify(recording)}\n`;
    writeFileSync(path, text);
    return { path, bytes: text.length, recording };
  }
}

/** A recording and the file to which it was written. */
interface WrittenRecording {
  readonly path: string;
  readonly bytes: number;
  readonly recording: Recording;
}

/** Parses a line of raw.jsonl; null if it is empty or incomplete. */
function parseReport(text: string): SavedReport | null {
  try {
    return text.trim() === '' ? null : (JSON.parse(text) as SavedReport);
  } catch {
    return null;
  }
}

/** The version of the driver, from its description: 580.159.04 in 'NVIDIA: 580.159.04 580.159.4.0'. */
export function driverOf(report: BenchReport | undefined): string {
  const text = report?.environment.adapter.description ?? '';
  return /\d+(?:\.\d+)+/.exec(text)?.[0] ?? (text.slice(0, 80) || 'unknown');
}
