#!/bin/bash
# What `make run` does once the program is built: prepare var/ with samples the first time, then serve until Ctrl-C.
set -euo pipefail
cd "$(dirname "$0")/.."
build/release/bin/svc init --samples
if grep -q '^SVC_LICENSE_PUBLIC_KEY:STRING=$' build/release/CMakeCache.txt; then
    echo "To try Pro for 30 days, run: build/release/bin/svc license evaluate"
fi
exec build/release/bin/svc serve
