// Builds the examples of the gallery that need no training, and encodes examples as files.

import { gzipSync } from 'fflate';
import { csrMatrix, denseMatrix, type Matrix, toDense } from '../../src/core/matrix/index.ts';
import { Random } from '../../src/core/number/random.ts';
import { generate } from '../../src/generate/generate.ts';
import { shuffle } from '../../src/generate/pattern-steps.ts';
import type { GalleryEntry } from '../../src/io/gallery.ts';
import { writeMtx, writeNpy } from '../../src/io/index.ts';

/** An entry of the gallery with the bytes of its file. */
export interface Example {
  readonly entry: GalleryEntry;
  readonly bytes: Uint8Array;
}

/** The descriptive part of an entry; its sizes are computed from the matrix. */
export type ExampleText = Pick<GalleryEntry, 'id' | 'holds' | 'name' | 'about' | 'provenance' | 'inputs' | 'window'>;

/** Row-major cells as an f16 .npy.gz example. */
export function npyExample(text: ExampleText, rows: number, cols: number, cells: Float32Array): Example {
  const nnz = denseMatrix(rows, cols, cells).nnz;
  return {
    entry: { ...text, file: `${text.id}.npy.gz`, rows, cols, nnz, licence: 'MIT' },
    bytes: gzipped(writeNpy(rows, cols, cells, 'f16')),
  };
}

/** The examples of the gallery that need no training, each with its text. */
export function untrainedExamples(): readonly Example[] {
  return [
    mackoFigure3(),
    mackoAuthorsTest(),
    twoRounds(),
    eightRows(),
    plantedBlocks(),
    prunedBlocks(),
    outlierColumns(),
    laplacian(),
    powerLawGraph(),
    convolution(),
    slidingAttention(),
    arrow(),
    skewedRows(),
  ];
}

function mackoFigure3(): Example {
  return mtxExample(
    {
      id: 'macko-fig-3',
      name: "MACKO's figure 3",
      about: 'One row with four non-zeros and one gap too long for two bits, so that a padding entry appears.',
      provenance: 'Columns and values of the worked example in figure 3 of the MACKO paper, in a row of 16 columns.',
    },
    fromRows(16, [[1, 1, 4, 2, 11, 3, 12, 4]]),
  );
}

function mackoAuthorsTest(): Example {
  return mtxExample(
    {
      id: 'macko-authors-test',
      name: "MACKO's second example",
      about: 'Five short rows whose 4-bit deltas make twelve bytes that are easy to follow.',
      provenance: "Columns of a test in the MACKO authors' source code; the values are ours, each different.",
    },
    fromRows(32, [
      [0, 0.62, 1, -0.31, 8, 1.4, 12, -0.75, 29, 0.44],
      [0, 0.95, 1, -1.12, 14, 0.27, 19, -0.58],
      [21, 1.73],
      [5, -0.86],
      [4, 0.19, 5, -0.47, 7, 1.05, 13, -1.31, 23, 0.71, 26, -0.23, 28, 0.38, 29, -0.99, 31, 1.52],
    ]),
  );
}

/** Rows chosen by hand so that EC-CSR (2 lanes of 2) forms blocks of two rows in two rounds, and one of four from them. */
function twoRounds(): Example {
  const columnsOfRows = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 21],
    [0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 23],
    [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19],
    [0, 1, 2, 3, 12, 13, 14, 15, 16, 17, 18, 19, 20],
    [2, 6, 13, 22],
  ];
  // Quarters from -2 to 2 without 0, different in each row.
  const value = (row: number, i: number): number => (((5 * i + 3 * row) % 16) - 8) / 4 || 2;
  return mtxExample(
    {
      id: 'ec-csr-two-rounds',
      name: 'Two rounds, three levels',
      about: 'Five rows that form blocks of two rows in two rounds, and of two of these one of four, all by eye.',
      provenance: 'Ours, made by hand in the manner of figure 3 of the EC-SpMV paper, for 2 lanes of 2 columns.',
    },
    fromRows(
      24,
      columnsOfRows.map((columns, row) => columns.flatMap((column, i) => [column, value(row, i)])),
    ),
  );
}

