import type { Job } from './job.ts';

/** The job with other reports; default: none. */
export function reporting(job: Job, report: Job['report'] = () => {}): Job {
  return {
    report,
    get cancelled() {
      return job.cancelled;
    },
  };
}
