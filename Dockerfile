FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-slim
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY migrations migrations
COPY src/shared src/shared
COPY src/migrate src/migrate
COPY src/workers src/workers
COPY src/api src/api
COPY docs/guides docs/guides
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
CMD ["node", "src/api/server.ts"]
