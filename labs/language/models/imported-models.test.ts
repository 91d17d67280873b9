// ImportedModels: models from files and from a server, their storage, removal and errors. Stored names are older than these
// words: the id of an imported model begins with 'brought:', and the note about a saved model is the file kept.json.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byteTokenizer, relativeError } from '../test/decoders.ts';
import { hubLogits } from '../test/models/forward.ts';
import { ggufOf, ggufTokenizer, scoredVocabulary } from '../test/models/gguf.ts';
import { ARCHITECTURES, filesOf, makeModel, pickedFiles, sharded } from '../test/models/make.ts';
import { type RangeServer, serveRanges } from '../../../test/range-server.ts';
import { RemoteCache } from '../../../src/io/web/remote-cache.ts';
import { oracleLogits } from '../decoders/oracle/oracle.ts';
import { ServiceJob } from '../../../src/engine/bridge/service-job.ts';
import { readSavedModel } from './imported-model.ts';
import { ImportedModels, type ModelRequest } from './imported-models.ts';
import { type ModelStore, QuotaError, type StoreEntry } from './model-store.ts';

const MODEL = makeModel(ARCHITECTURES.qwen2, 21);
const INDEX = 'model.safetensors.index.json';
const IDS = [0, 7, 99, 31, 200];
const jsonBytes = (value: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(value));
const FILES: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  'config.json': jsonBytes({ ...MODEL.config, _name_or_path: 'org/Tiny Qwen' }),
  'tokenizer.json': jsonBytes(byteTokenizer()),
  ...sharded(MODEL),
};
const job = () => new ServiceJob({ now: () => performance.now() });

/** Files of a browser in memory, with a limit on their bytes. */
function memoryStore(available = Number.POSITIVE_INFINITY): ModelStore & { readonly files: Map<string, Uint8Array> } {
  const files = new Map<string, Uint8Array>();
  const notes = new Map<string, string>();
  return {
    files,
    async entries() {
      const ids = new Set([...notes.keys(), ...[...files.keys()].map((key) => key.slice(0, key.indexOf('/')))]);
      return [...ids].map((id): StoreEntry => {
        const [entry, note] = [encodeURIComponent(id), notes.get(id)];
        if (note !== undefined) return { entry, kind: 'model', id, note };
        const filesOfModel = [...files].filter(([key]) => key.startsWith(`${id}/`));
        return { entry, kind: 'part', id, bytes: filesOfModel.reduce((sum, [, { length }]) => sum + length, 0) };
      });
    },
    sizeOf: async (id, file) => files.get(`${id}/${file}`)?.length ?? 0,
    file: async (id, file) => {
      const bytes = files.get(`${id}/${file}`);
      return bytes ? new Blob([bytes.slice()]) : null;
    },
    async append(id, file, chunks) {
      for await (const chunk of chunks) {
        const used = [...files.values()].reduce((sum, { length }) => sum + length, 0);
        if (used + chunk.length > available) throw new QuotaError();
        files.set(`${id}/${file}`, Uint8Array.from([...(files.get(`${id}/${file}`) ?? []), ...chunk]));
      }
    },
    async finish(id, note) {
      notes.set(id, note);
    },
    async remove(id) {
      notes.delete(id);
      for (const key of files.keys()) if (key.startsWith(`${id}/`)) files.delete(key);
    },
    async removeEntry(entry) {
      await this.remove(decodeURIComponent(entry));
    },
  };
}

const fromDisk = (files = FILES): ModelRequest => pickedFiles(files);

async function errorMessage(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(() => null).catch((e: unknown) => e);
  return error instanceof Error ? error.message : 'nothing was wrong';
}

const openModels = (store?: ModelStore, fetchFile: typeof fetch = fetch) =>
  new ImportedModels({ fetch: (url, init) => fetchFile(url, init), cache: new RemoteCache(), store });

