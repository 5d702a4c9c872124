#!/bin/sh
# Make the image's tree of files, as root, with mmdebstrap and npm: build.sh FOLDER VERSION_OF_OPENCLAW|none [MIRROR...]
# `clawgym bench image build` and the Dockerfile beside this script run it. What follows "== " on standard output is a step.
set -eu
recipe="$(cd "$(dirname "$0")" && pwd)"
suite=bookworm
# 2026-11-30, in the place of the day of the build
export SOURCE_DATE_EPOCH=1795996800 LC_ALL=C

debian() {
  root="$1" openclaw="$2"
  shift 2
  if [ "$openclaw" != none ]; then
    start_npm "$root.npm" "$openclaw"
  fi
  echo "== Debian packages, and npm's meanwhile"
  included="$(grep -v '^#' "$recipe/packages.txt" | cut -d ' ' -f 1 | paste -s -d ,)"
  mmdebstrap --variant=minbase --format=directory --include="$included" \
    --aptopt='Acquire::Retries "5"' --aptopt='Acquire::Check-Valid-Until "false"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/info/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook="sh '$recipe/build.sh' --fill \"\$1\" '$openclaw'" \
    "$suite" "$root" "$@"
}

# Leaves a lock in the folder while it runs.
start_npm() {
  mkdir "$1"
  cp "$recipe/openclaw-$2"/package*.json "$1"
  exec 9>"$1/lock"
  flock 9
  # no scripts of packages: they would fetch what npm's lock does not name
  npm ci --prefix "$1" --ignore-scripts --omit=dev --no-audit --no-fund --loglevel=error &
  exec 9>&-
}

# Called by mmdebstrap, which has /proc and /dev in the tree meanwhile.
fill() {
  root="$1" openclaw="$2"
  if [ "$openclaw" != none ]; then
    echo "== the rest of npm's packages"
    flock "$root.npm/lock" true
    rm "$root.npm/node_modules/.package-lock.json" # npm's last file
    mkdir -p "$root/usr/local/lib/openclaw"
    mv "$root.npm/node_modules" "$root/usr/local/lib/openclaw"
    rm -r "$root.npm"
  fi
  mkdir "$root/tmp/recipe"
  cp -R "$recipe/." "$root/tmp/recipe"
  chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" \
    python3 -I -B /tmp/recipe/finish.py "$openclaw"
  rm -rf "$root"/tmp/*
}

# What differs from build to build, what only a running system has, and rights that nobody needs.
normalise() {
  cd "$1"
  echo "== the same dates, owners and rights everywhere"
  rm -rf dev/* proc/* run/* sys/* tmp/* var/cache/* var/lib/apt/lists/* var/lib/dpkg/*-old var/log/* var/tmp/*
  rm -f etc/.pwd.lock etc/*- etc/apt/sources.list etc/hostname etc/machine-id etc/mtab etc/resolv.conf
  ln -s /proc/self/mounts etc/mtab
  mkdir -p root/.openclaw/workspace
  chown -hR 0:0 .
  find . -perm /7000 ! -type l -exec chmod ug-s,-t {} +
  chmod -R a+rX,u+w .
  chmod 1777 tmp var/tmp
  find . -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

if [ "$1" = --fill ]; then
  shift
  fill "$@"
else
  debian "$@"
  normalise "$1"
fi
