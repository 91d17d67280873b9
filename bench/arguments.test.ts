import { describe, expect, test } from 'vitest';
import { formats } from '../src/formats/registry.ts';
import { patterns } from '../src/generate/patterns.ts';
import { parseArguments } from './arguments.ts';

const parse = (line: string) => parseArguments(line === '' ? [] : line.split(' '), formats, patterns);

describe('parseArguments', () => {
  test('has a default for everything', () => {
    expect(parse('')).toMatchObject({
      operation: { id: 'spmv' },
      sizes: [{}],
      shapes: [{ rows: 4096, cols: 4096 }],
      densities: [0.5, 0.3, 0.1],
      formats: formats.map((f) => f.id),
      namedFormats: [],
      variants: 'auto',
      kernels: null,
      pattern: 'uniform',
      patternOptions: {},
      seed: 1,
      rounds: 20,
      memory: 'cold',
      coldMiB: 256,
      where: 'gpu',
      tuning: 'remember',
      check: false,
      timeSoftware: false,
      json: null,
    });
  });

  test('reads every option', () => {
    expect(
      parse(
        '--shapes 4x8,12x3 --densities 0.1,1 --formats macko --variants all --seed 9 --rounds 3 --memory warm --check --time-software --json a.json --csv a.csv --pattern banded --cold-mib 512 --tuning off --kernels macko/spmv_subgroup',
      ),
    ).toMatchObject({
      shapes: [
        { rows: 4, cols: 8 },
        { rows: 12, cols: 3 },
      ],
      densities: [0.1, 1],
      formats: ['dense', 'macko'],
      variants: 'all',
      seed: 9,
      rounds: 3,
      memory: 'warm',
      check: true,
      timeSoftware: true,
      json: 'a.json',
      pattern: 'banded',
      coldMiB: 512,
      where: 'gpu',
      tuning: 'off',
      namedFormats: ['macko'],
      kernels: ['macko/spmv_subgroup'],
    });
  });

  test('combines the sizes of an operation', () => {
    const { operation, sizes } = parse('--operation gemm --sizes tokens=1+16');
    expect(operation.id).toBe('gemm');
    expect(sizes).toEqual([{ tokens: 1 }, { tokens: 16 }]);
    expect(parse('--operation gemm').sizes).toEqual([{ tokens: 256 }]);
  });

  test('combines the values of parameters, the more specific name first', () => {
    const { params } = parse('--formats macko,csr --params macko.deltaBits=2+4,valueType=f32,macko.valueType=f16+i8');
    expect(params.macko).toEqual([
      { deltaBits: 2, valueType: 'f16' },
      { deltaBits: 2, valueType: 'i8' },
      { deltaBits: 4, valueType: 'f16' },
      { deltaBits: 4, valueType: 'i8' },
    ]);
    expect(params.csr).toEqual([{ valueType: 'f32', indexBits: 'auto' }]);
    expect(params.dense).toEqual([]);
    expect(parse('--formats dense --params valueType=f32').params.dense).toEqual([{ valueType: 'f32' }]);
  });

  test('applies a value for all formats to each that supports it', () => {
    const { params } = parse('--formats macko,csr --params valueType=f32+i8');
    expect(params.csr.map((p) => p.valueType)).toEqual(['f32']);
    expect(params.macko.map((p) => p.valueType)).toEqual(['f32', 'i8']);
  });

  test.for([
    ['--operation fly', "--operation: found 'fly', expected one of spmv, spmv-zeros, gemm, "],
    ['--sizes tokens=1', "--sizes: sizes of 'spmv': found 'tokens', expected none"],
    ['--operation gemm --sizes tokens=1+many', '--sizes: tokens: found NaN, expected a whole number from 1 to 65536'],
    ['--shapes 4096', "--shapes: found '4096', expected ROWSxCOLUMNS such as 4096x4096"],
    ['--densities 0.5,2', "--densities: found '2', expected a number from 0 to 1"],
    ['--densities 0.5,', "--densities: found '0.5,', expected a,b,c"],
    ['--rounds 2.5', "--rounds: found '2.5', expected a whole number from 1 to 10000"],
    ['--rounds', '--rounds: found no value after it, expected one'],
    ['--json - --csv -', "--csv: found '-', which --json writes, expected another output"],
    ['--json --check', '--json: found no value after it, expected one'],
    [
      '--pattern-options tokenSkew=0',
      "--pattern-options: found 'tokenSkew=0', expected none: the pattern has no options",
    ],
    ['--pattern activations --pattern-options skew=0', "--pattern-options: found 'skew=0', expected tokenSkew=VALUE"],
    [
      '--pattern activations --pattern-options dead=2',
      "--pattern-options dead: found '2', expected a number from 0 to 1",
    ],
    ['--pattern activations --pattern-options dead=0,dead=0', '--pattern-options: found dead twice, expected it once'],
    ['--seed 1 --seed 2', '--seed: found twice, expected once'],
    [
      '--where cpu --operation convert',
      '--operation: found convert with --where cpu, expected spmv, the only one that runs there',
    ],
    ['--where cpu --check', '--check: found it with --where cpu, expected it on the GPU alone'],
    ['--where cpu --kernels macko/spmv_subgroup', '--kernels: found it with --where cpu, expected it on the GPU alone'],
    ['--where cpu --memory cold', '--memory: found cold with --where cpu, expected it on the GPU alone'],
    ['--operation gemm --sizes tokens=1,tokens=2', '--sizes: found tokens twice, expected it once'],
    ['--operation gemm --sizes tokens=1+1', '--sizes: found tokens=1 twice, expected it once'],
    ['--operation gemm --sizes gemm.tokens=1', "--sizes: found 'gemm.tokens', expected a name such as tokens"],
    ['--operation gemm --sizes tokens=1+', '--sizes: tokens: found NaN, expected a whole number from 1 to 65536'],
    ['--operation gemm --sizes tokens', "--sizes: found 'tokens', expected name=value"],
    ['--params macko.deltaBits=2,macko.deltaBits=4', '--params: found macko.deltaBits twice, expected it once'],
    ['--params valueType=f32,valueType=f16', '--params: found valueType twice, expected it once'],
    ['--params valueType=f32+f32', '--params: found valueType=f32 twice, expected it once'],
    ['4096x4096', "found '4096x4096', expected options only"],
    ['--memory lukewarm', "--memory: found 'lukewarm', expected one of cold, warm"],
    ['--pattern striped', "--pattern: found 'striped', expected one of uniform, "],
    [
      '--formats macko --params macko.deltaBits=4+3',
      "--params: found 'macko.deltaBits=3', expected one of macko.deltaBits=1|2|4|8, macko.valueType=f16|f32|i8",
    ],
    [
      '--formats macko --params valueType=f32+f64',
      "--params: found 'valueType=f64', expected one of macko.deltaBits=1|2|4|8, macko.valueType=f16|f32|i8",
    ],
    ['--params deltaBits', "--params: found 'deltaBits', expected name=value or format.name=value"],
  ] as const)('rejects %s with one message', ([line, message]) => {
    expect(() => parse(line)).toThrow(message);
  });

  test('lists the known options, formats, kernels and parameters', () => {
    expect(() => parse('--shape 4x4')).toThrow(
      /^found '--shape', expected one of --operation, .*--help, --version; did you mean --shapes\?$/,
    );
    expect(() => parse('--formats coo')).toThrow(/^--formats: found 'coo', expected one of .*macko/);
    expect(() => parse('--kernels macko/fast')).toThrow(
      /^--kernels: found 'macko\/fast', expected one of .*macko\/spmv/,
    );
    expect(() => parse('--formats macko --params csr.deltaBits=4')).toThrow(
      /^--params: found 'csr\.deltaBits=4', expected one of .*macko\.deltaBits/,
    );
  });
});
