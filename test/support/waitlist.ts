import { inTransaction, type Tx } from '../../src/shared/platform/db/transaction.ts'
import { withdrawMoved } from '../../src/shared/scheduling/recoveries/withdraw-moved.ts'
import { expireOffer } from '../../src/shared/scheduling/waitlist/expire-offer.ts'
import { offerPlaces } from '../../src/shared/scheduling/waitlist/offer-places.ts'
import { withdrawImpossible } from '../../src/shared/scheduling/waitlist/withdraw-impossible.ts'
import type { TestApp } from './app.ts'
import type { Member, School } from './builders.ts'
import { expectOk } from './flights.ts'
import { buildBooking } from './records.ts'

export interface OfferRow {
  id: number
  status: string
  waitlistEntryId: number | null
  orgUserId: number
  start: string
  end: string
  resource: { id: number } | null
  instructor: { orgUserId: number } | null
  expiresAt: string
  cause: string | null
  reservation: { id: number } | null
}

/** Returns the body of an entry for dual flights on Monday, 23 November 2026, from 8 to 18 UTC. */
export function entryBody(extra: Record<string, unknown> = {}) {
  return {
    type: 'dual',
    durationMinutes: 120,
    windows: [{ start: '2026-11-23T08:00:00Z', end: '2026-11-23T18:00:00Z' }],
    ...extra,
  }
}

/** Puts a member on the waiting list, by default by themselves. Returns the entry's id. */
export async function enter(
  api: TestApp,
  who: Pick<Member, 'token'>,
  extra: Record<string, unknown> = {},
): Promise<number> {
  return (await expectOk<{ id: number }>(api, who, 'POST', '/waitlist', entryBody(extra))).id
}

/** Cancels a booking as the dispatcher. */
export async function cancel(api: TestApp, { dispatcher }: School, id: number): Promise<void> {
  const body = { category: 'student', reason: 'Ill' }
  const { statusCode, body: said } = await api.call('DELETE', `/reservations/${id}`, { token: dispatcher.token, body })
  if (statusCode !== 204) throw new Error(`cancelling: ${statusCode} ${said}`)
}

/** Offers what is free by the marks so far, as the workers do within seconds. Returns the number of offers. */
export async function offerSoFar(api: TestApp, { organizationId }: Pick<School, 'organizationId'>): Promise<number> {
  const { database, clock, relay } = api.core
  const run = async <T>(work: (tx: Tx) => Promise<T>) => {
    const { result, enqueued } = await inTransaction(database, clock, work)
    relay.publish(enqueued)
    return result
  }
  await run((tx) => withdrawImpossible(tx, organizationId))
  await run((tx) => withdrawMoved(tx, organizationId))
  let made = 0
  while (await run((tx) => offerPlaces(tx, api.core, organizationId))) made += 1
  return made
}

/** Ends an offer that is late, as its job does. */
export async function expireSoFar(api: TestApp, { organizationId }: School, id: number): Promise<void> {
  await inTransaction(api.core.database, api.core.clock, (tx) => expireOffer(tx, organizationId, id))
}

/** Returns the offers that a member lists, newest first. */
export function offersOf(api: TestApp, who: Pick<Member, 'token'>, query = ''): Promise<OfferRow[]> {
  return expectOk<OfferRow[]>(api, who, 'GET', `/offers${query}`)
}

/**
 * Inserts an offer of a day in January, by default a Monday, to the school's student, with the school's instructor and plane, as the job makes it.
 * Without `entryId`, its entry is new. Returns its id and the token of its mailed link.
 */
export async function insertOffer(
  api: TestApp,
  school: School,
  {
    entryId,
    status = 'open',
    day = '2027-01-04',
  }: { entryId?: number; status?: 'open' | 'accepted' | 'withdrawn'; day?: string } = {},
): Promise<{ id: number; token: string }> {
  const { seed, tokenHash } = api.core.mailTokens.draw()
  const windows = [{ start: `${day}T08:00:00Z`, end: `${day}T18:00:00Z` }]
  const isOpen = status === 'open'
  const seats = [{ side: 'students' as const, member: school.student }]
  const { rows } = await api.core.database.pool.query<{ id: number }>(
    `insert into offer (organization_id, source, entry_id, membership_id, type, starts_at, ends_at, resource_id,
       instructor_id, made_at, expires_at, holds_until, seed, token_hash, status, ended_at, cause, reservation_id)
     values ($1, 'waitlist', $2, $3, 'dual', $13::timestamptz, $13::timestamptz + interval '2 hours', $4, $5, $6::timestamptz,
       $6::timestamptz + interval '1 hour', $6::timestamptz + interval '1 hour', $7, $8, $9, $10, $11, $12)
     returning id`,
    [
      school.organizationId,
      entryId ?? (await enter(api, school.student, { windows })),
      school.student.orgUserId,
      school.plane.id,
      school.instructor.orgUserId,
      api.clock.now,
      isOpen ? seed : null,
      isOpen ? tokenHash : null,
      status,
      isOpen ? null : api.clock.now,
      status === 'withdrawn' ? 'booked' : null,
      status === 'accepted' ? await buildBooking(api, school, { seats }) : null,
      `${day}T10:00:00Z`,
    ],
  )
  const { id } = rows[0]!
  if (status === 'withdrawn') {
    await api.core.database.pool.query(
      `insert into event (organization_id, id, at, kind, actor_kind, membership_id, subject_kind, subject_id)
       values ($1, gen_random_uuid(), $2, 'offer.withdrawn', 'person', $3, 'offer', $4)`,
      [school.organizationId, api.clock.now, school.dispatcher.orgUserId, id],
    )
  }
  return { id, token: api.core.mailTokens.tokenOf(seed) }
}
