#!/bin/bash
# Installs what is missing of the sections of packages.txt named as arguments; says nothing when nothing is.
set -euo pipefail
list=$(dirname "$(readlink -f "$0")")/packages.txt

wanted=$(awk -v sections=" $* " '
    /^\[/ { on = index(sections, " " substr($0, 2, length($0) - 2) " "); next }
    on && !/^(#|$)/ { print $1 }' "$list" | sort -u)
if npm --version >/dev/null 2>&1; then
    wanted=$(grep -vx -e nodejs -e npm <<<"$wanted" || true)
fi
# shellcheck disable=SC2086  # one word a package
installed=$({ dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' $wanted 2>/dev/null || true; } |  # unknown ones fail
    awk '$1 == "ii" { print $2 }' | sort -u)
missing=$(comm -23 <(echo "$wanted") <(echo "$installed"))
[ -n "$missing" ] || exit 0

root=()
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Missing packages, and no sudo to install them. As root: apt-get install" $missing >&2
        exit 1
    fi
    root=(sudo)
fi
echo "installing:" $missing

# The tests start PostgreSQL and nginx by themselves, as they need them: no service of the machine is started.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | "${root[@]}" tee "$policy" >/dev/null
    "${root[@]}" chmod 755 "$policy"
    trap '"${root[@]}" rm -f "$policy"' EXIT
fi

apt() { "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 "$@"; }
tried() { "$@" || { sleep 5; "$@"; } || { sleep 20; "$@"; }; }  # a mirror that is down for a moment
tried apt update
# debsecan would mail a daily report of this machine.
echo debsecan debsecan/report boolean false | "${root[@]}" debconf-set-selections
tried apt install -y --no-install-recommends $missing
