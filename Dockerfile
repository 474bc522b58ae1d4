# On the machine that builds, whatever machine the image is for: everything that is copied from here is JavaScript.
FROM --platform=$BUILDPLATFORM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
COPY console/package.json console/
COPY packages/embedded-postgres/package.json packages/embedded-postgres/
# Changed sources leave this layer as it is; a changed package-lock.json finds most packages in the cache. The optional packages include
# the binaries of the builders.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts
COPY tools/release/sbom.mjs tools/release/
RUN node tools/release/sbom.mjs > sbom.cdx.json
COPY tsconfig.json .swcrc ./
COPY scripts/bundle.mjs scripts/compile.mjs scripts/owner.mjs scripts/sources.mjs scripts/
COPY packages/embedded-postgres packages/embedded-postgres
COPY client client
COPY console console
COPY public public
COPY migrations migrations
COPY src src
COPY tools tools
RUN node scripts/compile.mjs dist && npx vite build console

# dist and console/dist contain what they use of the packages, so the image has no node_modules. The platform is the default, but Buildah
# would use the base of the first stage.
FROM --platform=$TARGETPLATFORM node:24.21.0-slim
LABEL org.opencontainers.image.title="Waybill" \
  org.opencontainers.image.description="Moves and shipments over HTTP, with updates that never overwrite each other" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.licenses="UNLICENSED" \
  org.opencontainers.image.base.name="docker.io/library/node:24.21.0-slim"
ENV NODE_ENV=production
# Only the container's own network reaches it; publish the port with care when AUTH_MODE is off.
ENV HOST=0.0.0.0
ENV PORT=3000
WORKDIR /app
# A folder that `waybill archive --to /archive` may write to; a new volume that is mounted there gets its owner.
RUN install --directory --owner=node --group=node /archive
COPY deploy/waybill.sh /usr/local/bin/waybill
COPY --from=build /app/sbom.cdx.json ./
COPY public public
COPY package.json ./
COPY --from=build /app/console/dist console/dist
COPY --from=build /app/dist dist
USER node
EXPOSE 3000
# Checks MANAGEMENT_PORT if set. The shell makes the request: starting Node.js for every check would use more CPU than an idle service.
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${MANAGEMENT_PORT:-$PORT} && printf 'GET /health/ready HTTP/1.0\\r\\n\\r\\n' >&3 && read -r -t 2 _ status _ <&3 && [ \"$status\" = 200 ]"]
# The flags of npm start; docs/scaling.md says what they do.
CMD ["node", "--no-allocation-site-pretenuring", "--max-semi-space-size=16", "--heap-growing-percent=100", "dist/src/main.js"]
# After everything else, so that another commit alone changes no layer: docker build --build-arg REVISION="$(git rev-parse HEAD)" .
ARG REVISION=""
LABEL org.opencontainers.image.revision="$REVISION"