describe('a model imported from files', () => {
  it('is described by its config before its weights are read, and computes the expected results', async () => {
    const models = openModels();
    const plan = await models.inspect(fromDisk(), job());
    expect(plan).toMatchObject({ from: 'this computer', kind: 'safetensors', notOnGpu: null });
    expect(plan.config).toMatchObject({ name: 'Tiny Qwen', biases: ['q', 'k', 'v'] });
    expect(plan.bytes).toBe(Object.values(FILES).reduce((sum, { length }) => sum + length, 0));
    // In f32: the stored weights, and the largest tensor while it is read.
    expect(plan.memoryBytes).toBeLessThan(1.5 * 4 * plan.weights + 4 * 258 * 24);
    const { id } = await models.import(fromDisk(), { isSaved: false }, job());
    expect(id).toMatch(/^brought:Tiny-Qwen-[0-9a-f]{4}$/);
    const { config, weights, tokenizer } = await models.load(id, job());
    const expected = Float64Array.from(hubLogits(MODEL.config, MODEL.tensors, IDS).flat());
    expect(relativeError(oracleLogits(config, weights, IDS), expected)).toBeLessThan(1e-12);
    expect(tokenizer.decode(tokenizer.encode('A cat.'))).toBe('A cat.');
  });

  it('is saved with the activation that its file names, which its code ignores', async () => {
    const store = memoryStore();
    const sparse = makeModel({ ...ARCHITECTURES.sparselm, _name_or_path: 'org/Sparse' }, 3);
    const files = { ...FILES, ...sharded(sparse), 'config.json': jsonBytes(sparse.config) };
    await openModels(store).import(fromDisk(files), { isSaved: true }, job());
    const [saved] = await openModels(store).list();
    expect(saved.config).toMatchObject({ name: 'Sparse', activation: 'relu', activationName: 'silu' });
  });

  it('gets another id for other weights, and the name of its folder if its config has none', async () => {
    const otherFiles = { ...FILES, ...sharded(makeModel(ARCHITECTURES.qwen2, 22)) };
    const models = openModels(memoryStore());
    const { id } = await models.import(fromDisk(), { isSaved: true }, job());
    const second = await models.import(fromDisk(otherFiles), { isSaved: true }, job());
    expect(second.id).not.toBe(id);
    expect(second.bytes).toBe((await models.list())[0].bytes);
    expect((await models.load(id, job())).weights.finalNorm).not.toEqual(
      (await models.load(second.id, job())).weights.finalNorm,
    );
    const nameless = { ...FILES, 'config.json': jsonBytes(MODEL.config) };
    expect((await models.inspect(fromDisk(nameless), job())).config.name).toBe('tiny');
  });

  it('in a GGUF file is opened with its tokenizer, and computes the logits of its tensors', async () => {
    const vocabulary = scoredVocabulary();
    const model = makeModel({ ...ARCHITECTURES.llama, vocab_size: vocabulary.length }, 5);
    const specialTokens = { 'tokenizer.ggml.bos_token_id': 1, 'tokenizer.ggml.eos_token_id': 2 };
    const files = { 'tiny.gguf': ggufOf(model, { ...ggufTokenizer(vocabulary), ...specialTokens }) };
    const models = openModels(memoryStore());
    const { id, config } = await models.import(fromDisk(files), { isSaved: true }, job());
    expect(config.bos).toBe(1);
    const withoutBos = ggufOf(model, {
      ...ggufTokenizer(vocabulary),
      ...specialTokens,
      'tokenizer.ggml.add_bos_token': false,
    });
    expect((await models.inspect(fromDisk({ 'tiny.gguf': withoutBos }), job())).config.bos).toBeNull();
    const { weights, tokenizer } = await models.load(id, job());
    expect(tokenizer.decode(tokenizer.encode('the cat'))).toBe('the cat');
    const expected = Float64Array.from(hubLogits(model.config, model.tensors, IDS).flat());
    expect(relativeError(oracleLogits(config, weights, IDS), expected)).toBeLessThan(1e-9);
  });

  it.each([
    ['config.json', /: config\.json is missing; choose all files of the model at once/],
    ['tokenizer.json', /: tokenizer\.json is missing; choose all files of the model at once/],
    [INDEX, /: the weights \(model\.safetensors, or model\.safetensors\.index\.json with its files\) are missing/],
    ['model-00001-of-00002.safetensors', /found no model-00001-of-00002\.safetensors next to the index/],
    [
      'config.json, tokenizer.json',
      /: config\.json and tokenizer\.json are missing; choose all files of the model at once/,
    ],
    [`tokenizer.json, ${INDEX}`, /: tokenizer\.json and the weights \(.+\) are missing/],
    [`config.json, tokenizer.json, ${INDEX}`, /: config\.json, tokenizer\.json and the weights \(.+\) are missing/],
  ])('without its %s is reported with all missing files at once', async (missing, sentence) => {
    const presentFiles = Object.entries(FILES).filter(([name]) => !missing.split(', ').includes(name));
    expect(await errorMessage(openModels().inspect(fromDisk(Object.fromEntries(presentFiles)), job()))).toMatch(
      sentence,
    );
  });

  it.each(Object.keys(FILES))('whose %s is a pointer of Git LFS is reported', async (name) => {
    const pointer = new TextEncoder().encode('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n');
    const importing = openModels().import(fromDisk({ ...FILES, [name]: pointer }), { isSaved: false }, job());
    expect(await errorMessage(importing)).toContain(`${name}: found a pointer of Git LFS, not the file itself`);
  });

  it('is rejected if the GGUF file is a web page', async () => {
    const page = fromDisk({ 'tiny.gguf': new TextEncoder().encode('<!doctype html><title>Sign in</title>') });
    const output = await errorMessage(openModels().inspect(page, job()));
    expect(output).toContain('tiny.gguf: found a web page, not the file itself');
  });

  it('is rejected with the missing bytes if its weights are truncated', async () => {
    const name = 'model-00002-of-00002.safetensors';
    const truncated = fromDisk({ ...FILES, [name]: FILES[name].slice(0, -3) });
    expect(await errorMessage(openModels().import(truncated, { isSaved: false }, job()))).toContain(
      ': the file ends 3 bytes early',
    );
  });

  it('is rejected for a wrong config, a wrong tokenizer, or NaN', async () => {
    const gemma = { ...FILES, 'config.json': jsonBytes({ ...MODEL.config, model_type: 'gemma' }) };
    expect(await errorMessage(openModels().inspect(fromDisk(gemma), job()))).toContain("model_type: found 'gemma'");
    const lossy = { ...FILES, 'tokenizer.json': jsonBytes({ ...byteTokenizer(), normalizer: { type: 'Lowercase' } }) };
    const store = memoryStore();
    for (const isSaved of [false, true]) {
      const importing = openModels(store).import(fromDisk(lossy), { isSaved }, job());
      expect(await errorMessage(importing)).toContain('expected a text to come back from its tokens');
    }
    expect(store.files.size).toBe(0);
    const broken = makeModel(ARCHITECTURES.llama, 1);
    broken.tensors.get('model.norm.weight')?.values.set([Number.NaN]);
    const files = { ...FILES, 'config.json': jsonBytes(broken.config), ...sharded(broken) };
    expect(await errorMessage(openModels().import(fromDisk(files), { isSaved: false }, job()))).toContain(
      'model.norm.weight: found NaN',
    );
  });
});

