import { fleetErrors } from '../../fleet/fleet.errors.ts'
import { findBookingsAhead, findUse } from '../../fleet/maintenance/forecast.queries.ts'
import { forecast, forecastAt, unknownUse } from '../../fleet/maintenance/forecast.rules.ts'
import {
  dueOf,
  findMaintenanceItemsOf,
  type MaintenanceItemRow,
  metersOfRow,
} from '../../fleet/maintenance/maintenance-item.queries.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import { slicesOf } from '../../platform/db/stoppable.ts'
import { type Interval, overlaps } from '../../platform/kernel/instants.ts'
import { daysBetween } from '../../platform/kernel/zones.ts'
import type { Search } from '../openings/plan-with-fix.ts'
import { recoveryErrors } from '../recovery.errors.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { type DisplacedBooking, findPlaces, SLICE_MS } from './find-places.ts'
import { loadPlanFacts, MOST_DISPLACED } from './load-plan-facts.ts'
import { findStaying, findTechnicianHours, isMaintained } from './shop-slots.queries.ts'
import {
  cheapestSlots,
  type PlannedSlot,
  type ShopWork,
  type SlotToPlan,
  shopSlots,
  workIn,
} from './shop-slots.rules.ts'
import { countLost } from './solve-plan.ts'

/** The searches that run at the same time in a process. */
const MOST_AT_ONCE = 2
const RETRY_SECONDS = 5
/** How far a recovery for maintenance looks for places. */
export const maintenanceReach = { days: 3, instructors: 'own', pools: 'model' } as const

/** The places that are looked for of each booking of the window: a slot displaces few at a time. */
const PLACES_A_BOOKING = 20
/** How many days ahead slots are looked for. */
const MOST_DAYS_AHEAD = 30
/** A fix is at most this many days ahead; its work is rounded up to half hours. */
const FIX_DAYS = 14
const DAY_MS = 86_400_000
const HALF_HOUR = 30
const LONGEST_MINUTES = 72 * 60

let searching = 0

/** The work that needs a slot. */
export interface ShopQuestion extends ShopWork {
  resourceId: number
  /** The maintenance items that are done; absent: what comes due next. */
  reminderIds?: readonly number[] | undefined
}

/** A slot as it is judged: what is left of the item that comes due first, and which item is passed before. */
export interface ShopSlot extends SlotToPlan {
  /** What is left by a meter in hours, in hundredths; null by the calendar, by landings, and when it is unknown. */
  left: number | null
  crosses: { reminderId: number; reservation: { id: number; start: Date } | null } | null
}

/**
 * Returns the ten slots for work on an aircraft that cost the fewest points, the cheapest first. The places of displaced bookings are looked for
 * once for the whole window, on other aircraft; then each slot is one assignment. Writes nothing.
 *
 * Plans are made by workers alone, with the solver. This search is answered at once, so it runs in the process that is asked: it has no solver, two
 * run at a time, and other requests have their turn between its steps. Implements interface §Shop slots.
 */
export async function findShopSlots(
  db: Db,
  actor: Actor,
  now: Date,
  question: ShopQuestion,
): Promise<PlannedSlot<ShopSlot>[]> {
  const lastDay = new Date(question.end.getTime() - 1)
  if (daysBetween(now, lastDay, actor.organization.timeZoneName) > MOST_DAYS_AHEAD) {
    throw recoveryErrors.slotsTooFar({ days: MOST_DAYS_AHEAD })
  }
  if (searching >= MOST_AT_ONCE) throw recoveryErrors.tooManyRecoveries({ retryAfterSeconds: RETRY_SECONDS })
  searching++
  try {
    return await search(db, actor, now, question)
  } finally {
    searching--
  }
}

/**
 * Finds the cheapest time of a maintenance booking that is refused because its time is taken: one within 14 days that displaces nothing, since the booking
 * would be refused again otherwise. Implements interface §Shop slots.
 */
export const findShopTime: Search = async (db, actor, now, { id, resourceId, start, end }) => {
  if (resourceId === null) return null
  const { timeZoneName, settings } = actor.organization
  const minutes = Math.ceil(workIn({ start, end }, settings.shopHours, timeZoneName) / HALF_HOUR) * HALF_HOUR
  if (minutes > LONGEST_MINUTES) return null
  const until = new Date(start.getTime() + FIX_DAYS * DAY_MS)
  const [slot] = await search(db, actor, now, { resourceId, minutes, start, end: until }, id)
  if (!slot) return null
  const times = { start: slot.slot.start.toISOString(), end: slot.slot.end.toISOString() }
  return { action: 'choose_time', ...times, text: schedulingErrors.fixTime() }
}

