#!/bin/bash
# What `make run` does once the program is built: prepare var/ the first time, then serve until Ctrl-C.
set -euo pipefail
cd "$(dirname "$0")/.."
build/release/bin/svc init
exec build/release/bin/svc serve
