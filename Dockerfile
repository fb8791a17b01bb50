# Image of the service, for all roles: docker build --tag sluice:0.1.0 .
# Renovate updates the tag and pins the digest. To pin a digest yourself:
#   docker build --build-arg BASE_IMAGE=node:24.21.0-bookworm-slim@sha256:<DIGEST> .
ARG BASE_IMAGE=node:24.21.0-bookworm-slim
FROM ${BASE_IMAGE} AS build
# `yes` includes the embedded PostgreSQL, which makes DATABASE_URL optional.
ARG EMBEDDED_POSTGRESQL=no
WORKDIR /build
COPY package.json package-lock.json ./
COPY packages/console/package.json packages/console/
COPY packages/ocsf/package.json packages/ocsf/
COPY packages/server/package.json packages/server/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY LICENSE tsconfig.json ./
COPY scripts scripts
COPY image image
COPY packages packages
RUN image/build.sh /app

FROM ${BASE_IMAGE}
ARG BASE_IMAGE
# Repository URL and commit.
ARG SOURCE=""
ARG REVISION=""
LABEL org.opencontainers.image.title="Sluice" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="${BASE_IMAGE}" \
      sluice.sbom="/app/sbom.cdx.json"
# To disable the operations port, set SLUICE_OPERATIONS_PORT to an empty string.
ENV HOST=0.0.0.0 PORT=8080 SLUICE_OPERATIONS_PORT=9090 SLUICE_DATA_DIR=/data
COPY --from=build /app /app
# Blob store, unless S3 is used. The service writes to no other folder.
RUN install --directory --mode=0700 --owner=1000 --group=1000 /data
VOLUME /data
WORKDIR /app
USER 1000:1000
EXPOSE 8080 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "/app/image/healthcheck.js"]
# Node runs as process 1: `serve` handles SIGTERM and SIGINT and starts no child processes. To stop other commands with
# Ctrl-C, run them with an init process (docker run --init).
ENTRYPOINT ["node", "/app/packages/server/bin/sluice.js"]
CMD ["serve"]
