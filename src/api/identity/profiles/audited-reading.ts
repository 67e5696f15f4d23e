import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { recordWideReading } from '../../../shared/identity/members/record-wide-reading.ts'
import { MOST_PROFILES } from '../../../shared/identity/profiles/change-profile.ts'
import { countProfilesRead, hasRead } from '../../../shared/identity/profiles/profile.access.ts'
import { type Read, recordReading } from '../../../shared/identity/profiles/record-reading.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { inTransaction } from '../../../shared/platform/db/transaction.ts'
import { type Call, originOf } from '../../http/endpoint.ts'

const DAY_S = 86_400

/** Returns how many different profiles a registrar may read and write in 24 hours. */
export const mostProfiles = ({ services }: Pick<Call<'member'>, 'services'>): number =>
  MOST_PROFILES * services.config.RATE_LIMIT_FACTOR

/**
 * Checks that a registrar reads and writes at most `mostProfiles` different profiles in 24 hours. When more are asked
 * for, this is recorded in the audit log once, and the owners are mailed. Does nothing for others.
 * Implements interface §Desk grants.
 */
export async function assertReadsFewProfiles(
  { db, services, now, request }: Pick<Call<'member'>, 'db' | 'services' | 'now' | 'request'>,
  actor: Actor,
  orgUserId: number,
): Promise<void> {
  if (actor.grant !== 'registrar') return
  const since = new Date(now.getTime() - DAY_S * 1_000)
  const { profiles, among } = await countProfilesRead(db, actor, { orgUserId, since })
  if (among || profiles < mostProfiles({ services })) return
  const subject = { kind: 'member', id: actor.orgUserId }
  if (!(await hasRead(db, actor, { kind: 'member.read_widely', subject, since }))) {
    const { database, clock, relay } = services
    const record = inTransaction(database, clock, (tx) => recordWideReading(tx, actor), originOf(request))
    relay.publish((await record).enqueued)
  }
  throw identityErrors.profilesRead({ retryAfterSeconds: DAY_S, limit: mostProfiles({ services }) })
}

/** Records in the audit log, in a transaction of its own, what the reader of a response reads of other members. */
export async function recordRead(
  { services, request }: Pick<Call<'member'>, 'services' | 'request'>,
  reader: Actor,
  read: Read,
): Promise<void> {
  const { database, clock, relay } = services
  const { enqueued } = await inTransaction(database, clock, (tx) => recordReading(tx, reader, read), originOf(request))
  relay.publish(enqueued)
}
