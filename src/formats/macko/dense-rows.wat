;; formats/macko/dense-rows: encodes f32 rows as MACKO's f16 values and 4-bit deltas, eight cells at a time, by SIMD.
;;
;; Memory is laid out by dense-rows.ts. It begins with two tables, indexed by the mask of eight cells, whose bit i is set if
;; cell i is not zero. At 0, 16 bytes for each mask: the swizzle indices that move the f16 values of the non-zero cells to the
;; front. At 4096, 8 bytes for each mask: the deltas of the non-zero cells, with 0 for the first.
(module
  (memory (export "memory") 1)

  ;; Converts the magnitudes of four cells to f16, each in the lower half of its 32 bits.
  (func $any (param $magnitude v128) (result v128)
    (v128.bitselect
      ;; Below 2^-14: adding 0.5 rounds to a multiple of 2^-24.
      (i32x4.sub
        (f32x4.add (local.get $magnitude) (i32x4.splat (i32.const 0x3f000000)))
        (i32x4.splat (i32.const 0x3f000000)))
      (v128.bitselect
        (i32x4.shr_u
          (i32x4.add
            (i32x4.add (local.get $magnitude) (i32x4.splat (i32.const 0xc8000fff)))
            (v128.and (i32x4.shr_u (local.get $magnitude) (i32.const 13)) (i32x4.splat (i32.const 1))))
          (i32.const 13))
        ;; 2^16 and above: infinity, or NaN.
        (v128.bitselect
          (i32x4.splat (i32.const 0x7e00))
          (i32x4.splat (i32.const 0x7c00))
          (i32x4.gt_s (local.get $magnitude) (i32x4.splat (i32.const 0x7f800000))))
        (i32x4.lt_s (local.get $magnitude) (i32x4.splat (i32.const 0x47800000))))
      (i32x4.lt_s (local.get $magnitude) (i32x4.splat (i32.const 0x38800000)))))

  ;; Encodes $rows rows of $cells cells (a multiple of 8, not 0) from $source on. Writes an f16 per entry from $values on, a
  ;; byte per delta from $deltas on, and the number of entries of each row as a u32 from $counts on. Up to 16 bytes behind the
  ;; last value and 8 behind the last delta are written as well. Returns the end of the deltas.
  (func (export "encode")
    (param $source i32) (param $rows i32) (param $cells i32)
    (param $values i32) (param $deltas i32) (param $counts i32) (result i32)
    (local $end i32) (local $gap i32) (local $mask i32) (local $first i32) (local $count i32) (local $begin i32)
    (local $low v128) (local $high v128) (local $magnitude_low v128) (local $magnitude_high v128) (local $half v128)
    (loop $row
      (local.set $end (i32.add (local.get $source) (i32.shl (local.get $cells) (i32.const 2))))
      (local.set $begin (local.get $deltas))
      ;; Zeros since the last entry of the row.
      (local.set $gap (i32.const 0))
      (loop $eight
        (local.set $low (v128.load (local.get $source)))
        (local.set $high (v128.load offset=16 (local.get $source)))
        (local.set $magnitude_low (v128.and (local.get $low) (i32x4.splat (i32.const 0x7fffffff))))
        (local.set $magnitude_high (v128.and (local.get $high) (i32x4.splat (i32.const 0x7fffffff))))
        (local.set $mask
          (i16x8.bitmask
            (i16x8.narrow_i32x4_s
              (i32x4.gt_s (local.get $magnitude_low) (i32x4.splat (i32.const 0)))
              (i32x4.gt_s (local.get $magnitude_high) (i32x4.splat (i32.const 0))))))
        (if (local.get $mask)
          (then
            (local.set $first (i32.add (local.get $gap) (i32.ctz (local.get $mask))))
            (block $near
              (loop $padding
                (br_if $near (i32.lt_u (local.get $first) (i32.const 16)))
                (i32.store16 (local.get $values) (i32.const 0))
                (local.set $values (i32.add (local.get $values) (i32.const 2)))
                (i32.store8 (local.get $deltas) (i32.const 15))
                (local.set $deltas (i32.add (local.get $deltas) (i32.const 1)))
                (local.set $first (i32.sub (local.get $first) (i32.const 16)))
                (br $padding)))
            ;; The fast path, if all cells are at least 2^-14 and below 2^16, as nearly always: shifts the exponent and rounds
            ;; the fraction to even. Results for zeros do not matter, since zeros are not stored.
            (if
              (i32.eq
                (i16x8.bitmask
                  (i16x8.narrow_i32x4_s
                    (i32x4.lt_u
                      (i32x4.sub (local.get $magnitude_low) (i32x4.splat (i32.const 0x38800000)))
                      (i32x4.splat (i32.const 0x0f000000)))
                    (i32x4.lt_u
                      (i32x4.sub (local.get $magnitude_high) (i32x4.splat (i32.const 0x38800000)))
                      (i32x4.splat (i32.const 0x0f000000)))))
                (local.get $mask))
              (then
                (local.set $half
                  (i16x8.narrow_i32x4_u
                    (i32x4.shr_u
                      (i32x4.add
                        (i32x4.add (local.get $magnitude_low) (i32x4.splat (i32.const 0xc8000fff)))
                        (v128.and (i32x4.shr_u (local.get $magnitude_low) (i32.const 13)) (i32x4.splat (i32.const 1))))
                      (i32.const 13))
                    (i32x4.shr_u
                      (i32x4.add
                        (i32x4.add (local.get $magnitude_high) (i32x4.splat (i32.const 0xc8000fff)))
                        (v128.and (i32x4.shr_u (local.get $magnitude_high) (i32.const 13)) (i32x4.splat (i32.const 1))))
                      (i32.const 13)))))
              (else
                (local.set $half
                  (i16x8.narrow_i32x4_u
                    (call $any (local.get $magnitude_low))
                    (call $any (local.get $magnitude_high))))))
            ;; The sign is the highest bit of the upper half of a cell.
            (local.set $half
              (v128.or
                (local.get $half)
                (v128.and
                  (i16x8.narrow_i32x4_s
                    (i32x4.shr_s (local.get $low) (i32.const 16))
                    (i32x4.shr_s (local.get $high) (i32.const 16)))
                  (i16x8.splat (i32.const 0x8000)))))
            (v128.store (local.get $values)
              (i8x16.swizzle (local.get $half) (v128.load (i32.shl (local.get $mask) (i32.const 4)))))
            (i64.store (local.get $deltas)
              (i64.or
                (i64.load offset=4096 (i32.shl (local.get $mask) (i32.const 3)))
                (i64.extend_i32_u (local.get $first))))
            (local.set $count (i32.popcnt (local.get $mask)))
            (local.set $values (i32.add (local.get $values) (i32.shl (local.get $count) (i32.const 1))))
            (local.set $deltas (i32.add (local.get $deltas) (local.get $count)))
            (local.set $gap (i32.sub (i32.clz (local.get $mask)) (i32.const 24))))
          (else
            (local.set $gap (i32.add (local.get $gap) (i32.const 8)))))
        (local.set $source (i32.add (local.get $source) (i32.const 32)))
        (br_if $eight (i32.lt_u (local.get $source) (local.get $end))))
      (i32.store (local.get $counts) (i32.sub (local.get $deltas) (local.get $begin)))
      (local.set $counts (i32.add (local.get $counts) (i32.const 4)))
      (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
      (br_if $row (local.get $rows)))
    (local.get $deltas))

  ;; Packs deltas of a byte each, from $from to before $end, into four bits each from $to on, the first in the low half of a
  ;; byte. Packs 16 at a time, up to 15 behind the end as well. $to may be $from.
  (func (export "pack") (param $from i32) (param $end i32) (param $to i32)
    (local $deltas v128)
    (block $done
      (loop $sixteen
        (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
        (local.set $deltas (v128.load (local.get $from)))
        (local.set $deltas
          (v128.and
            (v128.or (local.get $deltas) (i16x8.shr_u (local.get $deltas) (i32.const 4)))
            (i16x8.splat (i32.const 0xff))))
        (i64.store (local.get $to)
          (i64x2.extract_lane 0 (i8x16.narrow_i16x8_u (local.get $deltas) (local.get $deltas))))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (local.set $to (i32.add (local.get $to) (i32.const 8)))
        (br $sixteen))))
)
