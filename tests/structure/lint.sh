#!/bin/bash
# clang-tidy over the files named, or over all of shared, base, pro and shell. A tree of its own: clang cannot read
# g++'s precompiled header.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=build/lint
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DSVC_TESTS=OFF >/dev/null
if ninja -C "$build" -t targets all | grep -q '^generated: phony'; then
    ninja -C "$build" --quiet generated
fi
if [ $# -gt 0 ]; then
    files=("$@")
else
    mapfile -t files < <(find shared base pro shell -name '*.cpp')
fi
# clang 14 asks for an oath before it zeroes variables; g++ does not.
printf '%s\0' "${files[@]}" | xargs -0 -n 4 -P "$(nproc)" clang-tidy --quiet -p "$build" \
    --extra-arg=-enable-trivial-auto-var-init-zero-knowing-it-will-be-removed-from-clang \
    --extra-arg=-Wno-unknown-warning-option
