import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from '../../local/servers/ports.ts'

/** Several servers of Redis that stand for one. */
export interface RedisNodes {
  /** As `REDIS_URL` has it. */
  url: string
  /** Returns the port of the master that has the queues. */
  master(): Promise<number>
  /** Kills the master that has the queues, with `kill -9`. Returns its port. */
  killMaster(): Promise<number>
  /** Starts a killed server again; it becomes a replica. */
  restart(port: number): Promise<void>
  /** Sets `maxmemory-policy` on one replica. */
  evict(policy: string): Promise<void>
  stop(): Promise<void>
}

/** The name that the Sentinels have for the servers. */
const NAME = 'flightline'
/** A Sentinel, or a node of a cluster, takes a server for dead after this time. */
const DEAD_AFTER_MS = 1_500
/** Of the servers and of the Sentinels. */
const PASSWORD = 'nodes-pass'
const ANSWER_MS = 10_000

/** Servers by their ports, in one folder. */
class Servers {
  readonly #children = new Map<number, ChildProcess>()
  readonly #flags = new Map<number, string[]>()
  readonly directory: string

  constructor(directory: string) {
    this.directory = directory
  }

  async start(port: number, flags: string[]): Promise<void> {
    this.#flags.set(port, flags)
    this.#children.set(port, spawn('redis-server', flags, { stdio: 'ignore', cwd: this.directory }))
    await until(() => onNode(port, (node) => node.ping()))
  }

