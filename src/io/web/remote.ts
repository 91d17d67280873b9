import { ReadError } from '../../core/errors.ts';
import { request, HttpStatusError } from './http.ts';
import { hubFileUrl, HUB, hubReference, parseReference, type Reference } from './reference.ts';
import { openUrl, type SourceOptions } from './remote-source.ts';
import type { FileSource, RandomAccessSource } from '../source.ts';

// Opens the file that a reference names on the web: at an address, or in a repository of the Hugging Face hub.

/** Options for remote files. */
export interface RemoteOptions extends Omit<SourceOptions, 'credential'> {
  /** of the hub: sent there, for references to it, and nowhere else */
  readonly token?: string | null;
  /** the hub's address, for tests */
  readonly hub?: string;
  /** the file meant by a repository without a file name; default: its weights, if unambiguous */
  readonly main?: string;
}

/** A remote file whose server responded. */
export interface RemoteFile {
  readonly source: RandomAccessSource;
  /** the file of this name in the same folder; null if there is none */
  sibling(name: string): Promise<FileSource | null>;
  /** what a link may contain: the address, or the reference with its revision pinned to a commit; never a token */
  readonly link: string;
}

/** File endings to look for in a repository if no file is named. */
const MATRIX_FILE = /\.(safetensors|npz|npy|mtx|mtx\.gz|gguf|smtx)$/i;

/** Endings of checkpoints of PyTorch, which count if there are no others. */
const CHECKPOINT = /\.(pt|pth|ckpt)$/i;

/** Opens a remote file for reading by ranges. Throws ReadError with the server's answer, and CancelledError. */
export async function openReference(text: string, options: RemoteOptions): Promise<RemoteFile> {
  const { hub = HUB, token, main, ...rest } = options;
  const reference = parseReference(text, hub);
  const isHub = reference.kind === 'hub';
  const credential = isHub && token ? { token, origin: new URL(hub).origin } : null;
  const sourceOptions: SourceOptions = { ...rest, credential };
  const { url, link } = isHub
    ? await hubFile(reference, hub, sourceOptions, main)
    : { url: reference.url, link: reference.url };
  // Files of the hub are requested at a commit, where their content never changes.
  const isPinned = isHub;
  const open = (address: string): Promise<RandomAccessSource> => openUrl(address, sourceOptions, isPinned);
  return {
    source: await open(url),
    link,
    async sibling(name) {
      try {
        return await open(siblingUrl(url, name));
      } catch (error) {
        if (error instanceof HttpStatusError && error.status === 404) return null;
        throw error;
      }
    },
  };
}

/** A file in the same folder, by an untrusted name from a file. Throws ReadError for the names of folders. */
function siblingUrl(url: string, name: string): string {
  const folder = new URL('.', url);
  const part = encodeURIComponent(name.toWellFormed());
  const address = new URL(part, folder);
  if (address.origin === folder.origin && address.pathname === folder.pathname + part) return address.href;
  throw new ReadError(`found the file name ${JSON.stringify(name)}, expected the name of a file next to ${url}`);
}

async function hubFile(
  { repository: repoKind, repo, revision, path, folder = '' }: Extract<Reference, { kind: 'hub' }>,
  hub: string,
  options: SourceOptions,
  main: string | undefined,
): Promise<{ url: string; link: string }> {
  let commit = revision;
  let file = path;
  if (path === null || !/^[0-9a-f]{40}$/.test(revision)) {
    const api = `${hub}/api/${repoKind}/${repo}/revision/${encodeURIComponent(revision)}`;
    const response = await request(api, options, {});
    const json: unknown = await response.json().catch(() => null);
    const { sha, files } = repositoryOf(json);
    if (sha === null) throw new ReadError(`${repo}: found an answer without a commit from ${api}`);
    commit = sha;
    // What the reference calls a folder may be a file.
    if (files.includes(folder)) file ??= folder;
    file ??= main === undefined ? mainFile(repo, files, folder) : within(folder, main);
  }
  const name = file ?? '';
  return {
    url: hubFileUrl(hub, repoKind, repo, commit, name),
    link: hubReference(repoKind, repo, commit, name),
  };
}

function repositoryOf(json: unknown): { sha: string | null; files: readonly string[] } {
  const fields = new Map<string, unknown>(typeof json === 'object' && json !== null ? Object.entries(json) : []);
  const sha = fields.get('sha');
  const siblings = fields.get('siblings');
  const files = (Array.isArray(siblings) ? siblings : []).flatMap((entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'rfilename' in entry && typeof entry.rfilename === 'string'
      ? [entry.rfilename]
      : [],
  );
  return { sha: typeof sha === 'string' && /^[0-9a-f]{40}$/.test(sha) ? sha : null, files };
}

/** The path of a file in a folder of a repository; folder '': the repository itself. */
function within(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The index of sharded weights, or the only file with matrices. */
function mainFile(repo: string, all: readonly string[], folder: string): string {
  const files = all.filter((file) => file.startsWith(within(folder, '')));
  const wholeModels = ['model.safetensors.index.json', 'model.safetensors'].map((name) => within(folder, name));
  const wholeModel = wholeModels.find((name) => files.includes(name));
  if (wholeModel !== undefined) return wholeModel;
  const preferred = files.filter((f) => MATRIX_FILE.test(f));
  const checkpoint = ['pytorch_model.bin.index.json', 'pytorch_model.bin']
    .map((name) => within(folder, name))
    .find((name) => files.includes(name));
  if (preferred.length === 0 && checkpoint !== undefined) return checkpoint;
  const matrices = preferred.length > 0 ? preferred : files.filter((f) => CHECKPOINT.test(f));
  if (matrices.length === 1) return matrices[0];
  const found =
    matrices.length === 0 ? 'no matrix file' : `${matrices.length} files such as ${matrices.slice(0, 3).join(', ')}`;
  throw new ReadError(
    `${folder === '' ? repo : within(repo, folder)}: found ${found}; name one like ${repo}/${matrices[0] ?? within(folder, 'model.safetensors')}`,
  );
}
