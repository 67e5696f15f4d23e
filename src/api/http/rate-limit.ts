import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { platformErrors } from '../../shared/platform/platform.errors.ts'
import { countTogether, SharedLimiter } from './count-together.ts'
import { announce, type Counted, describe, isTighter, left } from './counted-limit.ts'

interface Limit {
  points: number
  seconds: number
  /** The limit counts completed work. A request that is refused for any reason does not count. */
  done?: true
  /** `RATE_LIMIT_FACTOR` does not multiply the limit. */
  fixed?: true
}

/** The rate limits. A factor multiplies all of them, for load tests. Implements interface §Limits. */
const limits = {
  accountMinute: { points: 300, seconds: 60 },
  accountHour: { points: 5_000, seconds: 3_600 },
  /** Requests without a token, per network. */
  address: { points: 100, seconds: 300 },
  /** Pages, the OpenAPI document and `GET /health`, per network. */
  pages: { points: 300, seconds: 60 },
  /** Links that unsubscribe from mail, per network. */
  unsubscribing: { points: 30, seconds: 300 },
  /** Sign-in, sign-up, forgotten and reset passwords, each counted separately, per network. */
  credentialsNetwork: { points: 10, seconds: 900 },
  /**
   * Sign-in, sign-up, forgotten and reset passwords: per email address and network, and per email address from all
   * networks.
   */
  credentialsEmailNetwork: { points: 5, seconds: 900 },
  credentialsEmail: { points: 30, seconds: 900 },
  /** Sign-ins with the right password, per account and network. */
  signIns: { points: 30, seconds: 3_600 },
  /** For the warning about guessed passwords: wrong passwords per network and address, and such addresses per network. */
  guessedAddress: { points: 1, seconds: 3_600, fixed: true },
  guessedAddresses: { points: 20, seconds: 3_600, fixed: true },
  /** Wrong passwords of operators, per network. */
  operatorsNetwork: { points: 10, seconds: 900 },
  /** Wrong join codes, per account. */
  joinCode: { points: 20, seconds: 3_600 },
  /** Wrong passwords where a signed-in account has to enter its password again. */
  reauthentication: { points: 10, seconds: 900 },
  /** Created organizations, per account. */
  organizations: { points: 10, seconds: 86_400, done: true },
  /** Searches, per account. */
  search: { points: 60, seconds: 60 },
  /** Profiles of other members that are read, per account. */
  profiles: { points: 300, seconds: 3_600 },
  /** Members added one by one without an account: per organization, and per owner over all organizations of the owner. */
  managedMembers: { points: 500, seconds: 86_400, done: true },
  /** Merges of members: per organization, and per owner over all organizations of the owner. */
  merges: { points: 20, seconds: 86_400, done: true },
  /** Erasures of former members: per organization, and per owner over all organizations of the owner. */
  erasures: { points: 20, seconds: 86_400, done: true },
  /** Exports, per organization. */
  exports: { points: 2, seconds: 86_400, done: true },
  /** Exports of the data about an account, per account. */
  personExports: { points: 1, seconds: 86_400, done: true },
  /** Created closures, per account. */
  closures: { points: 60, seconds: 3_600, done: true },
  /** New entries of waiting lists, per account. */
  waitlistEntries: { points: 30, seconds: 3_600, done: true },
  /** Started bulk operations, per account. */
  bulks: { points: 120, seconds: 3_600, done: true },
  /** Planned recoveries, per organization. */
  recoveries: { points: 20, seconds: 3_600, done: true },
  /** Restored bookings, per organization. */
  restores: { points: 120, seconds: 3_600, done: true },
  /** Imports, per organization. */
  imports: { points: 40, seconds: 86_400, done: true },
  /** Reads of a calendar by its secret URL, per calendar. */
  calendar: { points: 60, seconds: 3_600 },
  /** Reports and charts that are read, per account. */
  reports: { points: 30, seconds: 3_600 },
  charts: { points: 60, seconds: 3_600 },
  /** Mails that another person requests, per address. */
  mailedAddress: { points: 5, seconds: 3_600 },
  /**
   * Invitations, including refused ones: per organization, per owner over all organizations of the owner, per account,
   * and per invited mailbox.
   */
  invitationsOrganizationHour: { points: 60, seconds: 3_600 },
  invitationsOrganizationDay: { points: 200, seconds: 86_400 },
  invitationsAccountHour: { points: 60, seconds: 3_600 },
  invitationsAccountDay: { points: 200, seconds: 86_400 },
  invitedAddressDay: { points: 3, seconds: 86_400 },
  /**
   * Pages on which a card is saved: per member, per organization, and per owner over all organizations of the owner.
   * The limit is low, because people who test stolen cards need many such pages.
   */
  cardSetupsMember: { points: 5, seconds: 86_400, done: true },
  cardSetupsOrganization: { points: 20, seconds: 86_400, done: true },
  /** Bought packages, per member. */
  packagesMember: { points: 5, seconds: 86_400 },
  /** Credit notes, and batches of invoices: per organization, and per owner over all organizations of the owner. */
  creditsOrganizationDay: { points: 100, seconds: 86_400 },
  /** Corrections of billed flights: per organization, and per owner over all organizations of the owner. */
  correctionsOrganizationDay: { points: 30, seconds: 86_400, done: true },
  invoiceBatches: { points: 10, seconds: 3_600, done: true },
  /** Rendered PDFs, per account. */
  pdfs: { points: 120, seconds: 3_600 },
  /** Requested uploads: per organization, and per owner over all organizations of the owner. */
  uploadsOrganizationDay: { points: 200, seconds: 86_400, done: true },
  uploadsOwnerDay: { points: 200, seconds: 86_400, done: true },
  /** Test events and replays of webhooks: per organization, and per owner over all organizations of the owner. */
  webhookTests: { points: 10, seconds: 3_600, done: true },
  webhookReplays: { points: 5, seconds: 86_400, done: true },
} satisfies Record<string, Limit>

