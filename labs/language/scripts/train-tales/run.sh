#!/usr/bin/env bash
# run.sh OUT QUEUE...: trains the models of tales on a machine with a GPU, PyTorch, transformers and tokenizers. A queue is a list
# of jobs (jobs/*.json) for one GPU, such as "tales" "tales-relu tales-small". TALES is the command that draws tales:
# node with a bundle of ../tales.ts (scripts/run.mjs leaves one in .cache).
set -euo pipefail
export PYTHONUNBUFFERED=1 TOKENIZERS_PARALLELISM=true
here=$(cd "$(dirname "$0")" && pwd)
out=$1
shift
data=$(mktemp -d)
mkdir -p "$out"
$TALES --count 400 --seed 0 --split held-out --out "$data/test.jsonl"
$TALES --count 64 --seed 2047 --out "$data/calibration.jsonl"
$TALES --count 20000 --seed 2046 --out "$data/tokenizer.jsonl"
python3 "$here/data.py" tokenizer "$data"
workers=$(($(nproc) - 4))
for seed in $(seq "$workers"); do
  TOKENIZERS_PARALLELISM=false nice -n 10 python3 "$here/data.py" worker "$data" "$seed" "${COUNT:-100000}" &
done
queues=()
for queue in "$@"; do
  gpu=${#queues[@]}
  (
    for job in $queue; do
      CUDA_VISIBLE_DEVICES=$((gpu % $(nvidia-smi -L | wc -l))) python3 "$here/train.py" "$here/jobs/$job.json" "$data" "$out" >"$out/log-$job.txt" 2>&1 ||
        echo "$job failed"
    done
  ) &
  queues+=($!)
done
wait "${queues[@]}" || true
cp "$data/tokenizer.json" "$data/test.jsonl" "$out/"
for model in "$out"/tales*/; do
  [ -f "$model/config.json" ] || continue
  python3 -c "import json, sys; print(json.loads(open(sys.argv[1]).readline())['text'], end='')" "$data/test.jsonl" >"$model/golden-text.txt"
done
python3 "$here/golden.py" "$out/golden" "$out"/tales*/ >"$out/log-golden.txt" 2>&1 || echo "goldens failed"
tail -n 12 "$out"/log-*.txt | cut -c1-240
