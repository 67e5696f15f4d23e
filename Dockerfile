# Two images: "service" is what a fleet runs; "demo" has the stand-ins and the embedded database as well.
#
#   docker build --target service --build-arg COMMIT=$(git rev-parse --short HEAD) --tag flightline .
FROM node:24.21.0-bookworm-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553 AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

FROM base AS service-packages
RUN npm ci --omit=dev --ignore-scripts

FROM base AS demo-packages
RUN npm ci

FROM base AS service
ENV NODE_ENV=production DATA_DIR=/data NODE_COMPILE_CACHE=/app/.compiled
COPY --from=service-packages /app/node_modules node_modules
COPY migrations migrations
COPY bin bin
COPY src/shared src/shared
COPY src/workers src/workers
COPY src/api src/api
COPY docs/guides docs/guides
COPY examples/app examples/app
COPY src/cli src/cli
COPY interface interface
ARG COMMIT=""
RUN printf '%s' "$COMMIT" > .commit && mkdir /data .compiled && chown node:node /data .compiled
USER node
# The compiled code of the service, with which a process starts in half of the time. Node.js reads it for this user alone.
RUN ["node", "-e", "Promise.all([import('./src/api/run-api.ts'), import('./src/workers/main.ts')]).then(() => process.exit())"]
VOLUME /data
EXPOSE 3000
ENTRYPOINT ["node", "bin/flightline.mjs"]
CMD ["api"]

FROM service AS demo
ENV NODE_ENV=
COPY --from=demo-packages /app/node_modules node_modules
COPY local local
CMD ["start"]