const WAITS_FOR_PLACE_MS = 20

export type LimitName = keyof typeof limits

/** Returns whether a limit counts only completed work, not every request. */
export function countsDone(name: LimitName): boolean {
  const limit: Limit = limits[name]
  return limit.done === true
}

export interface Attempt<T> {
  run(): Promise<T>
  /** Returns whether an error counts as a failed attempt; other errors do not. */
  failed(error: unknown): boolean
}

/** Counts requests: in this process, or in Redis for several processes. */
export interface RateLimits {
  /**
   * Counts one request against each limit, and twice against a limit that is listed twice. Sets the headers of the
   * limit with the least remaining.
   * @throws TooManyRequests when a limit is exceeded.
   */
  consume(reply: FastifyReply, counted: readonly (readonly [LimitName, string])[]): Promise<void>
  /**
   * Counts a request against limits without refusing it. Later requests have less remaining. Returns whether a limit is
   * exceeded.
   */
  note(counted: (readonly [LimitName, string])[]): Promise<boolean>
  /**
   * Runs an attempt of which only failures count, such as a check of a password. Each running attempt reserves one of
   * the remaining failures of each limit. An attempt that finds none free waits until another attempt ends.
   * @throws TooManyRequests, without running the attempt, when failures have used up a limit.
   */
  attempt<T>(reply: FastifyReply, counted: readonly (readonly [LimitName, string])[], attempt: Attempt<T>): Promise<T>
  /** Undoes the count of a refused request for limits of completed work, and sets the headers of these limits. */
  giveBack(reply: FastifyReply, counted: (readonly [LimitName, string])[]): Promise<void>
  /** Sets the headers that every response has. For a counted request, `consume` replaces them. */
  announce(reply: FastifyReply): void
}

