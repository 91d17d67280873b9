;; ec-csr/overlap: what shares most columns with each of several queries, as overlap.ts defines it, with SIMD.
;;
;; Memory is laid out by overlap-wasm.ts. Unit u has the bits at $bits + u * $words * 4; its suffix counts stand at
;; $counts + u * ($words / 16) * 4; $words is a multiple of 16, so a chunk is 64 bytes.
;; Query q has its bits at $queryBits + q * $words * 4, its suffix counts at $queryCounts + q * ($words / 16) * 4, and its
;; record of eight words at $records + q * 32: after, skipA, skipB, needed, first, firstShared, second, turn. $takenAt has a
;; word per unit, $free a byte.
(module
  (memory (export "memory") 1)

  ;; Shows every free unit in $from .. $to - 1 to every query: the bits of a unit are read once for all of them.
  (func (export "search")
    (param $bits i32) (param $counts i32) (param $free i32) (param $takenAt i32) (param $words i32) (param $from i32) (param $to i32)
    (param $queryBits i32) (param $queryCounts i32) (param $records i32) (param $queries i32)
    (local $rowBytes i32) (local $countBytes i32) (local $recordsEnd i32)
    (local $j i32) (local $taken i32) (local $unit i32) (local $unitCounts i32)
    (local $record i32) (local $own i32) (local $ownCounts i32) (local $end i32)
    (local $a i32) (local $b i32) (local $ca i32) (local $cb i32)
    (local $sum i32) (local $needed i32) (local $v v128)
    (local.set $rowBytes (i32.shl (local.get $words) (i32.const 2)))
    (local.set $countBytes (i32.shr_u (local.get $words) (i32.const 2)))
    (local.set $recordsEnd (i32.add (local.get $records) (i32.shl (local.get $queries) (i32.const 5))))
    (local.set $j (local.get $from))
    (block $done
      (loop $units
        (br_if $done (i32.ge_u (local.get $j) (local.get $to)))
        (block $nextUnit
          (br_if $nextUnit (i32.eqz (i32.load8_u (i32.add (local.get $free) (local.get $j)))))
          (local.set $taken (i32.load (i32.add (local.get $takenAt) (i32.shl (local.get $j) (i32.const 2)))))
          (local.set $unit (i32.add (local.get $bits) (i32.mul (local.get $j) (local.get $rowBytes))))
          (local.set $unitCounts (i32.add (local.get $counts) (i32.mul (local.get $j) (local.get $countBytes))))
          (local.set $record (local.get $records))
          (local.set $own (local.get $queryBits))
          (local.set $ownCounts (local.get $queryCounts))
          (loop $eachQuery
            (block $nextQuery
              (br_if $nextQuery (i32.le_s (local.get $j) (i32.load (local.get $record))))
              (br_if $nextQuery (i32.eq (local.get $j) (i32.load offset=4 (local.get $record))))
              (br_if $nextQuery (i32.eq (local.get $j) (i32.load offset=8 (local.get $record))))
              (br_if $nextQuery (i32.ge_s (local.get $taken) (i32.load offset=28 (local.get $record))))
              (local.set $needed (i32.load offset=12 (local.get $record)))
              (local.set $a (local.get $own))
              (local.set $end (i32.add (local.get $own) (local.get $rowBytes)))
              (local.set $b (local.get $unit))
              (local.set $ca (local.get $ownCounts))
              (local.set $cb (local.get $unitCounts))
              (local.set $sum (i32.const 0))
              (loop $chunks
                ;; What both could still share bounds the total: without a chance to win, on to the next query.
                (br_if $nextQuery
                  (i32.lt_u
                    (i32.add
                      (local.get $sum)
                      (select
                        (i32.load (local.get $ca))
                        (i32.load (local.get $cb))
                        (i32.lt_u (i32.load (local.get $ca)) (i32.load (local.get $cb)))))
                    (local.get $needed)))
                ;; Set bits of 64 bytes: at most 32 in each of 16 byte counters.
                (local.set $v
                  (i32x4.extadd_pairwise_i16x8_u
                    (i16x8.extadd_pairwise_i8x16_u
                      (i8x16.add
                        (i8x16.add
                          (i8x16.popcnt (v128.and (v128.load (local.get $a)) (v128.load (local.get $b))))
                          (i8x16.popcnt (v128.and (v128.load offset=16 (local.get $a)) (v128.load offset=16 (local.get $b)))))
                        (i8x16.add
                          (i8x16.popcnt (v128.and (v128.load offset=32 (local.get $a)) (v128.load offset=32 (local.get $b))))
                          (i8x16.popcnt (v128.and (v128.load offset=48 (local.get $a)) (v128.load offset=48 (local.get $b)))))))))
                (local.set $v
                  (i32x4.add (local.get $v) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $v) (local.get $v))))
                (local.set $sum
                  (i32.add
                    (local.get $sum)
                    (i32.add (i32x4.extract_lane 0 (local.get $v)) (i32x4.extract_lane 1 (local.get $v)))))
                (local.set $a (i32.add (local.get $a) (i32.const 64)))
                (local.set $b (i32.add (local.get $b) (i32.const 64)))
                (local.set $ca (i32.add (local.get $ca) (i32.const 4)))
                (local.set $cb (i32.add (local.get $cb) (i32.const 4)))
                (br_if $chunks (i32.lt_u (local.get $a) (local.get $end))))
              (br_if $nextQuery (i32.lt_u (local.get $sum) (local.get $needed)))
              (if (i32.gt_s (local.get $sum) (i32.load offset=20 (local.get $record)))
                (then
                  ;; The best so far becomes the second, and from now on a unit has to pass it.
                  (i32.store offset=24 (local.get $record) (i32.load offset=16 (local.get $record)))
                  (i32.store offset=12 (local.get $record) (i32.add (i32.load offset=20 (local.get $record)) (i32.const 1)))
                  (i32.store offset=16 (local.get $record) (local.get $j))
                  (i32.store offset=20 (local.get $record) (local.get $sum)))
                (else
                  (i32.store offset=24 (local.get $record) (local.get $j))
                  (i32.store offset=12 (local.get $record) (i32.add (local.get $sum) (i32.const 1))))))
            (local.set $record (i32.add (local.get $record) (i32.const 32)))
            (local.set $own (i32.add (local.get $own) (local.get $rowBytes)))
            (local.set $ownCounts (i32.add (local.get $ownCounts) (local.get $countBytes)))
            (br_if $eachQuery (i32.lt_u (local.get $record) (local.get $recordsEnd)))))
        (local.set $j (i32.add (local.get $j) (i32.const 1)))
        (br $units)))))