describe('a model saved in this browser', () => {
  it('is listed after a reload until it is removed', async () => {
    const store = memoryStore();
    const { id } = await openModels(store).import(fromDisk(), { isSaved: true }, job());
    const next = openModels(store);
    expect(await next.list()).toMatchObject([{ id, isKept: true, from: 'this computer' }]);
    expect((await next.load(id, job())).config.name).toBe('Tiny Qwen');
    await next.remove(id);
    expect([await next.list(), store.files.size]).toEqual([[], 0]);
    expect(await errorMessage(next.load(id, job()))).toContain('import it again');
  });

  it('reports missing space, and removes partly stored files', async () => {
    const store = memoryStore(20_000);
    expect(await errorMessage(openModels(store).import(fromDisk(), { isSaved: true }, job()))).toMatch(
      /^Tiny Qwen: found too little space for its \d+ bytes in this browser, expected it to be used without being saved$/,
    );
    expect(store.files.size).toBe(0);
    // Not even enough for its note.
    const noNote = { ...store, append: memoryStore().append, finish: () => Promise.reject(new QuotaError()) };
    expect(await errorMessage(openModels(noNote).import(fromDisk(), { isSaved: true }, job()))).toMatch(
      /^Tiny Qwen: found too little space/,
    );
  });
});

