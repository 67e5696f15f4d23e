/** A node of Redis, or a Sentinel. */
export interface RedisNode {
  host: string
  port: number
}

/**
 * Where Redis is: one server; the servers that Sentinels know by a name, of which one is the master; or some of the nodes of a cluster, which
 * name the others.
 */
export type RedisPlace = { kind: 'server'; url: string; nodes: RedisNode[] } | SeveralNodes

interface SeveralNodes {
  kind: 'sentinel' | 'cluster'
  nodes: RedisNode[]
  /** The name that the Sentinels have for the servers; empty for a cluster. */
  name: string
  /** Of the servers; Sentinels are asked without. */
  username: string | undefined
  password: string | undefined
  tls: boolean
}

const DEFAULT_PORT = { server: 6379, sentinel: 26379, cluster: 6379 }
const HIGHEST_PORT = 65_535

const several = /^(rediss?)\+(sentinel|cluster):\/\/(?:([^@/]*)@)?([^/?#]+)(?:\/([\w.-]*))?$/
const node = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d+))?$/i

/**
 * Returns where Redis is, by `REDIS_URL`: `redis://host:port`, `redis+sentinel://host:port,host:port/name` or `redis+cluster://host:port,host:port`;
 * `rediss` for TLS, and `user:password@` before the hosts. Null when the text is none of these.
 */
export function parseRedisUrl(text: string): RedisPlace | null {
  if (/^rediss?:\/\//.test(text)) {
    if (!URL.canParse(text)) return null
    const { hostname, port } = new URL(text)
    if (hostname === '') return null
    return {
      kind: 'server',
      url: text,
      nodes: [{ host: unbracketed(hostname), port: Number(port || DEFAULT_PORT.server) }],
    }
  }
  const [, protocol, kind, credentials, hosts = '', name = ''] = several.exec(text) ?? []
  if (kind !== 'sentinel' && kind !== 'cluster') return null
  if ((kind === 'sentinel') !== (name !== '')) return null
  const nodes = hosts.split(',').map((one) => nodeOf(one, DEFAULT_PORT[kind]))
  const signIn = credentialsOf(credentials)
  if (!nodes.every((one) => one !== null) || signIn === null) return null
  return { kind, nodes, name, tls: protocol === 'rediss', ...signIn }
}

function nodeOf(text: string, defaultPort: number): RedisNode | null {
  const [, host, port = defaultPort] = node.exec(text) ?? []
  if (host === undefined || Number(port) < 1 || Number(port) > HIGHEST_PORT) return null
  return { host: unbracketed(host), port: Number(port) }
}

/** Returns a host in lower case, and an IPv6 address without its brackets. */
function unbracketed(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$|\.$/g, '')
}

function credentialsOf(text: string | undefined): Pick<SeveralNodes, 'username' | 'password'> | null {
  if (text === undefined) return { username: undefined, password: undefined }
  try {
    const [username = '', ...password] = text.split(':')
    return {
      username: decodeURIComponent(username) || undefined,
      password: decodeURIComponent(password.join(':')) || undefined,
    }
  } catch {
    return null
  }
}

/** Returns Redis in words, without credentials, for a log or a health check. */
export function describeRedis(text: string): string {
  const place = parseRedisUrl(text)
  if (!place) return 'Redis'
  const hosts = place.nodes.map(({ host, port }) => `${host}:${port}`).join(', ')
  if (place.kind === 'server') return `Redis at ${new URL(place.url).host}`
  return place.kind === 'sentinel' ? `Redis ${place.name} by Sentinels at ${hosts}` : `Redis Cluster at ${hosts}`
}
