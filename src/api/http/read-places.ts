import { createHmac, timingSafeEqual } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'
import { serviceKey } from '../../shared/platform/adapters/tokens/sealing.ts'
import type { Database } from '../../shared/platform/db/database.ts'
import { isAway, isStarved } from '../../shared/platform/db/lost-connections.ts'
import { type LogPosition, parseLogPosition } from '../../shared/platform/db/replica-lag.ts'
import type { Replica, Replicas } from '../../shared/platform/db/replicas.ts'
import { Stopped } from '../../shared/platform/db/stoppable.ts'
import type { RedisClient } from '../../shared/platform/jobs/open-redis.ts'
import { TooManyRequests } from '../../shared/platform/kernel/errors.ts'
import type { Tag } from './openapi-tags.ts'

/** The header with the log position of a write, which a client sends back to read its own write from a replica. */
export const READ_AFTER = 'x-read-after'

/** An account reads the primary for this long after its own write, and everybody of an organization after a change of rights. */
const AFTER_WRITE_MS = 2_000
const AFTER_RIGHTS_MS = 60_000

/** What these endpoints write decides what a caller may read, or is about keys and addresses of others; their lists read the primary. */
const ofRights: ReadonlySet<Tag> = new Set<Tag>([
  'Authentication and accounts',
  'Organizations',
  'Members',
  'Groups',
  'Integrations',
  'Webhooks',
  'Operations',
  'Service',
])

/** Endpoints of other tags whose records are rights. */
const grants: ReadonlySet<string> = new Set(['listTrainingGrants', 'giveTrainingGrant', 'withdrawTrainingGrant'])

const isOfRights = ({ tag, id }: Declared) => ofRights.has(tag) || grants.has(id)

/** What members often do with endpoints of these tags, and changes no right. It pins the account alone, as another write does. */
const changesNoRight: ReadonlySet<string> = new Set([
  'signOutDevice',
  'switchOrganization',
  'replaceOwnAvailability',
  'replaceMemberAvailability',
  'createTimeOff',
  'deleteTimeOff',
  'putMinimums',
])

/** What decides whether an endpoint may be answered by a replica. */
interface Declared {
  id: string
  access: unknown
  tag: Tag
  query?: object | undefined
  computed?: boolean
  formats?: readonly string[]
}

/** Who asks, and with which headers. */
interface Asking {
  request: { headers: Record<string, unknown> }
  account: { accountId: number } | null
  actor: { organizationId: number } | null
}

/** Where the reads of a process went, and how many wrote or found a pin. */
export interface ReadCounts {
  replica: number
  primary: number
  /** Reads of the primary because of a write before. */
  pinned: number
  /** Reads that began on a replica, which failed, and were answered by the primary. */
  repeated: number
}

/** Decides where each read goes. Null without replicas. */
export interface ReadPlaces {
  /** Runs a read on a replica, or on the primary (null). A replica that fails is left out, and the read runs again on the primary. */
  read<T>(declaration: Declared, asking: Asking, run: (database: Database | null) => Promise<T>): Promise<T>
  /** Notes a committed write. Returns the value of `X-Read-After` for its answer; undefined when the primary does not tell. */
  written(declaration: Declared, asking: Asking): Promise<string | undefined>
  counts: ReadCounts
  lags: Replicas['lags']
}

/**
 * Returns whether an endpoint may be answered by a replica: a list, a report, a search, an export or openings, for members. Whatever is
 * about accounts, sessions, keys, members, roles and groups, and a record by its id, reads the primary.
 * Implements docs/decisions/0054.
 */
export function mayReadReplica(declaration: Declared): boolean {
  const { access, tag, query, computed, formats } = declaration
  if (access === 'anyone' || access === 'account' || isOfRights(declaration)) return false
  const isList = query !== undefined && 'shape' in query && 'limit' in (query.shape as object)
  return isList || computed === true || tag === 'Reports' || tag === 'Search' || (formats?.includes('csv') ?? false)
}