/** With `exceptId`, nothing is displaced: the slots are those that no other booking takes. */
async function search(
  db: Db,
  actor: Actor,
  now: Date,
  question: ShopQuestion,
  exceptId?: number | null,
): Promise<PlannedSlot<ShopSlot>[]> {
  const { organizationId, organization } = actor
  const { resourceId } = question
  if (!(await isMaintained(db, organizationId, resourceId))) {
    throw fleetErrors.unknownResource({ field: 'resourceId' })
  }
  const items = await itemsOf(db, organizationId, question)
  const technicians = await findTechnicianHours(db, organizationId, now)
  const work = { ...question, start: new Date(Math.max(question.start.getTime(), now.getTime())) }
  const { timeZoneName: zone, settings } = organization
  const times = work.start < work.end ? shopSlots(work, settings.shopHours, technicians, zone) : []
  if (times.length === 0) return []
  const span = spanOf(times)
  const displaced = exceptId === undefined ? await findDisplaced(db, actor, now, resourceId, times) : []
  const staying = await findStaying(db, organizationId, resourceId, span, now, exceptId)
  const expectedAt = await expectations(db, organizationId, resourceId, items, now)
  const slots: (ShopSlot & { rows: DisplacedBooking[] })[] = []
  const endSlice = slicesOf(SLICE_MS)
  for (const time of times) {
    if (staying.some((other) => overlaps(other, time))) continue
    await endSlice()
    const rows = displacedBy(displaced, time)
    const leaving = rows.map(({ id, row }) => ({ id, start: row.starts_at }))
    slots.push({ ...time, rows, displaced: leaving, ...expectedAt(time) })
  }
  const order = cheapestSlots(slots)
  let step = order.next(0)
  while (!step.done) step = order.next(await countLost(step.value.rows))
  // The facts of the bookings are not kept.
  return step.value.map(({ slot: { rows, ...slot }, ...planned }) => ({ ...planned, slot }))
}

/** Returns the bookings that a slot displaces, with their places: where one of the other bookings stands is none. */
function displacedBy(displaced: readonly DisplacedBooking[], slot: Interval): DisplacedBooking[] {
  const rows = displaced.filter(({ row }) => overlaps({ start: row.starts_at, end: row.ends_at }, slot))
  const leaving = new Set(rows.map(({ id }) => id))
  return rows.map((row) => ({
    ...row,
    places: row.places
      .filter(({ after }) => after.every((id) => leaving.has(id)))
      .map((place) => ({ ...place, after: [] })),
  }))
}

function spanOf(times: readonly Interval[]): Interval {
  return { start: times[0]!.start, end: new Date(Math.max(...times.map(({ end }) => end.getTime()))) }
}

/** Returns the bookings of the aircraft that work at one of these times displaces, each with its places on others. */
async function findDisplaced(
  db: Db,
  actor: Actor,
  now: Date,
  resourceId: number,
  times: readonly Interval[],
): Promise<DisplacedBooking[]> {
  const recovery = { organizationId: actor.organizationId, operationId: 0, cause: { resourceIds: [resourceId] } }
  const facts = await loadPlanFacts({ db, now }, actor, { ...recovery, ...spanOf(times), reach: maintenanceReach })
  if (facts.bookings.length === MOST_DISPLACED) throw recoveryErrors.slotsTooMany({ limit: MOST_DISPLACED - 1 })
  const bookings = facts.bookings.map((booking) => ({ ...booking, byOther: true }))
  const longest = Math.max(...times.map(({ start, end }) => end.getTime() - start.getTime()))
  const isTogether = (one: Interval, other: Interval) =>
    Math.max(one.start.getTime(), other.start.getTime()) - Math.min(one.end.getTime(), other.end.getTime()) < longest
  const looking = { most: PLACES_A_BOOKING, exceptResourceId: resourceId, isTogether }
  return (await findPlaces({ ...facts, bookings }, looking)).rows
}

/** Returns the items of a work: those that are named, or all of the aircraft, of which the next one counts. */
async function itemsOf(
  db: Db,
  organizationId: number,
  { resourceId, reminderIds }: ShopQuestion,
): Promise<{ items: MaintenanceItemRow[]; isNamed: boolean }> {
  const items = await findMaintenanceItemsOf(db, organizationId, resourceId)
  if (!reminderIds) return { items, isNamed: false }
  const known = new Map(items.map((item) => [item.id, item]))
  if (reminderIds.some((id) => !known.has(id))) throw fleetErrors.unknownReminder({ field: 'reminderIds' })
  return { items: reminderIds.map((id) => known.get(id)!), isNamed: true }
}

/** Returns what is expected of the items at the start of a slot: of the one that comes due first, and the first that is passed. */
async function expectations(
  db: Db,
  organizationId: number,
  resourceId: number,
  { items, isNamed }: { items: readonly MaintenanceItemRow[]; isNamed: boolean },
  now: Date,
): Promise<(slot: Interval) => Pick<ShopSlot, 'left' | 'unusedTenths' | 'passes' | 'crosses'>> {
  const use = (await findUse(db, organizationId, [resourceId], now)).get(resourceId) ?? unknownUse
  const bookings = (await findBookingsAhead(db, organizationId, [resourceId], now)).get(resourceId) ?? []
  const atOf = (item: MaintenanceItemRow) => ({ now, meters: metersOfRow(item) })
  const expected = items
    .map((item) => ({ item, at: forecast(dueOf(item), atOf(item), bookings, use).expectedAt?.getTime() ?? Infinity }))
    .sort((a, b) => a.at - b.at || a.item.id - b.item.id)
  const done = (isNamed ? expected : expected.slice(0, 1)).map(({ item }) => item)
  return ({ start }) => {
    const each = done.map((item) => ({ item, ...forecastAt(dueOf(item), atOf(item), bookings, use, start) }))
    const [next] = each
    const passed = each.find(({ passes }) => passes)
    return {
      left: next && (next.basis === 'hobbs' || next.basis === 'tach' || next.basis === 'use') ? next.left : null,
      unusedTenths: next?.unusedTenths ?? 0,
      passes: passed !== undefined,
      crosses: passed ? { reminderId: passed.item.id, reservation: passed.reservation } : null,
    }
  }
}
