#!/bin/bash -eu
# Builds all fuzz targets into $OUT, each with its dictionary and its first inputs, as OSS-Fuzz wants them.
cargo fuzz build -O --debug-assertions
release=fuzz/target/$(rustc -vV | sed -n 's/^host: //p')/release
for target in $(cargo fuzz list); do
  cp "$release/$target" "$OUT/"
  cp "fuzz/dictionaries/$target.dict" "$OUT/"
  zip --quiet --junk-paths --recurse-paths "$OUT/${target}_seed_corpus.zip" "fuzz/seeds/$target"
done