/** Creates the decision. `redis`: tells all processes of a write; without it each process knows its own. */
export function createReadPlaces(
  replicas: Replicas,
  { redis, keySet }: { redis: RedisClient | undefined; keySet: JSONWebKeySet },
): ReadPlaces {
  const key = serviceKey(keySet, 'read positions')
  const pins = createPins(redis)
  const counts: ReadCounts = { replica: 0, primary: 0, pinned: 0, repeated: 0 }

  const signatureOf = (text: string) => createHmac('sha256', key).update(text).digest().subarray(0, 16)
  const sign = (text: string) => Buffer.concat([signatureOf(text), Buffer.from(text)]).toString('base64url')
  /** Returns the position in a header; null for one that this service did not sign. */
  const open = (value: unknown): LogPosition | null => {
    if (typeof value !== 'string' || value.length > 100) return null
    const bytes = Buffer.from(value, 'base64url')
    const text = bytes.subarray(16).toString()
    if (bytes.length < 17 || !timingSafeEqual(bytes.subarray(0, 16), signatureOf(text))) return null
    return parseLogPosition(text)
  }

  async function choose(asking: Asking): Promise<Replica | null> {
    const after = open(asking.request.headers[READ_AFTER])
    const pinned = rightsOf(asking)
    if (after === null) pinned.push(`account:${asking.account?.accountId}`)
    if (await pins.has(pinned)) {
      counts.pinned += 1
      return null
    }
    return replicas.choose(after)
  }

  return {
    counts,
    lags: () => replicas.lags(),
    async read(declaration, asking, run) {
      const replica = mayReadReplica(declaration) ? await choose(asking) : null
      if (!replica) {
        counts.primary += 1
        return run(null)
      }
      try {
        const answer = await replicas.read(replica, run)
        counts.replica += 1
        return answer
      } catch (error) {
        if (error instanceof Stopped || error instanceof TooManyRequests || isTimeout(error)) throw error
        // What is refused on a replica may only have arrived on the primary. A lost connection may be the replica's end; one that is not
        // free, or a statement that the replay cancelled, is not.
        if (isAway(error) && !isStarved(error)) replicas.leaveOut(replica)
        counts.repeated += 1
        return run(null)
      }
    },
    async written(declaration, asking) {
      const { account } = asking
      await Promise.all([
        account && pins.set(`account:${account.accountId}`, AFTER_WRITE_MS),
        ...(isOfRights(declaration) && !changesNoRight.has(declaration.id)
          ? rightsOf(asking).map((name) => pins.set(name, AFTER_RIGHTS_MS))
          : []),
      ])
      // The write is committed: that its position cannot be read is no failure of it.
      return replicas.position().then(sign, () => undefined)
    },
  }
}

/** Returns the pins that a change of rights sets and each read looks up: of the account, as when it joins or leaves, and of the organization. */
function rightsOf({ account, actor }: Asking): string[] {
  return [
    ...(account ? [`rights:${account.accountId}`] : []),
    ...(actor ? [`organization:${actor.organizationId}`] : []),
  ]
}

/** Returns whether the server cancelled a statement because it took too long: it would on the primary too. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '57014'
}

interface Pins {
  set(name: string, ms: number): Promise<void>
  has(names: readonly string[]): Promise<boolean>
}

/**
 * The pins of a process and, in Redis, of all processes. While Redis does not answer, what it may know counts as pinned. After one call without
 * an answer none waits for one, until there is one again: a Redis that hangs must not delay each request.
 */
function createPins(redis: RedisClient | undefined): Pins {
  const own = new Map<string, number>()
  let hangs = false
  const noted = <T>(asked: Promise<T>) =>
    asked.then(
      (answer) => {
        hangs = false
        return answer
      },
      () => {
        hangs = true
        return null
      },
    )
  const keyOf = (name: string) => `{flightline}:pin:${name}`
  const prune = (now: number) => {
    for (const [name, until] of own) if (until <= now) own.delete(name)
  }
  return {
    async set(name, ms) {
      const now = performance.now()
      if (own.size > 10_000) prune(now)
      own.set(name, Math.max(own.get(name) ?? 0, now + ms))
      // Whoever reads while Redis is away reads the primary, so a pin that is not told is not missed.
      const told = redis && noted(redis.set(keyOf(name), 1, 'PX', ms))
      if (!hangs) await told
    },
    async has(names) {
      const now = performance.now()
      if (names.some((name) => (own.get(name) ?? 0) > now)) return true
      if (!redis) return false
      const found = noted(redis.exists(...names.map(keyOf)))
      return hangs || (await found) !== 0
    },
  }
}
