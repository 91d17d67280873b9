;; ec-csr/overlap: finds the row blocks that share most columns with a query, as overlap.ts defines both, with SIMD.
;;
;; Memory is laid out by overlap-wasm.ts. $words is a multiple of 16. Unit u has the bits at $bits + u * $words * 4. $order
;; lists the units to be searched in groups of 128: ascending in a group, the last one filled up with an empty unit. The tile
;; of a group has a vector for each column, with a bit for each of the 128 units, and one more vector of zeros, for no column.
;; Query q has its columns at $lists + q * $listBytes, and its record of eight words at $records + q * 32: after, skipA,
;; skipB, needed, best, bestShared, runnerUp, takenByBelow. $takenBy has a word per unit, $free a byte.
(module
  (memory (export "memory") 1)

  ;; Writes the tiles of $places units in $order, a multiple of 128: the bits of each unit are transposed, 16 units and 8
  ;; columns at a time.
  (func (export "tile") (param $bits i32) (param $words i32) (param $order i32) (param $places i32) (param $tiles i32)
    (local $rowBytes i32) (local $tileBytes i32) (local $place i32) (local $at i32) (local $byte i32) (local $out i32)
    (local $r0 i32) (local $r1 i32) (local $r2 i32) (local $r3 i32) (local $r4 i32) (local $r5 i32) (local $r6 i32)
    (local $r7 i32) (local $r8 i32) (local $r9 i32) (local $r10 i32) (local $r11 i32) (local $r12 i32) (local $r13 i32)
    (local $r14 i32) (local $r15 i32)
    (local $v v128)
    (local.set $rowBytes (i32.shl (local.get $words) (i32.const 2)))
    (local.set $tileBytes (i32.add (i32.shl (local.get $words) (i32.const 9)) (i32.const 16)))
    (block $done
      (loop $groups
        (br_if $done (i32.ge_u (local.get $place) (local.get $places)))
        (local.set $at (i32.add (local.get $order) (i32.shl (local.get $place) (i32.const 2))))
        (local.set $r0 (i32.add (local.get $bits) (i32.mul (i32.load offset=0 (local.get $at)) (local.get $rowBytes))))
        (local.set $r1 (i32.add (local.get $bits) (i32.mul (i32.load offset=4 (local.get $at)) (local.get $rowBytes))))
        (local.set $r2 (i32.add (local.get $bits) (i32.mul (i32.load offset=8 (local.get $at)) (local.get $rowBytes))))
        (local.set $r3 (i32.add (local.get $bits) (i32.mul (i32.load offset=12 (local.get $at)) (local.get $rowBytes))))
        (local.set $r4 (i32.add (local.get $bits) (i32.mul (i32.load offset=16 (local.get $at)) (local.get $rowBytes))))
        (local.set $r5 (i32.add (local.get $bits) (i32.mul (i32.load offset=20 (local.get $at)) (local.get $rowBytes))))
        (local.set $r6 (i32.add (local.get $bits) (i32.mul (i32.load offset=24 (local.get $at)) (local.get $rowBytes))))
        (local.set $r7 (i32.add (local.get $bits) (i32.mul (i32.load offset=28 (local.get $at)) (local.get $rowBytes))))
        (local.set $r8 (i32.add (local.get $bits) (i32.mul (i32.load offset=32 (local.get $at)) (local.get $rowBytes))))
        (local.set $r9 (i32.add (local.get $bits) (i32.mul (i32.load offset=36 (local.get $at)) (local.get $rowBytes))))
        (local.set $r10 (i32.add (local.get $bits) (i32.mul (i32.load offset=40 (local.get $at)) (local.get $rowBytes))))
        (local.set $r11 (i32.add (local.get $bits) (i32.mul (i32.load offset=44 (local.get $at)) (local.get $rowBytes))))
        (local.set $r12 (i32.add (local.get $bits) (i32.mul (i32.load offset=48 (local.get $at)) (local.get $rowBytes))))
        (local.set $r13 (i32.add (local.get $bits) (i32.mul (i32.load offset=52 (local.get $at)) (local.get $rowBytes))))
        (local.set $r14 (i32.add (local.get $bits) (i32.mul (i32.load offset=56 (local.get $at)) (local.get $rowBytes))))
        (local.set $r15 (i32.add (local.get $bits) (i32.mul (i32.load offset=60 (local.get $at)) (local.get $rowBytes))))
        (local.set $out
          (i32.add
            (i32.add (local.get $tiles) (i32.mul (i32.shr_u (local.get $place) (i32.const 7)) (local.get $tileBytes)))
            (i32.shr_u (i32.and (local.get $place) (i32.const 112)) (i32.const 3))))
        (local.set $byte (i32.const 0))
        (loop $bytes
          (local.set $v (v128.load8_lane 0 (i32.add (local.get $r0) (local.get $byte)) (v128.const i64x2 0 0)))
          (local.set $v (v128.load8_lane 1 (i32.add (local.get $r1) (local.get $byte)) (local.get $v)))
          (local.set $v (v128.load8_lane 2 (i32.add (local.get $r2) (local.get $byte)) (local.get $v)))
          (local.set $v (v128.load8_lane 3 (i32.add (local.get $r3) (local.get $byte)) (local.get $v)))
          (local.set $v (v128.load8_lane 4 (i32.add (local.get $r4) (local.get $byte)) (local.get $v)))
          (local.set $v (v128.load8_lane 5 (i32.add (local.get $r5) (local.get $byte)) (local.get $v)))
          (local.set $v (v128.load8_lane 6 (i32.add (local.get $r6) (local.get $byte)) (local.get $v)))
          (local.set $v (v128.load8_lane 7 (i32.add (local.get $r7) (local.get $byte)) (local.get $v)))
          (local.set $v (v128.load8_lane 8 (i32.add (local.get $r8) (local.get $byte)) (local.get $v)))
          (local.set $v (v128.load8_lane 9 (i32.add (local.get $r9) (local.get $byte)) (local.get $v)))
          (local.set $v (v128.load8_lane 10 (i32.add (local.get $r10) (local.get $byte)) (local.get $v)))
          (local.set $v (v128.load8_lane 11 (i32.add (local.get $r11) (local.get $byte)) (local.get $v)))
          (local.set $v (v128.load8_lane 12 (i32.add (local.get $r12) (local.get $byte)) (local.get $v)))
          (local.set $v (v128.load8_lane 13 (i32.add (local.get $r13) (local.get $byte)) (local.get $v)))
          (local.set $v (v128.load8_lane 14 (i32.add (local.get $r14) (local.get $byte)) (local.get $v)))
          (local.set $v (v128.load8_lane 15 (i32.add (local.get $r15) (local.get $byte)) (local.get $v)))
          ;; The highest bits of the sixteen bytes belong to the last of the eight columns.
          (i32.store16 offset=112 (local.get $out) (i8x16.bitmask (local.get $v)))
          (local.set $v (i8x16.add (local.get $v) (local.get $v)))
          (i32.store16 offset=96 (local.get $out) (i8x16.bitmask (local.get $v)))
          (local.set $v (i8x16.add (local.get $v) (local.get $v)))
          (i32.store16 offset=80 (local.get $out) (i8x16.bitmask (local.get $v)))
          (local.set $v (i8x16.add (local.get $v) (local.get $v)))
          (i32.store16 offset=64 (local.get $out) (i8x16.bitmask (local.get $v)))
          (local.set $v (i8x16.add (local.get $v) (local.get $v)))
          (i32.store16 offset=48 (local.get $out) (i8x16.bitmask (local.get $v)))
          (local.set $v (i8x16.add (local.get $v) (local.get $v)))
          (i32.store16 offset=32 (local.get $out) (i8x16.bitmask (local.get $v)))
          (local.set $v (i8x16.add (local.get $v) (local.get $v)))
          (i32.store16 offset=16 (local.get $out) (i8x16.bitmask (local.get $v)))
          (local.set $v (i8x16.add (local.get $v) (local.get $v)))
          (i32.store16 offset=0 (local.get $out) (i8x16.bitmask (local.get $v)))
          (local.set $out (i32.add (local.get $out) (i32.const 128)))
          (local.set $byte (i32.add (local.get $byte) (i32.const 1)))
          (br_if $bytes (i32.lt_u (local.get $byte) (local.get $rowBytes))))
        (local.set $place (i32.add (local.get $place) (i32.const 16)))
        (br $groups))))

  ;; Writes the byte offsets in a tile of the columns of a set, filled up to a multiple of 16 with the offset of the vector of
  ;; zeros. Returns the number of columns.
  (func (export "list") (param $set i32) (param $words i32) (param $list i32) (result i32)
    (local $start i32) (local $end i32) (local $offset i32) (local $word i64) (local $count i32) (local $none i32)
    (local.set $start (local.get $list))
    (local.set $none (i32.shl (local.get $words) (i32.const 9)))
    (local.set $end (i32.add (local.get $set) (i32.shl (local.get $words) (i32.const 2))))
    (loop $words
      (local.set $word (i64.load (local.get $set)))
      (block $empty
        (loop $columns
          (br_if $empty (i64.eqz (local.get $word)))
          (i32.store
            (local.get $list)
            (i32.add (local.get $offset) (i32.shl (i32.wrap_i64 (i64.ctz (local.get $word))) (i32.const 4))))
          (local.set $list (i32.add (local.get $list) (i32.const 4)))
          (local.set $word (i64.and (local.get $word) (i64.sub (local.get $word) (i64.const 1))))
          (br $columns)))
      (local.set $offset (i32.add (local.get $offset) (i32.const 1024)))
      (local.set $set (i32.add (local.get $set) (i32.const 8)))
      (br_if $words (i32.lt_u (local.get $set) (local.get $end))))
    (local.set $count (i32.shr_u (i32.sub (local.get $list) (local.get $start)) (i32.const 2)))
    (local.set $end (i32.add (local.get $list) (i32.const 64)))
    (loop $fill
      (i32.store (local.get $list) (local.get $none))
      (local.set $list (i32.add (local.get $list) (i32.const 4)))
      (br_if $fill (i32.lt_u (local.get $list) (local.get $end))))
    (local.get $count))

  ;; Compares the free units of $order from $from on with every query, tile by tile. One pass over the columns of a query
  ;; counts the shared columns of the 128 units of a tile at once, with bit-sliced counters: vector $p<b> contains bit b of
  ;; every counter; from bit 13 on the vectors are in memory. $scratch has space for a vector and all 32 of these.
  (func (export "search")
    (param $words i32) (param $order i32) (param $places i32) (param $tiles i32) (param $density f32)
    (param $free i32) (param $takenBy i32) (param $from i32)
    (param $lists i32) (param $listBytes i32) (param $counts i32)
    (param $records i32) (param $queries i32) (param $scratch i32)
    (local $tileBytes i32) (local $recordsEnd i32)
    (local $t i32) (local $last i32) (local $record i32) (local $list i32) (local $count i32)
    (local $needed i32) (local $n i32) (local $left i32) (local $start i32) (local $column i32) (local $end i32)
    (local $expected f32) (local $half i32) (local $word i64) (local $j i32) (local $x i32) (local $bit i32) (local $sum i64)
    (local $shared i32) (local $plane12 i32) (local $top i32)
    (local $open v128) (local $reached v128) (local $a v128) (local $b v128) (local $u v128)
    (local $c1a v128) (local $c1b v128) (local $c2a v128) (local $c2b v128) (local $c3a v128) (local $c3b v128)
    (local $c4a v128)
    (local $p0 v128) (local $p1 v128) (local $p2 v128) (local $p3 v128) (local $p4 v128) (local $p5 v128) (local $p6 v128)
    (local $p7 v128) (local $p8 v128) (local $p9 v128) (local $p10 v128) (local $p11 v128) (local $p12 v128)
    (local.set $tileBytes (i32.add (i32.shl (local.get $words) (i32.const 9)) (i32.const 16)))
    (local.set $recordsEnd (i32.add (local.get $records) (i32.shl (local.get $queries) (i32.const 5))))
    (local.set $plane12 (i32.add (local.get $scratch) (i32.const 208)))
    ;; The highest vector of the counters that may be other than zero.
    (local.set $top (i32.add (local.get $scratch) (i32.const 512)))
    (block $done
      (loop $eachTile
        (br_if $done (i32.ge_u (local.get $t) (local.get $places)))
        (local.set $last (i32.load offset=508 (local.get $order)))
        (block $nextTile
          (br_if $nextTile (i32.lt_s (local.get $last) (local.get $from)))
          ;; A bit for each unit of the tile: whether it is free.
          (local.set $half (i32.const 0))
          (local.set $x (local.get $order))
          (loop $halves
            (local.set $word (i64.const 0))
            (local.set $sum (i64.const 0))
            (loop $units
              (local.set $word
                (i64.or
                  (local.get $word)
                  (i64.shl (i64.load8_u (i32.add (local.get $free) (i32.load (local.get $x)))) (local.get $sum))))
              (local.set $x (i32.add (local.get $x) (i32.const 4)))
              (local.set $sum (i64.add (local.get $sum) (i64.const 1)))
              (br_if $units (i64.lt_u (local.get $sum) (i64.const 64))))
            (i64.store (i32.add (local.get $scratch) (local.get $half)) (local.get $word))
            (local.set $half (i32.add (local.get $half) (i32.const 8)))
            (br_if $halves (i32.eq (local.get $half) (i32.const 8))))
          (local.set $open (v128.load (local.get $scratch)))
          (br_if $nextTile (i32.eqz (v128.any_true (local.get $open))))
          (local.set $record (local.get $records))
          (local.set $list (local.get $lists))
          (local.set $count (local.get $counts))
          (loop $eachQuery
            (block $nextQuery
              (br_if $nextQuery (i32.ge_s (i32.load (local.get $record)) (local.get $last)))
              ;; A unit that shares as many columns as the runner-up is better only if its number is lower.
              (local.set $needed
                (i32.add
                  (i32.load offset=12 (local.get $record))
                  (i32.gt_u (i32.load (local.get $order)) (i32.load offset=24 (local.get $record)))))
              (local.set $n (i32.load (local.get $count)))
              (br_if $nextQuery (i32.lt_u (local.get $n) (local.get $needed)))
              ;; The columns that an unrelated unit shares with the query by chance, plus four standard deviations. If no unit
              ;; shares more, the last columns need not be counted: they are fewer than the missing shared columns.
              (local.set $expected (f32.mul (local.get $density) (f32.convert_i32_u (local.get $n))))
              (local.set $left
                (i32.sub
                  (local.get $needed)
                  (i32.trunc_sat_f32_u
                    (f32.add
                      (f32.add (local.get $expected) (f32.const 1))
                      (f32.mul (f32.const 4) (f32.sqrt (local.get $expected)))))))
              (local.set $left (select (local.get $left) (i32.const 0) (i32.gt_s (local.get $left) (i32.const 0))))
              (block $found
                (loop $pass
                  ;; All columns but $left, filled up to a multiple of 16.
                  (local.set $end
                    (i32.and (i32.add (i32.sub (local.get $n) (local.get $left)) (i32.const 15)) (i32.const -16)))
                  (local.set $left (i32.sub (local.get $n) (local.get $end)))
                  (local.set $left (select (local.get $left) (i32.const 0) (i32.gt_s (local.get $left) (i32.const 0))))
                  (local.set $end (i32.add (local.get $list) (i32.shl (local.get $end) (i32.const 2))))
                  ;; Counters start at a value with which they overflow when a unit may reach the needed number.
                  (local.set $start (i32.sub (i32.const 8192) (i32.sub (local.get $needed) (local.get $left))))
                  (local.set $start (select (local.get $start) (i32.const 0) (i32.gt_s (local.get $start) (i32.const 0))))
                  (local.set $u (i32x4.splat (local.get $start)))
                  (local.set $p0 (i32x4.shr_s (i32x4.shl (local.get $u) (i32.const 31)) (i32.const 31)))
                  (local.set $p1 (i32x4.shr_s (i32x4.shl (local.get $u) (i32.const 30)) (i32.const 31)))
                  (local.set $p2 (i32x4.shr_s (i32x4.shl (local.get $u) (i32.const 29)) (i32.const 31)))
                  (local.set $p3 (i32x4.shr_s (i32x4.shl (local.get $u) (i32.const 28)) (i32.const 31)))
                  (local.set $p4 (i32x4.shr_s (i32x4.shl (local.get $u) (i32.const 27)) (i32.const 31)))
                  (local.set $p5 (i32x4.shr_s (i32x4.shl (local.get $u) (i32.const 26)) (i32.const 31)))
                  (local.set $p6 (i32x4.shr_s (i32x4.shl (local.get $u) (i32.const 25)) (i32.const 31)))
                  (local.set $p7 (i32x4.shr_s (i32x4.shl (local.get $u) (i32.const 24)) (i32.const 31)))
                  (local.set $p8 (i32x4.shr_s (i32x4.shl (local.get $u) (i32.const 23)) (i32.const 31)))
                  (local.set $p9 (i32x4.shr_s (i32x4.shl (local.get $u) (i32.const 22)) (i32.const 31)))
                  (local.set $p10 (i32x4.shr_s (i32x4.shl (local.get $u) (i32.const 21)) (i32.const 31)))
                  (local.set $p11 (i32x4.shr_s (i32x4.shl (local.get $u) (i32.const 20)) (i32.const 31)))
                  (local.set $p12 (i32x4.shr_s (i32x4.shl (local.get $u) (i32.const 19)) (i32.const 31)))
                  (local.set $reached (v128.const i64x2 0 0))
                  (loop $clear
                    (if (i32.gt_u (local.get $top) (local.get $plane12))
                      (then
                        (v128.store (local.get $top) (local.get $reached))
                        (local.set $top (i32.sub (local.get $top) (i32.const 16)))
                        (br $clear))))
                  (local.set $column (local.get $list))
                  (loop $columns
                    ;; Full adders: two vectors and a plane become the plane and a carry. Carries wait in $c<b>a and
                    ;; $c<b>b until two can go to plane b.
                    (local.set $a (v128.load (i32.add (local.get $tiles) (i32.load offset=0 (local.get $column)))))
                    (local.set $b (v128.load (i32.add (local.get $tiles) (i32.load offset=4 (local.get $column)))))
                    (local.set $u (v128.xor (local.get $a) (local.get $b)))
                    (local.set $c1a (v128.or (v128.and (local.get $a) (local.get $b)) (v128.and (local.get $u) (local.get $p0))))
                    (local.set $p0 (v128.xor (local.get $u) (local.get $p0)))
                    (local.set $a (v128.load (i32.add (local.get $tiles) (i32.load offset=8 (local.get $column)))))
                    (local.set $b (v128.load (i32.add (local.get $tiles) (i32.load offset=12 (local.get $column)))))
                    (local.set $u (v128.xor (local.get $a) (local.get $b)))
                    (local.set $c1b (v128.or (v128.and (local.get $a) (local.get $b)) (v128.and (local.get $u) (local.get $p0))))
                    (local.set $p0 (v128.xor (local.get $u) (local.get $p0)))
                    (local.set $u (v128.xor (local.get $c1a) (local.get $c1b)))
                    (local.set $c2a (v128.or (v128.and (local.get $c1a) (local.get $c1b)) (v128.and (local.get $u) (local.get $p1))))
                    (local.set $p1 (v128.xor (local.get $u) (local.get $p1)))
                    (local.set $a (v128.load (i32.add (local.get $tiles) (i32.load offset=16 (local.get $column)))))
                    (local.set $b (v128.load (i32.add (local.get $tiles) (i32.load offset=20 (local.get $column)))))
                    (local.set $u (v128.xor (local.get $a) (local.get $b)))
                    (local.set $c1a (v128.or (v128.and (local.get $a) (local.get $b)) (v128.and (local.get $u) (local.get $p0))))
                    (local.set $p0 (v128.xor (local.get $u) (local.get $p0)))
                    (local.set $a (v128.load (i32.add (local.get $tiles) (i32.load offset=24 (local.get $column)))))
                    (local.set $b (v128.load (i32.add (local.get $tiles) (i32.load offset=28 (local.get $column)))))
                    (local.set $u (v128.xor (local.get $a) (local.get $b)))
                    (local.set $c1b (v128.or (v128.and (local.get $a) (local.get $b)) (v128.and (local.get $u) (local.get $p0))))
                    (local.set $p0 (v128.xor (local.get $u) (local.get $p0)))
                    (local.set $u (v128.xor (local.get $c1a) (local.get $c1b)))
                    (local.set $c2b (v128.or (v128.and (local.get $c1a) (local.get $c1b)) (v128.and (local.get $u) (local.get $p1))))
                    (local.set $p1 (v128.xor (local.get $u) (local.get $p1)))
                    (local.set $u (v128.xor (local.get $c2a) (local.get $c2b)))
                    (local.set $c3a (v128.or (v128.and (local.get $c2a) (local.get $c2b)) (v128.and (local.get $u) (local.get $p2))))
                    (local.set $p2 (v128.xor (local.get $u) (local.get $p2)))
                    (local.set $a (v128.load (i32.add (local.get $tiles) (i32.load offset=32 (local.get $column)))))
                    (local.set $b (v128.load (i32.add (local.get $tiles) (i32.load offset=36 (local.get $column)))))
                    (local.set $u (v128.xor (local.get $a) (local.get $b)))
                    (local.set $c1a (v128.or (v128.and (local.get $a) (local.get $b)) (v128.and (local.get $u) (local.get $p0))))
                    (local.set $p0 (v128.xor (local.get $u) (local.get $p0)))
                    (local.set $a (v128.load (i32.add (local.get $tiles) (i32.load offset=40 (local.get $column)))))
                    (local.set $b (v128.load (i32.add (local.get $tiles) (i32.load offset=44 (local.get $column)))))
                    (local.set $u (v128.xor (local.get $a) (local.get $b)))
                    (local.set $c1b (v128.or (v128.and (local.get $a) (local.get $b)) (v128.and (local.get $u) (local.get $p0))))
                    (local.set $p0 (v128.xor (local.get $u) (local.get $p0)))
                    (local.set $u (v128.xor (local.get $c1a) (local.get $c1b)))
                    (local.set $c2a (v128.or (v128.and (local.get $c1a) (local.get $c1b)) (v128.and (local.get $u) (local.get $p1))))
                    (local.set $p1 (v128.xor (local.get $u) (local.get $p1)))
                    (local.set $a (v128.load (i32.add (local.get $tiles) (i32.load offset=48 (local.get $column)))))
                    (local.set $b (v128.load (i32.add (local.get $tiles) (i32.load offset=52 (local.get $column)))))
                    (local.set $u (v128.xor (local.get $a) (local.get $b)))
                    (local.set $c1a (v128.or (v128.and (local.get $a) (local.get $b)) (v128.and (local.get $u) (local.get $p0))))
                    (local.set $p0 (v128.xor (local.get $u) (local.get $p0)))
                    (local.set $a (v128.load (i32.add (local.get $tiles) (i32.load offset=56 (local.get $column)))))
                    (local.set $b (v128.load (i32.add (local.get $tiles) (i32.load offset=60 (local.get $column)))))
                    (local.set $u (v128.xor (local.get $a) (local.get $b)))
                    (local.set $c1b (v128.or (v128.and (local.get $a) (local.get $b)) (v128.and (local.get $u) (local.get $p0))))
                    (local.set $p0 (v128.xor (local.get $u) (local.get $p0)))
                    (local.set $u (v128.xor (local.get $c1a) (local.get $c1b)))
                    (local.set $c2b (v128.or (v128.and (local.get $c1a) (local.get $c1b)) (v128.and (local.get $u) (local.get $p1))))
                    (local.set $p1 (v128.xor (local.get $u) (local.get $p1)))
                    (local.set $u (v128.xor (local.get $c2a) (local.get $c2b)))
                    (local.set $c3b (v128.or (v128.and (local.get $c2a) (local.get $c2b)) (v128.and (local.get $u) (local.get $p2))))
                    (local.set $p2 (v128.xor (local.get $u) (local.get $p2)))
                    (local.set $u (v128.xor (local.get $c3a) (local.get $c3b)))
                    (local.set $c4a (v128.or (v128.and (local.get $c3a) (local.get $c3b)) (v128.and (local.get $u) (local.get $p3))))
                    (local.set $p3 (v128.xor (local.get $u) (local.get $p3)))
                    ;; What sixteen columns carry goes up through the other planes.
                    (local.set $u (v128.and (local.get $c4a) (local.get $p4)))
                    (local.set $p4 (v128.xor (local.get $c4a) (local.get $p4)))
                    (local.set $c4a (local.get $u))
                    (local.set $u (v128.and (local.get $c4a) (local.get $p5)))
                    (local.set $p5 (v128.xor (local.get $c4a) (local.get $p5)))
                    (local.set $c4a (local.get $u))
                    (local.set $u (v128.and (local.get $c4a) (local.get $p6)))
                    (local.set $p6 (v128.xor (local.get $c4a) (local.get $p6)))
                    (local.set $c4a (local.get $u))
                    (local.set $u (v128.and (local.get $c4a) (local.get $p7)))
                    (local.set $p7 (v128.xor (local.get $c4a) (local.get $p7)))
                    (local.set $c4a (local.get $u))
                    (local.set $u (v128.and (local.get $c4a) (local.get $p8)))
                    (local.set $p8 (v128.xor (local.get $c4a) (local.get $p8)))
                    (local.set $c4a (local.get $u))
                    (local.set $u (v128.and (local.get $c4a) (local.get $p9)))
                    (local.set $p9 (v128.xor (local.get $c4a) (local.get $p9)))
                    (local.set $c4a (local.get $u))
                    (local.set $u (v128.and (local.get $c4a) (local.get $p10)))
                    (local.set $p10 (v128.xor (local.get $c4a) (local.get $p10)))
                    (local.set $c4a (local.get $u))
                    (local.set $u (v128.and (local.get $c4a) (local.get $p11)))
                    (local.set $p11 (v128.xor (local.get $c4a) (local.get $p11)))
                    (local.set $c4a (local.get $u))
                    (local.set $u (v128.and (local.get $c4a) (local.get $p12)))
                    (local.set $p12 (v128.xor (local.get $c4a) (local.get $p12)))
                    (local.set $c4a (local.get $u))
                    ;; It seldom gets to the planes that lie in memory.
                    (if (v128.any_true (local.get $c4a))
                      (then
                        (local.set $reached (v128.or (local.get $reached) (local.get $c4a)))
                        (local.set $x (local.get $plane12))
                        (loop $high
                          (local.set $x (i32.add (local.get $x) (i32.const 16)))
                          (local.set $u (v128.load (local.get $x)))
                          (v128.store (local.get $x) (v128.xor (local.get $u) (local.get $c4a)))
                          (local.set $c4a (v128.and (local.get $u) (local.get $c4a)))
                          (br_if $high (v128.any_true (local.get $c4a))))
                        (local.set $top
                          (select (local.get $x) (local.get $top) (i32.gt_u (local.get $x) (local.get $top))))))
                    (local.set $column (i32.add (local.get $column) (i32.const 64)))
                    (br_if $columns (i32.lt_u (local.get $column) (local.get $end))))
                  (local.set $reached (v128.and (local.get $reached) (local.get $open)))
                  (br_if $nextQuery (i32.eqz (v128.any_true (local.get $reached))))
                  (br_if $found (i32.eqz (local.get $left)))
                  ;; Somebody could: once more, with all columns.
                  (local.set $left (i32.const 0))
                  (br $pass)))
              ;; Few get here: each is looked at by itself.
              (v128.store (local.get $scratch) (local.get $reached))
              (v128.store offset=16 (local.get $scratch) (local.get $p0))
              (v128.store offset=32 (local.get $scratch) (local.get $p1))
              (v128.store offset=48 (local.get $scratch) (local.get $p2))
              (v128.store offset=64 (local.get $scratch) (local.get $p3))
              (v128.store offset=80 (local.get $scratch) (local.get $p4))
              (v128.store offset=96 (local.get $scratch) (local.get $p5))
              (v128.store offset=112 (local.get $scratch) (local.get $p6))
              (v128.store offset=128 (local.get $scratch) (local.get $p7))
              (v128.store offset=144 (local.get $scratch) (local.get $p8))
              (v128.store offset=160 (local.get $scratch) (local.get $p9))
              (v128.store offset=176 (local.get $scratch) (local.get $p10))
              (v128.store offset=192 (local.get $scratch) (local.get $p11))
              (v128.store offset=208 (local.get $scratch) (local.get $p12))
              (local.set $half (i32.const 0))
              (loop $halves
                (local.set $word (i64.load (i32.add (local.get $scratch) (local.get $half))))
                (block $empty
                  (loop $units
                    (br_if $empty (i64.eqz (local.get $word)))
                    (local.set $bit (i32.wrap_i64 (i64.ctz (local.get $word))))
                    (local.set $word (i64.and (local.get $word) (i64.sub (local.get $word) (i64.const 1))))
                    (local.set $j
                      (i32.load
                        (i32.add
                          (local.get $order)
                          (i32.shl (i32.add (i32.shl (local.get $half) (i32.const 3)) (local.get $bit)) (i32.const 2)))))
                    (br_if $units (i32.le_s (local.get $j) (i32.load (local.get $record))))
                    (br_if $units (i32.eq (local.get $j) (i32.load offset=4 (local.get $record))))
                    (br_if $units (i32.eq (local.get $j) (i32.load offset=8 (local.get $record))))
                    (br_if $units
                      (i32.ge_s
                        (i32.load (i32.add (local.get $takenBy) (i32.shl (local.get $j) (i32.const 2))))
                        (i32.load offset=28 (local.get $record))))
                    ;; Where the unit's bit stands in a vector.
                    (local.set $x (i32.add (local.get $half) (i32.shr_u (local.get $bit) (i32.const 3))))
                    (local.set $bit (i32.and (local.get $bit) (i32.const 7)))
                    ;; What its counter says, from the highest bit down, without what it began with.
                    (local.set $column (local.get $top))
                    (local.set $shared (i32.const 0))
                    (loop $planes
                      (local.set $shared
                        (i32.or
                          (i32.shl (local.get $shared) (i32.const 1))
                          (i32.and
                            (i32.shr_u (i32.load8_u (i32.add (local.get $column) (local.get $x))) (local.get $bit))
                            (i32.const 1))))
                      (local.set $column (i32.sub (local.get $column) (i32.const 16)))
                      (br_if $planes (i32.gt_u (local.get $column) (local.get $scratch))))
                    (local.set $shared (i32.sub (local.get $shared) (local.get $start)))
                    (br_if $units (i32.lt_u (local.get $shared) (i32.load offset=12 (local.get $record))))
                    ;; Of equals the lower number is the better, and tiles come in any order.
                    (if
                      (i32.or
                        (i32.gt_s (local.get $shared) (i32.load offset=20 (local.get $record)))
                        (i32.and
                          (i32.eq (local.get $shared) (i32.load offset=20 (local.get $record)))
                          (i32.lt_u (local.get $j) (i32.load offset=16 (local.get $record)))))
                      (then
                        ;; The best so far becomes the second, which from now on a unit has to reach.
                        (i32.store offset=24 (local.get $record) (i32.load offset=16 (local.get $record)))
                        (if (i32.ge_s (i32.load offset=16 (local.get $record)) (i32.const 0))
                          (then (i32.store offset=12 (local.get $record) (i32.load offset=20 (local.get $record)))))
                        (i32.store offset=16 (local.get $record) (local.get $j))
                        (i32.store offset=20 (local.get $record) (local.get $shared)))
                      (else
                        (if
                          (i32.or
                            (i32.gt_s (local.get $shared) (i32.load offset=12 (local.get $record)))
                            (i32.lt_u (local.get $j) (i32.load offset=24 (local.get $record))))
                          (then
                            (i32.store offset=24 (local.get $record) (local.get $j))
                            (i32.store offset=12 (local.get $record) (local.get $shared))))))
                    (br $units)))
                (local.set $half (i32.add (local.get $half) (i32.const 8)))
                (br_if $halves (i32.eq (local.get $half) (i32.const 8)))))
            (local.set $record (i32.add (local.get $record) (i32.const 32)))
            (local.set $list (i32.add (local.get $list) (local.get $listBytes)))
            (local.set $count (i32.add (local.get $count) (i32.const 4)))
            (br_if $eachQuery (i32.lt_u (local.get $record) (local.get $recordsEnd)))))
        (local.set $t (i32.add (local.get $t) (i32.const 128)))
        (local.set $order (i32.add (local.get $order) (i32.const 512)))
        (local.set $tiles (i32.add (local.get $tiles) (local.get $tileBytes)))
        (br $eachTile)))))