/** Rows that share columns in pairs, in fours and all eight, chosen by hand for EC-CSR with 2 lanes of 2. */
function eightRows(): Example {
  // Weights in tenths; '.' is a zero.
  const tenths = [
    '. . 1 . -1 -4 . -2 . -4 . . 6 . -2 . . -3 . . 2 . 2 . . . -4 . . 3 -6 -2',
    '. . -9 . . -6 . -8 . -1 . . -6 . 1 . 1 -1 . . -9 . -2 . . . 1 . . -7 -2 -4',
    '. . -4 . . 5 . -4 . 4 . . -3 . -1 . . -6 . . 6 . -7 . . . 4 . . 1 -3 .',
    '. . 9 . . 3 . -5 . 3 . . -1 . 3 . . 3 . . 6 . -3 . . . 1 . . -2 1 .',
    '. . -5 -3 . -1 4 . 5 -6 . . -4 . . 3 . -9 . . -2 6 . . . . 3 -1 . -2 . .',
    '. . -1 7 . -2 . . -1 2 . . -1 . . -1 . -5 . . -2 . . . . . 5 3 . 3 . .',
    '. . -2 . . 5 . . . 3 . . -6 2 . . . -8 . . -9 . . . . . -1 . . -4 . 1',
    '. . 9 . . -4 . . . -3 . . 1 . . . . 2 . . -1 . . . . . -1 . . 3 . .',
  ];
  return mtxExample(
    {
      id: 'ec-spmv-eight-rows',
      name: 'Eight rows that share columns',
      about: 'Eight rows with columns in common: some in pairs, some in four rows, some in all eight, all by eye.',
      provenance: 'Ours, made by hand for 2 lanes of 2 columns: 96 weights in tenths, of which no lane needs a zero.',
      window: { row: 0, col: 0, rows: 8, cols: 32 },
    },
    fromRows(
      32,
      tenths.map((row) =>
        row.split(' ').flatMap((weight, column) => (weight === '.' ? [] : [column, Number(weight) / 10])),
      ),
    ),
  );
}

/** Sizes of the groups in the first window: blocks of eight, four and two rows, and two rows in no block. */
const FIRST_GROUPS = [8, 4, 2, 1, 1];

/** Random groups of rows that share columns, and a little noise in each row. */
function plantedBlocks(): Example {
  const [rows, cols, shared, noise] = [256, 512, 136, 6];
  const random = new Random(31);
  const cells = new Float32Array(rows * cols);
  const value = (): number => 0.05 + random.uniform() * (random.below(2) === 0 ? 1 : -1);
  const shuffledColumns = Uint32Array.from({ length: cols }, (_, c) => c);
  let groups = [...FIRST_GROUPS];
  for (let row = 0; row < rows;) {
    if (groups.length === 0) groups = [[8], [4, 4], [4, 2, 2]][random.below(3)];
    const [size] = groups.splice(0, 1);
    shuffle(shuffledColumns, random);
    const columns = shuffledColumns.slice(0, shared);
    for (let i = 0; i < size; i++, row++) {
      for (const c of columns) cells[row * cols + c] = value();
      for (let k = 0; k < noise; k++) cells[row * cols + random.below(cols)] = value();
    }
  }
  return npyExample(
    {
      id: 'planted-blocks',
      name: 'Planted blocks',
      about: 'Groups of eight, four and two rows share 136 of 512 columns: it looks random, but is not.',
      provenance:
        'Generated with seed 31: groups of 8, 4 or 2 neighbouring rows share 136 columns drawn at random; each row has up to 6 further non-zeros, and two rows stand alone; values uniform, in f16.',
      window: { row: 0, col: 0, rows: 16, cols: 32 },
    },
    rows,
    cols,
    cells,
  );
}

/** A generated matrix as f16. */
function generatedExample(text: ExampleText, spec: Parameters<typeof generate>[0]): Example {
  return npyExample(text, spec.rows, spec.cols, toDense(generate(spec)));
}

const prunedBlocks = (): Example =>
  generatedExample(
    {
      id: 'pruned-blocks',
      name: 'Pruned block by block',
      about: 'One in five blocks of 4 × 4 is kept whole, as block pruning leaves weights: one index serves 16 of them.',
      provenance: 'Generated: pattern blocks with block size 4, fill 1, density 820 / 4096 and seed 53; f16.',
    },
    {
      pattern: 'blocks',
      rows: 256,
      cols: 256,
      density: 820 / 4096,
      seed: 53,
      options: { blockSize: 4, fill: 1 },
    },
  );

const outlierColumns = (): Example =>
  generatedExample(
    {
      id: 'outlier-columns',
      name: 'Outlier columns',
      about: 'A few columns are eight times denser and twenty times larger than the rest, as in language models.',
      provenance: 'Generated: pattern outlier-columns with density 0.25, seed 41 and default options; f16.',
    },
    { pattern: 'outlier-columns', rows: 256, cols: 512, density: 0.25, seed: 41 },
  );

const skewedRows = (): Example =>
  generatedExample(
    {
      id: 'row-skewed',
      name: 'Skewed rows',
      about: 'A few rows hold most of the non-zeros, as with words and links: work is hard to share out evenly.',
      provenance: 'Generated: pattern row-skewed with density 0.1, seed 71 and default options; f16.',
    },
    { pattern: 'row-skewed', rows: 256, cols: 384, density: 0.1, seed: 71 },
  );

/** The matrix of a 3 × 3 stencil on a square grid of `edge` points a side, with zeros around it. Zero weights are not stored. */
function stencilExample(text: ExampleText, edge: number, kernel: readonly (readonly number[])[]): Example {
  const rows = Array.from({ length: edge * edge }, (_, i) => {
    const [y, x] = [Math.floor(i / edge), i % edge];
    const row: number[] = [];
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const isInside = y + dy >= 0 && y + dy < edge && x + dx >= 0 && x + dx < edge;
        const weight = kernel[dy + 1][dx + 1];
        if (isInside && weight !== 0) row.push((y + dy) * edge + x + dx, weight);
      }
    }
    return row;
  });
  return mtxExample(text, fromRows(edge * edge, rows));
}