/**
 * Creates the limiters. When Redis is not available, each process counts separately.
 * @throws TooManyRequests from `consume` and `attempt` when a limit is exceeded.
 */
export function createRateLimits({ redis, factor }: { redis: Redis | undefined; factor: number }): RateLimits {
  const count = redis && countTogether(redis)
  const limiters = Object.fromEntries(
    Object.entries<Limit>(limits).map(([name, limit]) => {
      const settings = {
        keyPrefix: `{flightline}:limit:${name}`,
        points: limit.fixed ? limit.points : Math.ceil(limit.points * factor),
        duration: limit.seconds,
      }
      const memory = new RateLimiterMemory(settings)
      const limiter =
        redis && count
          ? new SharedLimiter({ ...settings, redis, count, insuranceLimiter: memory, rejectIfRedisNotReady: true })
          : memory
      return [name, { limiter, points: settings.points, policy: `${settings.points};w=${limit.seconds}` }]
    }),
  ) as Record<LimitName, Limiter>

  const underWay = new Map<string, number>()

  const announceTightest = (reply: FastifyReply, results: Counted[], of: readonly (readonly [LimitName, string])[]) => {
    const tightest = results.reduce((a, b) => (isTighter(b, a) ? b : a))
    announce(reply, tightest, [...new Set(of.map(([name]) => limiters[name].policy))])
  }

  return {
    async attempt(reply, counted, { run, failed }) {
      const held = (place: string) => underWay.get(place) ?? 0
      const places = counted.map(([name, key]) => `${name}:${key}`)
      for (;;) {
        const used = await Promise.all(
          counted.map(async ([name, key]) => left(await limiters[name].limiter.get(key), limiters[name].points)),
        )
        const exceeded = used.filter((one) => one.exceeded)
        if (exceeded.length > 0) {
          announceTightest(reply, exceeded, counted)
          throw platformErrors.tooManyRequests({ retryAfterSeconds: Math.max(...exceeded.map(({ reset }) => reset)) })
        }
        if (places.every((place, index) => held(place) < used[index]!.remaining)) break
        await pause(WAITS_FOR_PLACE_MS)
      }
      for (const place of places) underWay.set(place, held(place) + 1)
      try {
        return await run()
      } catch (error) {
        if (failed(error)) await this.consume(reply, counted)
        throw error
      } finally {
        for (const place of places) {
          if (held(place) > 1) underWay.set(place, held(place) - 1)
          else underWay.delete(place)
        }
      }
    },
    async consume(reply, counted) {
      const results = await Promise.all(counted.map(([name, key]) => countOne(limiters[name], key)))
      announceTightest(reply, results, counted)
      const exceeded = results.filter((result) => result.exceeded)
      if (exceeded.length > 0)
        throw platformErrors.tooManyRequests({ retryAfterSeconds: Math.max(...exceeded.map((result) => result.reset)) })
    },
    async note(counted) {
      const results = await Promise.all(counted.map(([name, key]) => countOne(limiters[name], key)))
      return results.some(({ exceeded }) => exceeded)
    },
    async giveBack(reply, counted) {
      const taken = counted.filter(([name]) => countsDone(name))
      if (taken.length === 0) return
      const given = taken.map(async ([name, key]) => {
        const { limiter, points } = limiters[name]
        return describe(await limiter.reward(key), points, false)
      })
      announceTightest(reply, await Promise.all(given), taken)
    },
    announce(reply) {
      const { points, policy } = limiters.address
      announce(reply, { points, remaining: points, reset: limits.address.seconds }, [policy])
    },
  }
}

interface Limiter {
  limiter: RateLimiterMemory | SharedLimiter
  points: number
  /** A limit in the form `300;w=60`: 300 requests in 60 seconds. */
  policy: string
}

async function countOne({ limiter, points }: Limiter, key: string): Promise<Counted> {
  try {
    return describe(await limiter.consume(key), points, false)
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return describe(refusal, points, true)
    throw refusal
  }
}
