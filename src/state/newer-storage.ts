import { SparseScopeError } from '../core/errors.ts';

/** Thrown for a database that a newer version of this page has written, which this version must not read. */
export class NewerStorageError extends SparseScopeError {
  override name = 'NewerStorageError';
  constructor() {
    super('a newer version of SparseScope has written its storage here, and this page is an older one: reload it');
  }
}

/** The message about such a database, which the app shows once, above any page. */
export const NEWER_STORAGE =
  'A newer version of SparseScope has saved data in this browser, and this page is an older one. Results, drafts and files of earlier visits are still there, but not visible, and nothing new is saved: reload the page.';
