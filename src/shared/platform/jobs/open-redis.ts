import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { parseRedisUrl, type RedisNode, type RedisPlace } from '../config/redis-url.ts'

/** A connection to one server, to the master that Sentinels name, or to a cluster. */
export type RedisClient = Redis | Cluster

/** How long a client of a cluster waits before it asks another node after a failed one, and at most between attempts to connect. */
const FAILOVER_MS = 200
const CONNECT_AGAIN_MS = 2_000
/** How long a server may take to answer a connection. */
const ANSWER_MS = 5_000

/**
 * Connects to Redis. After a failover the client follows the master: Sentinels tell it at once, and a cluster by its answers. A connection
 * reconnects when its server became read-only.
 * @throws Error when the URL is none of `parseRedisUrl`
 */
export function openRedis(url: string, options: RedisOptions): RedisClient {
  const place = parseRedisUrl(url)
  if (!place) throw new Error('REDIS_URL names no Redis')
  const all: RedisOptions = { reconnectOnError: ({ message }) => message.includes('READONLY'), ...options }
  if (place.kind === 'server') return new Redis(place.url, all)
  const { nodes, name, sentinel } = place
  const signedIn = { ...all, ...accessOf(place) }
  if (place.kind === 'sentinel') {
    return new Redis({
      ...signedIn,
      sentinels: nodes,
      name,
      ...(sentinel.username !== undefined && { sentinelUsername: sentinel.username }),
      ...(sentinel.password !== undefined && { sentinelPassword: sentinel.password }),
      enableTLSForSentinelMode: place.tls,
      failoverDetector: true,
      sentinelRetryStrategy: (times) => Math.min(times * FAILOVER_MS, CONNECT_AGAIN_MS),
    })
  }
  const { enableOfflineQueue = true, ...redisOptions } = signedIn
  return new Cluster(nodes, {
    redisOptions,
    enableOfflineQueue,
    retryDelayOnFailover: FAILOVER_MS,
    clusterRetryStrategy: (times) => Math.min(times * FAILOVER_MS, CONNECT_AGAIN_MS),
  })
}

function accessOf(place: RedisPlace): RedisOptions {
  if (place.kind === 'server') return {}
  const { username, password, tls } = place
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: {} }),
  }
}

/** Calls `work` whenever commands may go to another server than before: after a connection, and after a failover of a cluster. */
export function onOtherServer(redis: RedisClient, work: () => void): void {
  redis.on('ready', work)
  if (redis instanceof Redis) return
  let masters = ''
  redis.on('refresh', () => {
    const now = redis
      .nodes('master')
      .map(({ options: { host, port } }) => `${host}:${port}`)
      .sort()
      .join()
    if (masters !== '' && now !== masters) work()
    masters = now
  })
}

/** Runs `ask` on every server: the one; the master and its replicas; or all nodes of the cluster, those that are known to have failed left out. */
export async function askEveryServer<T>(
  redis: RedisClient,
  url: string,
  ask: (server: Redis) => Promise<T>,
): Promise<T[]> {
  const place = parseRedisUrl(url)
  if (redis instanceof Redis && place?.kind !== 'sentinel') return [await ask(redis)]
  const others = redis instanceof Redis ? await replicasOf(redis) : await nodesOf(redis)
  const clients = others.map(
    (node) => new Redis({ ...(place && accessOf(place)), ...node, connectTimeout: ANSWER_MS, maxRetriesPerRequest: 1 }),
  )
  // A failed connection is the error of its question.
  for (const client of clients) client.on('error', () => undefined)
  try {
    return await Promise.all([...(redis instanceof Redis ? [redis] : []), ...clients].map(ask))
  } finally {
    for (const client of clients) client.disconnect()
  }
}

async function replicasOf(master: Redis): Promise<RedisNode[]> {
  const found = (await master.info('replication')).matchAll(/^slave\d+:ip=([^,]+),port=(\d+),state=online/gm)
  return [...found].map(([, host, port]) => ({ host: host!, port: Number(port) }))
}

/** Reads `CLUSTER NODES`; `CLUSTER SLOTS`, which the client follows, has no replica that is still receiving its data. */
async function nodesOf(cluster: Cluster): Promise<RedisNode[]> {
  const lines = String(await cluster.call('CLUSTER', 'NODES'))
    .trim()
    .split('\n')
  return lines.flatMap((line) => {
    const [, address = '', flags = ''] = line.split(' ')
    const [, host, port] = /^(.+):(\d+)@/.exec(address) ?? []
    return host === undefined || /fail|noaddr|handshake/.test(flags) ? [] : [{ host, port: Number(port) }]
  })
}
