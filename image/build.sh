#!/bin/sh
# Makes the folder that the image runs, from a checkout in which `npm ci` has run:
#   image/build.sh FOLDER
# What is published of the server, the console and ocsf, and what they need to run: no sources, no scanner, no tools, and
# no PostgreSQL (an optional dependency), as DATABASE_URL names one.
set -eu

target=$1
packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT

npm run --silent build --workspace @sluice/console
# Of the others `prepack` runs `npm run build`.
npm pack --silent --workspace @sluice/ocsf --workspace @sluice/console --workspace @sluice/server --pack-destination "$packed"
mkdir -p "$target/image"
for name in ocsf console server; do
  mkdir -p "$target/packages/$name"
  tar -xzf "$packed/sluice-$name-"*.tgz --strip-components=1 --no-same-owner -C "$target/packages/$name"
done
cp package.json package-lock.json LICENSE "$target"
cp image/healthcheck.js image/create-bucket.js "$target/image"
cd "$target"
npm ci --omit=dev --omit=optional --workspace @sluice/server --ignore-scripts --no-audit --no-fund
# The image may run as any user.
chmod -R a+rX,go-w .