describe('a model imported from a server', () => {
  let server: RangeServer;
  beforeAll(async () => {
    server = await serveRanges();
    serve('tiny', FILES);
    serve('gemma', { 'config.json': jsonBytes({ ...MODEL.config, model_type: 'gemma' }) });
  });
  afterAll(() => server.close());
  const serve = (folder: string, files: typeof FILES): void => {
    for (const [name, all] of Object.entries(files)) {
      const file = { size: all.length, bytes: (from: number, to: number) => all.slice(from, to) };
      server.files.set(`/${folder}/${name}`, { file, etag: `"${name}"` });
    }
  };
  const remoteFolder = (folder: string) =>
    ({ kind: 'remote', reference: `${server.origin}/${folder}/`, token: null }) as const;

  it('is inspected by range requests, and then loaded', async () => {
    const models = openModels();
    const plan = await models.inspect(remoteFolder('tiny'), job());
    expect(plan.files.map(({ name }) => name)).toContain('model-00002-of-00002.safetensors');
    const { id, from } = await models.import(remoteFolder('tiny'), { isSaved: false }, job());
    expect(from).toBe(`${new URL(server.origin).host}/tiny/`);
    expect((await models.load(id, job())).weights.blocks).toHaveLength(2);
  });

  it('is rejected before anything but its config was requested', async () => {
    const before = server.requests.length;
    expect(await errorMessage(openModels().inspect(remoteFolder('gemma'), job()))).toContain(
      "model_type: found 'gemma'",
    );
    expect(server.requests.slice(before).map(({ path }) => path)).toEqual(['/gemma/config.json']);
  });

  it('reports the status that the server answered', async () => {
    expect(await errorMessage(openModels().inspect(remoteFolder('nothing'), job()))).toContain('found HTTP status 404');
    const denied = openModels(undefined, async () => new Response(null, { status: 401 }));
    expect(await errorMessage(denied.inspect(remoteFolder('tiny'), job()))).toContain(
      'found HTTP status 401; it may need a token',
    );
    const noCors = openModels(undefined, async () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await errorMessage(noCors.inspect(remoteFolder('tiny'), job()))).toContain('(CORS)');
  });

  it('continues after a broken connection with the stored bytes', async () => {
    const store = memoryStore();
    let isBroken = false;
    const breaking: typeof fetch = async (input, init) => {
      const isShard = (typeof input === 'string' ? input : '').includes('00002-of');
      const [, from, to] = /^bytes=(\d+)-(\d+)/.exec(new Headers(init?.headers).get('Range') ?? '') ?? [];
      // A request for a few of its weights still gets through.
      const isLong = Number(from) >= 65_536 && Number(to) - Number(from) > 4096;
      if (isBroken && isShard && isLong) throw new TypeError('network changed');
      return fetch(input, init);
    };
    const largeModel = makeModel({ ...ARCHITECTURES.qwen2, hidden_size: 96 }, 22);
    const files = { ...FILES, 'config.json': jsonBytes(largeModel.config), ...sharded(largeModel) };
    serve('large', files);
    const models = openModels(store, breaking);
    await models.inspect(remoteFolder('large'), job());
    isBroken = true;
    expect(await errorMessage(models.import(remoteFolder('large'), { isSaved: true }, job()))).toMatch(
      /the connection broke 4 times at byte \d+ \(network changed\), expected bytes up to \d+; what arrived stays: load it again$/,
    );
    const [unfinished] = await models.unfinished();
    expect(unfinished.bytes).toBeGreaterThan(65_536);
    isBroken = false;
    const { id } = await models.import(remoteFolder('large'), { isSaved: true }, job());
    expect(unfinished.id).toBe(id);
    expect(await models.unfinished()).toEqual([]);
    for (const [name, bytes] of Object.entries(files)) {
      expect(store.files.get(`${id}/${name}`)).toEqual(Uint8Array.from(bytes));
    }
  });

  it('stops when its job is cancelled', async () => {
    const firstJob = job();
    firstJob.cancel();
    expect(await errorMessage(openModels().import(remoteFolder('tiny'), { isSaved: false }, firstJob))).toMatch(
      /ancelled/,
    );
  });
});

it('stores a file in one piece like a file in several', async () => {
  const models = openModels();
  const { id } = await models.import(fromDisk(filesOf(MODEL)), { isSaved: false }, job());
  expect((await models.load(id, job())).weights.finalNorm).toEqual(MODEL.tensors.get('model.norm.weight')?.values);
});

