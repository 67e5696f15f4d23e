import { recordWideReading } from '../../../shared/identity/members/record-wide-reading.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { inTransaction } from '../../../shared/platform/db/transaction.ts'
import type { Services } from '../../http/services.ts'

/** How many different members an account that is not an admin can read in an hour before the owners are notified. */
const MOST_MEMBERS = 2_000
const HOUR_MS = 3_600_000

/** The members that one account has read in an organization within an hour. */
interface Reading {
  since: number
  members: Set<number>
}

/** The readings of this process, by organization and account. */
const readings = new Map<string, Reading>()

/**
 * Returns a function that records each member whom the caller reads. When a caller who is not an admin reads more than
 * `MOST_MEMBERS` different members within an hour, this is recorded in the audit log once, and the owners are notified.
 * `RATE_LIMIT_FACTOR` multiplies the limit.
 */
export function notesReading({
  actor,
  services,
  now,
}: {
  actor: Actor
  services: Services
  now: Date
}): (orgUserId: number) => void {
  if (is(actor, admins)) return () => undefined
  const reading = readingOf(actor, now.getTime())
  const most = MOST_MEMBERS * services.config.RATE_LIMIT_FACTOR
  return (orgUserId) => {
    const before = reading.members.size
    if (before > most) return
    reading.members.add(orgUserId)
    if (before === most && reading.members.size > most) void tell(services, actor)
  }
}

function readingOf({ organizationId, accountId }: Actor, now: number): Reading {
  for (const [key, { since }] of readings) if (now - since >= HOUR_MS) readings.delete(key)
  const reading = readings.get(`${organizationId} ${accountId}`) ?? { since: now, members: new Set() }
  readings.set(`${organizationId} ${accountId}`, reading)
  return reading
}

/** Records it and notifies the owners while the response is sent. A failure is only logged. */
async function tell({ database, clock, relay, log }: Services, actor: Actor): Promise<void> {
  try {
    const { enqueued } = await inTransaction(database, clock, (tx) => recordWideReading(tx, actor))
    relay.publish(enqueued)
  } catch (error) {
    log.error({ err: error }, 'a wide reading of members is not recorded')
  }
}