const laplacian = (): Example =>
  stencilExample(
    {
      id: 'laplacian-32x32',
      name: 'Laplacian of a grid',
      about: 'The five-point stencil of a heat equation: five thin diagonals, at most five non-zeros in a row.',
      provenance: 'Computed: the negative Laplacian on a 32 × 32 grid with zero boundary, unit spacing.',
    },
    32,
    [
      [0, -1, 0],
      [-1, 4, -1],
      [0, -1, 0],
    ],
  );

const convolution = (): Example =>
  stencilExample(
    {
      id: 'convolution-3x3',
      name: 'Convolution of an image',
      about: 'A 3 × 3 filter written as a matrix: nine diagonals in three bands, and the same nine numbers everywhere.',
      provenance: 'Computed: a 3 × 3 edge filter over an image of 24 × 24 pixels with zeros around it, unit steps.',
    },
    24,
    [
      [1, 2, 1],
      [2, -12, 2],
      [1, 2, 1],
    ],
  );

function slidingAttention(): Example {
  const tokens = 384;
  const [windowTokens, globalTokens] = [12, 4];
  const random = new Random(61);
  const rows = Array.from({ length: tokens }, (_, i) => {
    const row: number[] = [];
    for (let j = 0; j <= i; j++) {
      if (j < globalTokens || i - j < windowTokens) row.push(j, Number(random.uniform().toFixed(4)) + 0.0001);
    }
    return row;
  });
  return mtxExample(
    {
      id: 'sliding-attention',
      name: 'Sliding attention',
      about: 'Which tokens attend to which: each to the last twelve and the first four.',
      provenance:
        'Generated: causal window of 12 tokens and 4 global ones over 384 tokens; values uniform from 0 to 1 with seed 61.',
    },
    fromRows(tokens, rows),
  );
}

function arrow(): Example {
  const n = 400;
  const rows = Array.from({ length: n }, (_, i) => {
    if (i === 0) return Array.from({ length: n }, (_unused, j) => [j, j === 0 ? n : 1]).flat();
    return [0, 1, i, 2];
  });
  return mtxExample(
    {
      id: 'arrow',
      name: 'Arrow',
      about: 'One full row, one full column and the diagonal: the longest row decides how much ELL pads.',
      provenance: 'Computed: a symmetric arrow matrix with 400 rows, n and 2 on the diagonal and 1 beside it.',
    },
    fromRows(n, rows),
  );
}

function powerLawGraph(): Example {
  const nodes = 1000;
  const random = new Random(51);
  const neighbours = Array.from({ length: nodes }, () => new Set<number>());
  // Both ends of every edge, so that a random element is a node with a probability proportional to its degree.
  const ends: number[] = [];
  const connect = (a: number, b: number): void => {
    neighbours[a].add(b);
    neighbours[b].add(a);
    ends.push(a, b);
  };
  const edgesPerNode = 4;
  // The graph grows from a clique of five nodes.
  for (let a = 0; a <= edgesPerNode; a++) for (let b = 0; b < a; b++) connect(a, b);
  for (let a = edgesPerNode + 1; a < nodes; a++) {
    while (neighbours[a].size < edgesPerNode) {
      const b = ends[random.below(ends.length)];
      if (b !== a && !neighbours[a].has(b)) connect(a, b);
    }
  }
  const rows = neighbours.map((set) => [...set].toSorted((a, b) => a - b).flatMap((b) => [b, 1]));
  return mtxExample(
    {
      id: 'power-law-graph',
      name: 'Power-law graph',
      about: 'Links that favour nodes with many links already: a few rows are very long.',
      provenance:
        'Generated: adjacency of a graph grown by preferential attachment (Barabasi and Albert 1999), 1000 nodes, 4 links each, seed 51.',
    },
    fromRows(nodes, rows),
  );
}

/** A matrix from rows of column, value, column, value ... in ascending order. */
function fromRows(cols: number, rows: readonly (readonly number[])[]): Matrix {
  const flat = rows.flat();
  const indptr = new Uint32Array(rows.length + 1);
  rows.forEach((row, r) => (indptr[r + 1] = indptr[r] + row.length / 2));
  return csrMatrix({
    rows: rows.length,
    cols,
    indptr,
    indices: Uint32Array.from(flat.filter((_, i) => i % 2 === 0)),
    data: Float32Array.from(flat.filter((_, i) => i % 2 === 1)),
  });
}

/** A matrix as .mtx example, compressed from 1000 non-zeros on. */
function mtxExample(text: ExampleText, m: Matrix): Example {
  const { rows, cols, nnz } = m;
  const plain = Buffer.concat([...writeMtx(m)]);
  const isSmall = nnz < 1000;
  return {
    entry: { ...text, file: isSmall ? `${text.id}.mtx` : `${text.id}.mtx.gz`, rows, cols, nnz, licence: 'MIT' },
    bytes: isSmall ? plain : gzipped(plain),
  };
}

/** gzip without a timestamp, so that the same content gives the same bytes. */
function gzipped(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { level: 9, mtime: 0 });
}