describe('the note about a saved model', () => {
  const storedModels = async () => {
    const store = memoryStore();
    const { id } = await openModels(store).import(fromDisk(), { isSaved: true }, job());
    const [first] = await store.entries();
    return { store, id, note: first.kind === 'model' ? first.note : '' };
  };
  /** The path of every value in a note: the names of the fields from its root. */
  const pathsIn = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] =>
    typeof value === 'object' && value !== null
      ? [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))]
      : [path];
  const withValue = (note: string, [first, ...rest]: readonly string[], changed: unknown): unknown => {
    const value = JSON.parse(note) as Record<string, unknown>;
    if (first === undefined) return changed;
    value[first] = withValue(JSON.stringify(value[first]), rest, changed);
    return value;
  };

  it('is read with fields that later versions added', async () => {
    const { store, id, note } = await storedModels();
    expect([await openModels(store).list(), await openModels(store).unreadable()]).toEqual([
      [readSavedModel(id, note)],
      [],
    ]);
    const old = JSON.stringify({ ...JSON.parse(note), notOnGpu: 'of another time' });
    expect(readSavedModel(id, old).notOnGpu).toBeNull();
  });

  it('is rejected, naming the field, if any one value in it has another type or is too long', async () => {
    const { id, note } = await storedModels();
    const paths = pathsIn(JSON.parse(note));
    expect(paths.length).toBeGreaterThan(30);
    for (const path of paths) {
      const original = path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], JSON.parse(note));
      for (const value of [{ $$typeof: 'x', nested: [1] }, [[1]], true, -1, 'x'.repeat(10_001)]) {
        if (typeof original === typeof value && typeof original === 'boolean') continue;
        const changed = JSON.stringify(withValue(note, path, value));
        expect(() => readSavedModel(id, changed)).toThrow(/^kept\.json: .*found .*, expected /);
      }
    }
  });

  it.each([
    ['{"id', 'kept.json: found no JSON, expected the saved description of the model.'],
    ['null', 'kept.json: found null, expected an object.'],
    ['config.name', 'kept.json, config.name: found an object, expected a text.'],
    ['config.kvHeads', 'kept.json, config.kvHeads: found 3, expected a divisor of the 4 heads.'],
  ])('does not hide others if it is broken at %j, and can be removed', async (noteOrPath, why) => {
    const { store, id, note } = await storedModels();
    const broken = `${id.slice(0, -4)}0bad`;
    // Either the whole text of a note, or the path of a field with a wrong value.
    const changed = { 'config.name': { $$typeof: 1 }, 'config.kvHeads': 3 }[noteOrPath];
    const noteWithBrokenId = JSON.stringify({ ...JSON.parse(note), id: broken });
    await store.finish(
      broken,
      changed === undefined ? noteOrPath : JSON.stringify(withValue(noteWithBrokenId, noteOrPath.split('.'), changed)),
    );
    const models = openModels(store);
    expect([(await models.list()).map((model) => model.id), await models.unfinished()]).toEqual([[id], []]);
    const [entry] = await models.unreadable();
    expect(entry).toMatchObject({ kind: 'model', name: broken });
    expect(entry.why.replace(': config', ', config')).toBe(why);
    await models.removeUnreadable(entry.entry);
    expect(await models.unreadable()).toEqual([]);
    expect((await openModels(store).load(id, job())).config.name).toBe('Tiny Qwen');
  });
});

describe('a model being loaded', () => {
  /** A saved model in another page, where reading its last file waits for `go`; `reading` resolves when it waits. */
  async function savedInOtherPage() {
    const store = memoryStore();
    const { id, files } = await openModels(store).import(fromDisk(), { isSaved: true }, job());
    const reads: string[] = [];
    let go = (): void => {};
    let isReading = (): void => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    const reading = new Promise<void>((resolve) => (isReading = resolve));
    const file: ModelStore['file'] = async (id, name) => {
      reads.push(name);
      const stored = await store.file(id, name);
      if (name === files.at(-1)) {
        isReading();
        await gate;
      }
      return stored;
    };
    return { id, files, reads, reading, go, models: openModels({ ...store, file }) };
  }

  it('is loaded once for all concurrent requests', async () => {
    const { id, files, reads, reading, go, models } = await savedInOtherPage();
    const loads = [models.load(id, job()), models.load(id, job())];
    await reading;
    loads.push(models.load(id, job()));
    go();
    const [first, ...others] = await Promise.all(loads);
    expect(others.map((model) => model === first)).toEqual([true, true]);
    expect(reads).toEqual(files);
    expect(await models.load(id, job())).toBe(first);
  });

  it('is loaded for the next request if the first is cancelled', async () => {
    const { id, files, reads, reading, go, models } = await savedInOtherPage();
    const [first, second] = [job(), job()];
    const cancelled = [models.load(id, first), models.load(id, second)].map((load) => errorMessage(load));
    const [third, fourth] = [models.load(id, job()), models.load(id, job())];
    await reading;
    first.cancel();
    second.cancel();
    go();
    for (const output of await Promise.all(cancelled)) expect(output).toMatch(/ancelled/);
    expect((await third).config.name).toBe('Tiny Qwen');
    expect(await fourth).toBe(await third);
    expect(reads).toEqual([...files, ...files]);
  });

  it('is not cached if it was removed during loading', async () => {
    const { id, reading, go, models } = await savedInOtherPage();
    const loading = models.load(id, job());
    await reading;
    await models.remove(id);
    go();
    expect((await loading).id).toBe(id);
    expect(await errorMessage(models.load(id, job()))).toMatch(/: not in this browser; import it again$/);
  });
});
