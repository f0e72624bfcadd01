#!/bin/bash
# Builds the Debian packages of both editions into build/packages from the Release build, with a bill of materials
# (CycloneDX) of each beside it. The same sources give the same bytes: every time is the commit's.
#
#   build-packages.sh [--evaluation] [BUILD]
#
# A build without SVC_LICENSE_PUBLIC_KEY lets anybody try Pro and believes no licence: it is refused. With --evaluation it
# is packaged under a version that ends in ~evaluation, which every release is newer than.
set -euo pipefail
cd "$(dirname "$0")/.."
is_evaluation=
if [ "${1:-}" = --evaluation ]; then
    is_evaluation=yes
    shift
fi
build=${1:-build/release}
out=$PWD/build/packages
base_version=$(cat base/VERSION)
pro_version=$(cat pro/VERSION)
architecture=$(dpkg --print-architecture)
umask 022
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)}
export SOURCE_DATE_EPOCH

[ -e "$build/build.ninja" ] || cmake --preset release
if grep -q '^SVC_LICENSE_PUBLIC_KEY:STRING=.' "$build/CMakeCache.txt"; then
    if [ -n "$is_evaluation" ]; then
        echo "$build has a licence server's key, so it cannot be evaluated. Leave out --evaluation." >&2
        exit 1
    fi
elif [ -n "$is_evaluation" ]; then
    base_version=$base_version~evaluation
    pro_version=$pro_version~evaluation
else
    echo "$build has no licence server's key: Pro could be tried without a licence, and no licence could be activated." >&2
    echo "Run: cmake -DSVC_LICENSE_PUBLIC_KEY=… $build   (the Ed25519 key in base64), then make package again." >&2
    exit 1
fi
ninja -C "$build" --quiet program
rm -rf "$out"
mkdir -p "$out"

# The libraries the ELF files of a stage ask for, as dpkg-shlibdeps writes a Depends field.
libraries_of() {
    local scratch
    scratch=$(mktemp -d)
    mkdir "$scratch/debian"
    printf 'Source: svc\n\nPackage: %s\nArchitecture: any\n' "$1" >"$scratch/debian/control"
    (cd "$scratch" && find "$out/$1/usr/bin" "$out/$1/usr/lib/svc" -type f 2>/dev/null |
        xargs dpkg-shlibdeps -O -l"$out/svc-base/usr/lib/svc" --ignore-missing-info |
        sed 's/^shlibs:Depends=//')
    rm -rf "$scratch"
}

# package NAME COMPONENT VERSION DEPENDS SENTENCE
package() {
    local name=$1 component=$2 version=$3 depends=$4 says=$5 stage=$out/$1 libraries
    DESTDIR=$stage cmake --install "$build" --component "$component" --prefix /usr --strip >/dev/null
    mkdir -p "$stage/DEBIAN"
    find "$stage/usr" -type f \( -path '*/usr/bin/*' -o -path '*/usr/lib/svc/*' \) -print0 | xargs -0 packaging/build_id.py
    if [ "$name" = svc-base ]; then
        # As the service runs: data below /var/lib, behind a proxy, which is told before the listener closes.
        mkdir -p "$stage/etc/svc"
        env -i "$build/bin/svc" config --example --database-url sqlite:/var/lib/svc/svc.db \
            --files-data-dir /var/lib/svc --files-key-file /var/lib/svc/svc.key --drain-delay-ms 5000 \
            >"$stage/etc/svc/svc.toml"
        chmod 640 "$stage/etc/svc/svc.toml"
        echo /etc/svc/svc.toml >"$stage/DEBIAN/conffiles"
    fi
    for script in postinst prerm postrm; do
        [ ! -e "packaging/$name.$script" ] || install -m 755 "packaging/$name.$script" "$stage/DEBIAN/$script"
    done
    mkdir -p "$stage/usr/share/doc/$name"
    libraries=
    if [ "$component" != dev ]; then  # headers and texts, all ours
        libraries=$(libraries_of "$name")
        packaging/bill.py "$build" "$stage" "$name" "$version" "$depends${libraries:+, $libraries}" >"$out/$name.cdx.json"
        cp "$out/$name.cdx.json" "$stage/usr/share/doc/$name/"
    fi
    if [ "$name" = svc-base ]; then
        install -D -m 644 packaging/nginx.conf.example "$stage/usr/share/doc/$name/examples/nginx.conf"
    fi
    cat >"$stage/DEBIAN/control" <<CONTROL
Package: $name
Version: $version
Architecture: $architecture
Maintainer: svc <svc@localhost>
Section: web
Priority: optional
Installed-Size: $(du -sk --apparent-size "$stage" | cut -f1)
Depends: ${depends:-libc6-dev | libc-dev}${libraries:+, $libraries}
Suggests: postgresql-client, nginx-light
Description: $says
CONTROL
    find "$stage" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz --build "$stage" "$out/${name}_${version}_$architecture.deb"
}

run_packages=$(awk '/^\[/ { on = $0 == "[run]"; next } on && !/^(#|$)/ { printf "%s%s", comma, $1; comma = ", " }' \
    packaging/packages.txt)
package svc-base base "$base_version" "systemd | systemd-standalone-sysusers, $run_packages" "travel booking server, base edition"
package svc-pro pro "$pro_version" "svc-base" "travel booking server, Pro edition"
package svc-dev dev "$base_version" "" "travel booking server, what plugins are built with"
