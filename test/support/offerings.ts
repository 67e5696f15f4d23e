import type { OrganizationSettings } from '../../src/shared/platform/authz/organization-settings.ts'
import type { TestApp } from './app.ts'
import { buildSchool, type School } from './builders.ts'
import { expectOk } from './flights.ts'

/**
 * Builds a school in the public directory. It flies from 08:00 to 18:00 UTC. What earlier tests hold counts for no network any more, since
 * all of them ask from one.
 */
export async function buildListedSchool(api: TestApp, settings: Partial<OrganizationSettings> = {}): Promise<School> {
  const school = await buildSchool(api, {
    settings: { flyingDayStartMinute: 480, flyingDayEndMinute: 1080, ...settings },
  })
  const marked = api.core.database.db.updateTable('booking_request').where('network_mark', 'is not', null)
  await marked.set({ network_mark: null }).execute()
  await api.core.database.db
    .updateTable('organization')
    .set({ show_in_directory: true })
    .where('id', '=', school.organizationId)
    .execute()
  return school
}

export interface Offered {
  id: number
  name: string
  resourceIds: number[]
  instructorOrgUserIds: number[]
}

/** Adds an offering: by default an hour on the school's plane for $199, closed out afterwards, with any instructor. */
export function offer(api: TestApp, school: School, extra: Record<string, unknown> = {}): Promise<Offered> {
  return expectOk<Offered>(api, school.admin, 'POST', '/offerings', {
    name: 'Discovery flight',
    durationMinutes: 60,
    priceCents: 19_900,
    resourceIds: [school.plane.id],
    ...extra,
  })
}

/** Monday 23 November 2026, 10:00 UTC. */
export const TEN = '2026-11-23T10:00:00.000Z'

/** Returns the body of a guest's request: by default Gia's, for Monday at ten. */
export function wish(extra: Record<string, unknown> = {}) {
  return { name: 'Gia Visitor', email: 'gia@example.com', phone: '+1 510 555 0123', start: TEN, ...extra }
}

/** Calls POST /public/offerings/{id}/requests without a token. */
export const askFor = (api: TestApp, offering: Pick<Offered, 'id'>, extra: Record<string, unknown> = {}) =>
  api.call('POST', `/public/offerings/${offering.id}/requests`, { body: wish(extra) })

/** Calls the same from a network. */
export const askFrom = (
  api: TestApp,
  network: string,
  offering: Pick<Offered, 'id'>,
  extra: Record<string, unknown> = {},
) =>
  api.app.inject({
    method: 'POST',
    url: `/public/offerings/${offering.id}/requests`,
    payload: wish(extra),
    remoteAddress: network,
  })

/** Sends a guest's request that must succeed. Returns its id. */
export async function asked(
  api: TestApp,
  offering: Pick<Offered, 'id'>,
  extra: Record<string, unknown> = {},
): Promise<number> {
  const response = await askFor(api, offering, extra)
  if (response.statusCode !== 202) throw new Error(`${response.statusCode} ${response.body}`)
  return response.json().data.id
}

/** Returns the token of the link that was mailed to a request's guest, made from the row as the mail job makes it. */
export async function confirmationToken(api: TestApp, requestId: number): Promise<string> {
  const { seed } = await api.core.database.db
    .selectFrom('booking_request')
    .select('seed')
    .where('id', '=', requestId)
    .executeTakeFirstOrThrow()
  return api.core.mailTokens.tokenOf(seed ?? '')
}

/** Calls POST /public/requests/confirm. */
export const confirm = (api: TestApp, token: string) =>
  api.call('POST', '/public/requests/confirm', { body: { token } })

/** Sends and confirms a guest's request. Returns its id. */
export async function confirmedRequest(
  api: TestApp,
  offering: Pick<Offered, 'id'>,
  extra: Record<string, unknown> = {},
): Promise<number> {
  const id = await asked(api, offering, extra)
  const response = await confirm(api, await confirmationToken(api, id))
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${response.body}`)
  return id
}

export interface Slot {
  start: string
  end: string
  resource: { id: number; name: string }
}

/** Returns the openings of an offering, by default on Monday, 23 November. */
export async function openingsOf(
  api: TestApp,
  offering: Pick<Offered, 'id'>,
  window = { startDate: '2026-11-23T00:00:00Z', endDate: '2026-11-24T00:00:00Z' },
): Promise<Slot[]> {
  const response = await api.call('GET', `/public/offerings/${offering.id}/openings?${new URLSearchParams(window)}`)
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${response.body}`)
  return response.json().data
}

/** Returns the times of day of slots: "10:00". */
export const startsOf = (slots: Slot[]) => slots.map(({ start }) => start.slice(11, 16))
