import { setImmediate as othersTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Actor } from '../authz/actor.ts'
import type { Db } from '../db/database.ts'
import { Invalid } from '../kernel/errors.ts'
import type { Interval } from '../kernel/instants.ts'
import { factsOfSchool, seatFacts } from './load-booking-facts.ts'
import { placeMembers } from './openings/place-members.rules.ts'
import { hopeless, type Opening, type OpeningsFacts, openingsFrom } from './openings.rules.ts'
import { booksForThemselves, type ReservationType, typeRules } from './reservation-types.rules.ts'
import { loadWorld, type World } from './world.queries.ts'

/** What is looked for. Without resources every one that the type takes is looked through. */
export interface OpeningsQuestion extends Interval {
  type: ReservationType
  durationMinutes: number
  resourceIds: number[]
  orgUserIds: number[]
}

/** More slots at once help nobody. */
export const MOST_OPENINGS = 200
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * The slots in a window that a booking would be accepted for: the booking rules run backwards, over facts that are
 * loaded once. Who books for themselves is on it; an instructor that the type needs and nobody named is looked for.
 * Sides that stay open are for the caller to fill. Whether the caller needs approval is not asked.
 * @throws Invalid naming an id that is not the organization's, and when no slot could ever fit.
 */
export async function findOpenings(db: Db, actor: Actor, now: Date, question: OpeningsQuestion): Promise<Opening[]> {
  const facts = await loadFacts(db, actor, now, question)
  const [problem] = hopeless(facts)
  if (problem) throw new Invalid(problem.message, problem.code === 'INVALID' ? undefined : problem.code)
  const length = question.durationMinutes * MINUTE_MS
  const first = Math.max(question.start.getTime(), now.getTime())
  const last = question.end.getTime() - length
  const found: Opening[] = []
  for (let day = first; day <= last && found.length < MOST_OPENINGS; day += DAY_MS) {
    const starts = { start: new Date(day), end: new Date(Math.min(day + DAY_MS, last + 1)) }
    found.push(...openingsFrom(facts, starts, MOST_OPENINGS - found.length))
    await othersTurn()
  }
  return found
}

async function loadFacts(db: Db, actor: Actor, now: Date, question: OpeningsQuestion): Promise<OpeningsFacts> {
  const { type, start, end } = question
  const { organizationId } = actor
  const named = withCaller(actor, question)
  const resourceIds =
    question.resourceIds.length > 0 ? question.resourceIds : await resourcesFor(db, organizationId, type)
  const instructorIds = needsInstructor(type) ? await instructorsOf(db, organizationId) : []
  const memberIds = [...new Set([...named, ...instructorIds])]
  const world = await loadWorld(db, organizationId, { resourceIds, memberIds, guestIds: [], span: { start, end } })
  const choices = resourceIds.length > 0 ? resourceIds : [null]
  const crews = crewsOf(type, named, instructorIds, world)
  return {
    ...factsOfSchool(actor, now, world),
    booking: { id: null, type, zone: actor.organization.timeZoneName, ...firstSlot(question) },
    choices: choices.map((id) => ({
      resource: id === null ? null : resourceOf(id, world),
      crews: crews.map((seats) => seats.map((seat) => seatFacts(seat, world, id))),
    })),
  }
}

function firstSlot({ start, durationMinutes }: OpeningsQuestion): Interval {
  return { start, end: new Date(start.getTime() + durationMinutes * MINUTE_MS) }
}

function withCaller(actor: Actor, { type, orgUserIds }: OpeningsQuestion): number[] {
  const alone = booksForThemselves(actor.roles, type) && !orgUserIds.includes(actor.orgUserId)
  return alone ? [...orgUserIds, actor.orgUserId] : orgUserIds
}

function needsInstructor(type: ReservationType): boolean {
  return (typeRules[type].sides.instructors?.[0] ?? 0) > 0
}

function crewsOf(type: ReservationType, named: number[], instructorIds: number[], world: World) {
  const members = named.map((orgUserId) => {
    const known = world.members.get(orgUserId)
    if (!known) throw new Invalid(`orgUserId: there is no such member: ${orgUserId}`)
    return { orgUserId, name: known.name, roles: known.roles }
  })
  const placed = placeMembers(type, members)
  if ('problem' in placed) throw new Invalid(placed.problem)
  const { seats } = placed
  if (!needsInstructor(type) || seats.some((seat) => seat.side === 'instructors')) return [placed.seats]
  return instructorIds
    .filter((id) => !named.includes(id))
    .map((orgUserId) => [{ side: 'instructors' as const, index: 0, orgUserId }, ...seats])
}

function resourceOf(id: number, world: World) {
  const resource = world.resources.get(id)
  if (!resource) throw new Invalid(`resourceId: there is no such resource: ${id}`)
  return { ...resource, taken: world.taken.resources.get(id) ?? [] }
}

/** A ground lesson needs no room; for everything else the resources of the kinds that the type takes, by name. */
async function resourcesFor(db: Db, organizationId: number, type: ReservationType): Promise<number[]> {
  if (type === 'ground') return []
  const rows = await db
    .selectFrom('resource')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('kind', 'in', [...typeRules[type].resources])
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

async function instructorsOf(db: Db, organizationId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select m.id from membership m join account a on a.id = m.account_id
    where m.organization_id = ${organizationId} and m.instructor and m.removed_at is null
    order by a.name, m.id`.execute(db)
  return rows.map(({ id }) => id)
}