  restart(port: number): Promise<void> {
    return this.start(port, this.#flags.get(port)!)
  }

  async kill(port: number): Promise<void> {
    const child = this.#children.get(port)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  async stop(): Promise<void> {
    for (const port of this.#children.keys()) await this.kill(port)
    await rm(this.directory, { recursive: true, force: true })
  }
}

/** Starts a master with two replicas and three Sentinels. */
export async function startSentinels(): Promise<RedisNodes> {
  const servers = new Servers(await mkdtemp(join(tmpdir(), 'flightline-sentinel-')))
  const [master = 0, ...replicas] = await ports(3)
  const data = (port: number) => [...settingsOf(port), '--appendonly', 'yes', '--appenddirname', `aof-${port}`]
  await servers.start(master, data(master))
  for (const port of replicas) await servers.start(port, [...data(port), '--replicaof', `127.0.0.1 ${master}`])
  const sentinels = await ports(3)
  for (const port of sentinels) {
    const file = join(servers.directory, `sentinel-${port}.conf`)
    await writeFile(
      file,
      [
        `port ${port}`,
        'bind 127.0.0.1',
        `requirepass ${PASSWORD}`,
        `sentinel monitor ${NAME} 127.0.0.1 ${master} 2`,
        `sentinel auth-pass ${NAME} ${PASSWORD}`,
        `sentinel down-after-milliseconds ${NAME} ${DEAD_AFTER_MS}`,
        `sentinel failover-timeout ${NAME} 5000`,
      ].join('\n'),
    )
    await servers.start(port, [file, '--sentinel'])
  }
  const ask = <T>(work: (sentinel: Redis) => Promise<T>) => onNode(sentinels[0]!, work)
  await until(async () => {
    const [found] = (await ask((one) => one.call('SENTINEL', 'masters'))) as string[][]
    const field = (name: string) => Number(found![found!.indexOf(name) + 1])
    if (field('num-slaves') !== 2 || field('num-other-sentinels') !== 2) throw new Error('not all known yet')
  })
  const masterPort = async () =>
    Number(((await ask((one) => one.call('SENTINEL', 'get-master-addr-by-name', NAME))) as string[])[1])
  return {
    url: `redis+sentinel://:${PASSWORD}@${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}/${NAME}?sentinelPassword=${PASSWORD}`,
    master: masterPort,
    async killMaster() {
      const port = await masterPort()
      await hasReplica(port)
      await servers.kill(port)
      return port
    },
    restart: (port) => servers.restart(port),
    evict: (policy) =>
      onNode(replicas[0]!, async (node) => void (await node.config('SET', 'maxmemory-policy', policy))),
    stop: () => servers.stop(),
  }
}

/** Starts a cluster of three masters with a replica each. */
export async function startCluster(): Promise<RedisNodes> {
  const servers = new Servers(await mkdtemp(join(tmpdir(), 'flightline-cluster-')))
  const nodes = await clusterPorts(6)
  for (const port of nodes) {
    await servers.start(port, [
      ...settingsOf(port),
      ...['--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${port}.conf`],
      ...['--cluster-node-timeout', String(DEAD_AFTER_MS), '--appendonly', 'yes', '--appenddirname', `aof-${port}`],
    ])
  }
  const members = nodes.map((port) => `127.0.0.1:${port}`)
  const create = ['-a', PASSWORD, '--cluster', 'create', ...members, '--cluster-replicas', '1', '--cluster-yes']
  const made = spawn('redis-cli', create, { stdio: 'ignore' })
  const [code] = await once(made, 'exit')
  if (code !== 0) throw new Error(`redis-cli --cluster create ended with ${code}`)
  const stateOf = (port: number) => onNode(port, (node) => node.call('CLUSTER', 'INFO') as Promise<string>)
  for (const port of nodes) {
    await until(async () => {
      if (!(await stateOf(port)).includes('cluster_state:ok')) throw new Error('not ok yet')
    })
  }
  const alive = new Set(nodes)
  /** The master of the slot of the hash tag of the queues. */
  const masterPort = async () => {
    const [any = 0] = alive
    const slot = await onNode(any, (node) => node.call('CLUSTER', 'KEYSLOT', '{flightline}') as Promise<number>)
    const ranges = (await onNode(any, (node) => node.call('CLUSTER', 'SLOTS'))) as [number, number, [string, number]][]
    return ranges.find(([from, to]) => from <= slot && slot <= to)![2][1]
  }
  return {
    url: `redis+cluster://:${PASSWORD}@${members.slice(0, 3).join(',')}`,
    master: masterPort,
    async killMaster() {
      const port = await masterPort()
      await hasReplica(port)
      alive.delete(port)
      await servers.kill(port)
      return port
    },
    async restart(port) {
      await servers.restart(port)
      alive.add(port)
    },
    async evict(policy) {
      const roles = await Promise.all(nodes.map((port) => onNode(port, (node) => node.role() as Promise<unknown[]>)))
      const replica = nodes[roles.findIndex(([role]) => role === 'slave')]!
      await onNode(replica, async (node) => void (await node.config('SET', 'maxmemory-policy', policy)))
    },
    stop: () => servers.stop(),
  }
}

const settingsOf = (port: number) => [
  ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', '.'],
  ...['--requirepass', PASSWORD, '--masterauth', PASSWORD],
]

async function ports(count: number): Promise<number[]> {
  const found: number[] = []
  while (found.length < count) {
    const port = await freePort()
    if (!found.includes(port)) found.push(port)
  }
  return found
}

/** Ports whose bus, 10,000 above, is a port too. */
async function clusterPorts(count: number): Promise<number[]> {
  const found: number[] = []
  while (found.length < count) {
    const port = await freePort()
    if (port < 55_000 && !found.includes(port)) found.push(port)
  }
  return found
}

async function onNode<T>(port: number, work: (node: Redis) => Promise<T>): Promise<T> {
  const node = new Redis({
    ...{ port, host: '127.0.0.1', password: PASSWORD },
    ...{ maxRetriesPerRequest: 0, retryStrategy: () => null },
  })
  node.on('error', () => undefined)
  try {
    return await work(node)
  } finally {
    node.disconnect()
  }
}

/** Waits until a replica of a master has its data: nobody can take its place before. */
async function hasReplica(port: number): Promise<void> {
  await until(async () => {
    const info = await onNode(port, (node) => node.info('replication'))
    if (!/^slave\d+:.*state=online/m.test(info)) throw new Error(`no replica of ${port} has its data`)
  })
}

/** Repeats until it succeeds. @throws Error of the last attempt, after ten seconds */
async function until(work: () => Promise<unknown>): Promise<void> {
  for (const began = performance.now(); ; ) {
    try {
      await work()
      return
    } catch (error) {
      if (performance.now() - began > ANSWER_MS) throw error
      await pause(50)
    }
  }
}
