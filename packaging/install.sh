#!/bin/sh
# Installs reqgate @VERSION@ for the current user. The archive is unpacked only if it has the checksum below.
#
#   REQGATE_INSTALL_DIR     the folder for the binary [default: ~/.local/bin]
#   REQGATE_DOWNLOAD_URL    a folder with the archives, instead of the release on GitHub
set -eu

version='@VERSION@'
downloads='@DOWNLOADS@'
checksums='@CHECKSUMS@'

fail() {
    printf 'reqgate: %s\n' "$1" >&2
    exit 1
}

# The first part of the name of the target. A translated shell on a Mac says x86_64.
platform() {
    case "$(uname -s)-$(uname -m)" in
    Linux-x86_64 | Linux-amd64) echo x86_64-unknown-linux- ;;
    Linux-aarch64 | Linux-arm64) echo aarch64-unknown-linux- ;;
    Darwin-arm64) echo aarch64-apple-darwin ;;
    Darwin-x86_64)
        if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || true)" = 1 ]; then echo aarch64-apple-darwin; else echo x86_64-apple-darwin; fi
        ;;
    *) fail "there is no binary for $(uname -s) on $(uname -m): build it with cargo" ;;
    esac
}

download() {
    if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --retry 3 --output "$2" "$1"
    elif command -v wget >/dev/null; then
        wget -q -O "$2" "$1"
    else
        fail "install curl or wget first"
    fi
}

sha256() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1"
    elif command -v shasum >/dev/null; then
        shasum -a 256 "$1"
    else
        fail "install sha256sum or shasum first: without a checksum the download cannot be trusted"
    fi | cut -d ' ' -f 1
}

# A function, so that a script that was received in part does not run.
main() {
    platform=$(platform)
    line=$(printf '%s\n' "$checksums" | grep "  reqgate-$version-$platform" || true)
    [ -n "$line" ] || fail "the release $version has no archive for $platform"
    sum=${line%% *}
    archive=${line##* }
    folder=${REQGATE_INSTALL_DIR:-${HOME:?}/.local/bin}
    mkdir -p "$folder" || fail "cannot create $folder: set REQGATE_INSTALL_DIR to a folder that you may write"
    # In the same folder, so that the last step replaces an older binary at once.
    work=$(mktemp -d "$folder/.reqgate.XXXXXX") || fail "cannot write to $folder: set REQGATE_INSTALL_DIR to a folder that you may write"
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    download "${REQGATE_DOWNLOAD_URL:-$downloads}/$archive" "$work/$archive" || fail "cannot download $archive"
    found=$(sha256 "$work/$archive")
    [ "$found" = "$sum" ] || fail "$archive has the checksum $found instead of $sum: it was not installed"
    tar -xzf "$work/$archive" -C "$work" reqgate
    "$work/reqgate" --version >/dev/null || fail "the binary of $archive does not run on this system: it was not installed"
    mv "$work/reqgate" "$folder/reqgate"
    printf 'installed reqgate %s as %s/reqgate\n' "$version" "$folder"
    case ":${PATH:-}:" in
    *":$folder:"*) ;;
    *) printf 'add %s to PATH to call it by its name\n' "$folder" ;;
    esac
}

main
