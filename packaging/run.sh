#!/bin/bash
# What `make run` does once the program is built: prepare var/ with samples the first time, then serve until Ctrl-C.
set -euo pipefail
cd "$(dirname "$0")/.."
build/release/bin/svc init --samples
exec build/release/bin/svc serve
