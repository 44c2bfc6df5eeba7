#!/usr/bin/env bash
# Puts a reqgate binary in place and tells its path as the step's output `bin`.
#
# In this order: the input `binary`; a release archive whose SHA-256 stands in checksums.txt of this tag, from this runner or
# from the network; the source of this very commit, built with cargo. Nothing is run before its checksum is known to be
# right, in each step anew: what an earlier step has left behind may have been changed by another.
#
# The working folder is the checkout, which may be that of a stranger's pull request: no tool is told by its files what to do.
#
# REQGATE_DOWNLOAD_BASE may name a mirror of the releases: the checksum decides, not the place.
set -euo pipefail

fail() {
  printf '::error title=reqgate::%s\n' "$1"
  exit 1
}

tell() {
  case "$1" in *[$'\r\n']*) fail "The path of the binary holds a line break." ;; esac
  printf 'bin=%s\n' "$1" >>"${GITHUB_OUTPUT:?}"
  exit 0
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# 1. A binary that somebody names.
named=${REQGATE_INSTALL_BINARY:-}
if [[ -n $named ]]; then
  [[ -f $named && -x $named ]] || fail "The input 'binary' does not name an executable file."
  tell "$(cd "$(dirname "$named")" && pwd)/$(basename "$named")"
fi

source_version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$here/../Cargo.toml" | head -n 1)
version=${REQGATE_INSTALL_VERSION:-$source_version}
version=${version#v}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] || fail "The input 'version' must look like 1.2.3."

exe=""
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) target=x86_64-unknown-linux-musl ;;
  Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-musl ;;
  Darwin-arm64) target=aarch64-apple-darwin ;;
  Darwin-x86_64) target=x86_64-apple-darwin ;;
  MINGW*-x86_64 | MSYS*-x86_64) target=x86_64-pc-windows-msvc exe=.exe ;;
  *) target=none ;;
esac
name=reqgate-$version-$target.tar.gz
sum=$(awk -v name="$name" '$2 == name { print $1 }' "$here/checksums.txt")

sha256() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

temp=${RUNNER_TEMP:?}
made=$(mktemp -d "$temp/reqgate.XXXXXX")
trap 'rm -rf "$made"' EXIT

if [[ $sum =~ ^[0-9a-f]{64}$ ]]; then
  place=$temp/reqgate-$sum
  archive=$made/$name
  # 2. An archive that an earlier step or an earlier job left. Its copy is checked, so that nobody changes it in between.
  is_here=false
  for kept in "$temp/reqgate/$name" "${RUNNER_TOOL_CACHE:-$temp}/reqgate/$name"; do
    if [[ -f $kept ]] && cp "$kept" "$archive" && [[ $(sha256 "$archive") == "$sum" ]]; then
      is_here=true
      break
    fi
  done
  if [[ $is_here == true ]]; then
    printf 'Using the archive on this runner.\n'
  else
    # 3. The release.
    base=${REQGATE_DOWNLOAD_BASE:-https://github.com}
    repository=${REQGATE_INSTALL_REPOSITORY:-}
    [[ $repository =~ ^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$ ]] || fail "The repository of this action is not known. Name a binary in the input 'binary'."
    # Nothing is asked for in the clear, redirects included; only this machine's own mirror may be.
    protocols="=https"
    case "$base" in http://127.0.0.1:* | http://localhost:*) protocols="=http,https" ;; esac
    curl -fsSL --proto "$protocols" --tlsv1.2 --retry 5 --retry-connrefused --max-time 120 -o "$archive" \
      "$base/$repository/releases/download/v$version/$name" ||
      fail "Could not download $name. Try again, or name a binary in the input 'binary'."
    [[ $(sha256 "$archive") == "$sum" ]] ||
      fail "The checksum of $name is not the one that this action was released with. Nothing was run."
    # A read-only tool cache costs the next job a download, no more.
    for kept in "$temp/reqgate/$name" "${RUNNER_TOOL_CACHE:-$temp}/reqgate/$name"; do
      { mkdir -p "$(dirname "$kept")" && cp "$archive" "$kept"; } 2>/dev/null || true
    done
  fi
  mkdir "$made/unpacked"
  tar -xzf "$archive" -C "$made/unpacked"
  chmod +x "$made/unpacked/reqgate$exe"
  # What stands there was unpacked by an earlier step, or by somebody else: it is not known to be what it was.
  rm -rf "$place"
  mv "$made/unpacked" "$place" || fail "Could not put $name in place."
  tell "$place/reqgate$exe"
fi

# 4. No release is vouched for: build this very commit.
[[ $version == "$source_version" ]] ||
  fail "This tag of the action vouches for no reqgate $version. Use the action's tag v$version, or the input 'binary'."
command -v cargo >/dev/null ||
  fail "This tag of the action vouches for no release for $(uname -s) $(uname -m), and there is no cargo to build one. Use the input 'binary'."
place=$temp/reqgate-built-$(printf '%s' "$here" | cksum | cut -d ' ' -f 1)
built=$place/bin/reqgate$exe
# The checksum of what an earlier step built stands beside those of the releases, not beside what was built.
vouched=$here/built.txt
if [[ -f $built && -f $vouched ]] && cp "$built" "$made/checked" && [[ $(sha256 "$made/checked") == "$(cat "$vouched")" ]]; then
  tell "$built"
fi
printf '::group::Build reqgate %s from source\n' "$version"
# rustup takes the toolchain, and cargo its settings, from the files of the working folder, programs to start among them:
# the working folder is the action's own, and the toolchain is named.
(
  cd "$here/.." &&
    RUSTUP_TOOLCHAIN=${RUSTUP_TOOLCHAIN:-stable} \
      cargo install --quiet --locked --path . --root "$made/built" --target-dir "$made/target"
) || fail "Could not build reqgate from source."
printf '::endgroup::\n'
rm -rf "$place"
mv "$made/built" "$place" || fail "Could not put the built binary in place."
[[ -x $built ]] || fail "Could not put the built binary in place."
# Where it cannot be written, the next step builds again.
sha256 "$built" 2>/dev/null >"$vouched" || true
tell "$built"
