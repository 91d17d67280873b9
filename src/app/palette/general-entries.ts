import type { Command, CommandContext, PaletteEntries } from '../../kit/command.ts';
import { saveArrays, saveMatrix } from '../../kit/browser/save-blob.ts';
import type { PanelName } from '../../kit/frame/shell-context.ts';
import { THEMES } from '../../state/index.ts';
import { openItem } from '../selection/requested-item.ts';

function matrixCommands(context: CommandContext): readonly Command[] {
  const { app, openMatrixPicker } = context;
  const { session, catalog, gallery } = app;
  const matrix = (id: string, title: string, searchWords: string, run: () => void): Command => ({
    id,
    group: 'Matrix',
    title,
    searchWords,
    run,
  });
  const panel = (id: PanelName, title: string, words: string) => matrix(id, title, words, () => openMatrixPicker(id));
  const arrays = (kind: 'npz' | 'safetensors') => () => void saveArrays(kind, app);
  return [
    matrix(
      'choose',
      'Choose a model or a matrix',
      'open, browse, llm, layer, weights, tensor, pick, type a matrix, enter numbers',
      () => openMatrixPicker(),
    ),
    panel('type', 'Type a matrix', 'own, my, enter, cells, numbers, grid, paste, spreadsheet, small'),
    panel(
      'generate',
      'Generate a matrix',
      'random weights, synthetic, make, create, shape, rows, columns, pattern, seed, 4096 x 4096',
    ),
    panel(
      'web',
      'Open from the web',
      'huggingface, hf, hub, url, link, download, fetch, remote, checkpoint, safetensors, real weights',
    ),
    panel('config', 'Another model, by its config.json', 'own, my, sizes, unlisted, architecture'),
    panel('examples', 'All examples', 'gallery, samples, demo, data'),
    ...catalog.examples.map(({ id, title }): Command => ({
      id: `example-${id}`,
      group: 'Example',
      title,
      leadsTo: 'the selection',
      description: gallery.find((entry) => entry.id === id)?.about ?? '',
      run: () => void session.openExample(id),
    })),
    matrix('save-mtx', 'Save the matrix as .mtx', 'export, download, matrix market', () => void saveMatrix('mtx', app)),
    matrix('save-npz', 'Save the matrix as .npz', 'export, download, scipy, numpy', () => void saveMatrix('npz', app)),
    matrix('arrays-npz', 'Save the arrays as .npz', 'export, download, encoded, numpy', arrays('npz')),
    matrix('arrays-safetensors', 'Save the arrays as .safetensors', 'export, download, encoded', arrays('safetensors')),
  ];
}

/** Commands for the selection bar. A is the current format, B the format with which A is compared. */
function selectionCommands({ app }: CommandContext): readonly Command[] {
  const openCommand = (id: Parameters<typeof openItem>[1]['item'], title: string, searchWords: string): Command => ({
    id: `word-${id}`,
    group: 'Selection',
    title,
    searchWords,
    run: () => openItem(app, { item: id, part: null }),
  });
  return [
    openCommand(
      'pruned',
      'How it is pruned',
      'prune, pruning, sparsity, density, how much is left, wanda, magnitude, 2:4, half, 50 %, unstructured',
    ),
    openCommand('a', 'Choose the format in A', 'store, encode, list, which'),
    openCommand('b', 'Choose the format in B', 'versus, against, side by side, comparison, two, difference'),
    openCommand('on', 'Choose the device', 'gpu, card, hardware, graphics, which gpu, nvidia, amd, apple'),
    openCommand('tokens', 'Choose the number of tokens', 'batch size, prefill, decode, sequence, several'),
    {
      id: 'a-alone',
      group: 'Selection',
      title: 'A alone',
      searchWords: 'one format, no comparison',
      run: () => app.session.setAgainst(null),
    },
  ];
}

/** The palette's entries that belong to no page (such as Watch): commands, and search words of commands with keys. */
export const GENERAL_ENTRIES: PaletteEntries = {
  searchWordsOf: {
    open: 'upload, import, load, own matrix, my, mtx, npz, npy, safetensors, gguf, pt, pth, pytorch, checkpoint, csv, market, drag, drop, browse, fp8, f8, bf16, fp16',
    subject: 'focus, change, subject, line, header',
    swap: 'exchange, flip',
    shortcuts: 'keys, hotkeys, help, keyboard',
  },
  more: (context) => [
    ...matrixCommands(context),
    ...selectionCommands(context),
    {
      id: 'share',
      group: 'Page',
      title: 'Copy a link to this',
      searchWords: 'share, url, permalink, send, address',
      run: context.share,
    },
    ...THEMES.map((theme): Command => ({
      id: `theme-${theme}`,
      group: 'Page',
      title: theme === 'system' ? 'System colours' : `${theme === 'light' ? 'Light' : 'Dark'} colours`,
      searchWords: 'theme, mode, colors, appearance, night',
      run: () => context.app.preferences.setTheme(theme),
    })),
    {
      id: 'about',
      group: 'Page',
      title: 'About SparseScope',
      searchWords: 'version, licences, license, open source, mit, credits, libraries, cite, offline',
      run: context.openAbout,
    },
  ],
};
