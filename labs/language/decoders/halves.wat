;; language/halves: widens f16 and bf16 to f32, with SIMD.
;;
;; $count of them, a multiple of 8, are at address $from; the f32 are written from address $to on.
(module
  (memory (export "memory") 1)

  ;; f16: exponent and fraction moved to where an f32 has them, times 2^112, which is exact; then the sign.
  (func (export "widenF16") (param $from i32) (param $to i32) (param $count i32)
    (local $halves v128) (local $wide v128)
    (block $done
      (loop $eight
        (br_if $done (i32.le_s (local.get $count) (i32.const 0)))
        (local.set $halves (v128.load (local.get $from)))
        (local.set $wide (i32x4.extend_low_i16x8_u (local.get $halves)))
        (v128.store (local.get $to)
          (v128.or
            (f32x4.mul
              (i32x4.shl (v128.and (local.get $wide) (v128.const i32x4 0x7fff 0x7fff 0x7fff 0x7fff)) (i32.const 13))
              (v128.const i32x4 0x77800000 0x77800000 0x77800000 0x77800000))
            (i32x4.shl (v128.and (local.get $wide) (v128.const i32x4 0x8000 0x8000 0x8000 0x8000)) (i32.const 16))))
        (local.set $wide (i32x4.extend_high_i16x8_u (local.get $halves)))
        (v128.store offset=16 (local.get $to)
          (v128.or
            (f32x4.mul
              (i32x4.shl (v128.and (local.get $wide) (v128.const i32x4 0x7fff 0x7fff 0x7fff 0x7fff)) (i32.const 13))
              (v128.const i32x4 0x77800000 0x77800000 0x77800000 0x77800000))
            (i32x4.shl (v128.and (local.get $wide) (v128.const i32x4 0x8000 0x8000 0x8000 0x8000)) (i32.const 16))))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (local.set $to (i32.add (local.get $to) (i32.const 32)))
        (local.set $count (i32.sub (local.get $count) (i32.const 8)))
        (br $eight))))

  ;; bf16: the upper half of an f32.
  (func (export "widenBf16") (param $from i32) (param $to i32) (param $count i32)
    (local $halves v128)
    (block $done
      (loop $eight
        (br_if $done (i32.le_s (local.get $count) (i32.const 0)))
        (local.set $halves (v128.load (local.get $from)))
        (v128.store (local.get $to) (i32x4.shl (i32x4.extend_low_i16x8_u (local.get $halves)) (i32.const 16)))
        (v128.store offset=16 (local.get $to) (i32x4.shl (i32x4.extend_high_i16x8_u (local.get $halves)) (i32.const 16)))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (local.set $to (i32.add (local.get $to) (i32.const 32)))
        (local.set $count (i32.sub (local.get $count) (i32.const 8)))
        (br $eight)))))
