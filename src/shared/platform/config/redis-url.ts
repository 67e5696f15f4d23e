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

interface SeveralNodes extends Credentials {
  kind: 'sentinel' | 'cluster'
  nodes: RedisNode[]
  /** The name that the Sentinels have for the servers; empty for a cluster. */
  name: string
  /** Of the Sentinels; the other two are of the servers. */
  sentinel: Credentials
  tls: boolean
}

interface Credentials {
  username: string | undefined
  password: string | undefined
}

const DEFAULT_PORT = { server: 6379, sentinel: 26379, cluster: 6379 }
const HIGHEST_PORT = 65_535

const several = /^(rediss?)\+(sentinel|cluster):\/\/(?:([^@/]*)@)?([^/?#]+)(?:\/([\w.-]*))?(?:\?([^#]*))?$/
/** The parameters of an address with Sentinels. */
const sentinelField = /^sentinel(Username|Password)=([^=]*)$/
const node = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d+))?$/i

/**
 * Returns where Redis is, by `REDIS_URL`: `redis://host:port`, `redis+sentinel://host:port,host:port/name` or `redis+cluster://host:port,host:port`;
 * `rediss` for TLS, and `user:password@` before the hosts. `?sentinelUsername=…&sentinelPassword=…` is for the Sentinels. Null when the
 * text is none of these.
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
  const [, protocol, kind, credentials, hosts = '', name = '', parameters] = several.exec(text) ?? []
  if (kind !== 'sentinel' && kind !== 'cluster') return null
  if (kind === 'sentinel' ? name === '' : name !== '' || parameters !== undefined) return null
  const nodes = hosts.split(',').map((one) => nodeOf(one, DEFAULT_PORT[kind]))
  const signIn = credentialsOf(credentials)
  const sentinel = sentinelOf(parameters)
  if (!nodes.every((one) => one !== null) || signIn === null || sentinel === null) return null
  return { kind, nodes, name, tls: protocol === 'rediss', ...signIn, sentinel }
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

/** Returns how to sign in to the Sentinels, by the parameters of the address; null when it has others. */
function sentinelOf(parameters: string | undefined): Credentials | null {
  const found: Credentials = { username: undefined, password: undefined }
  for (const parameter of parameters?.split('&') ?? []) {
    const [, field, value = ''] = sentinelField.exec(parameter) ?? []
    const decoded = decode(value)
    if (field === undefined || decoded === null) return null
    found[field === 'Username' ? 'username' : 'password'] = decoded
  }
  return found
}

function credentialsOf(text: string | undefined): Credentials | null {
  const [username = '', ...password] = text?.split(':') ?? []
  const decoded = { username: decode(username), password: decode(password.join(':')) }
  if (decoded.username === null || decoded.password === null) return null
  return { username: decoded.username || undefined, password: decoded.password || undefined }
}

/** Returns a text without its percent encoding; null when it is not encoded right. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
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
