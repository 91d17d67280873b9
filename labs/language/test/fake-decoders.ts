import { cpuDecoder } from '../decoders/cpu/cpu-decoder.ts';
import type { Decoder } from '../decoders/decoder.ts';
import type { Decoders } from '../page/service/decoders.ts';

/** For tests: a decoder in no format, with a made-up location. */
export const placedDecoder = (decoder: Decoder, where: 'cpu' | 'gpu'): Awaited<ReturnType<Decoders['open']>> => ({
  decoder,
  where,
  notOnGpu: null,
  formatUse: { inFormat: 0, rejection: null },
});

/** For tests: decoders of this thread, which may report that they are on a device. */
export function threadDecoders(where: 'cpu' | 'gpu'): Pick<Decoders, 'open'> {
  return {
    open: async ({ config }, weights, _storedAs, job, past) =>
      placedDecoder(cpuDecoder(config, weights, where === 'cpu' ? { job, past } : { job }), where),
  };
}

/** A decoder for tests, with some of its functions replaced. */
export function withMethods(decoder: Decoder, methods: Partial<Decoder>): Decoder {
  return new Proxy(decoder, {
    get: (target, name) => {
      if (Object.hasOwn(methods, name)) return Reflect.get(methods, name) as unknown;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
