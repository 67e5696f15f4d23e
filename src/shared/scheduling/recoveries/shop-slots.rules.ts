import { type Interval, overlaps } from '../../platform/kernel/instants.ts'
import { addDays, dayOfWeek, localDate, localDates, minuteOfDay, wallToInstant } from '../../platform/kernel/zones.ts'
import { isAvailable } from '../rules/availability.rules.ts'
import type { AvailabilityItem } from '../rules/booking-facts.types.ts'

const [LOST, MOVED, UNUSED_TENTH, PASSED] = [100, 10, 1, 1_000]
const HOUR_MINUTES = 60
const MINUTE_MS = 60_000
/** Some clock changes are of half an hour. */
const HALF_HOUR_MS = 30 * MINUTE_MS
/** Work that is not done after so many days has no slot. */
const LONGEST_DAYS = 90
/** How many slots are answered. */
const MOST_SLOTS = 10

/** When the shop works: minutes after local midnight, on days from 1 (Monday) to 7. */
export interface ShopHours {
  startMinute: number
  endMinute: number
  days: readonly number[]
}

/** When a technician works. An empty pattern says nothing. */
export interface TechnicianHours {
  pattern: readonly AvailabilityItem[]
  timeOff: readonly Interval[]
}

/** The work that needs a slot: where it starts, and how long it takes. */
export interface ShopWork extends Interval {
  minutes: number
}

/**
 * Returns the slots of a work that start in a window, on the hour: the aircraft is in the shop from the start until the work is done,
 * which goes on for several days inside shop hours. Implements interface §Shop slots.
 */
export function shopSlots(
  { start, end, minutes }: ShopWork,
  shop: ShopHours,
  technicians: readonly TechnicianHours[],
  zone: string,
): Interval[] {
  return localDates(start, end, zone).flatMap((date) => {
    const hours = openHours(shop, date, zone)
    if (!hours) return []
    const first = Math.ceil(shop.startMinute / HOUR_MINUTES) * HOUR_MINUTES
    return hoursOf({ start: wallToInstant(date, first, zone), end: hours.end }, zone).flatMap((at) => {
      if (at < start || at >= end) return []
      const pieces = piecesOf(at, minutes, shop, zone)
      const last = pieces?.at(-1)
      return last && pieces!.every((piece) => isStaffed(technicians, piece, zone)) ? [{ start: at, end: last.end }] : []
    })
  })
}

/** Returns the instants of an interval at which a local clock shows a whole hour: none that a clock change skips, and both that it repeats. */
function hoursOf({ start, end }: Interval, zone: string): Date[] {
  const count = Math.ceil(Math.max(0, end.getTime() - start.getTime()) / HALF_HOUR_MS)
  const halves = Array.from({ length: count }, (_, n) => new Date(start.getTime() + n * HALF_HOUR_MS))
  return halves.filter((at) => minuteOfDay(at, zone) % HOUR_MINUTES === 0)
}

/** Returns the hours of the shop in which a work is done; null when it takes too long. */
function piecesOf(start: Date, minutes: number, shop: ShopHours, zone: string): Interval[] | null {
  const pieces: Interval[] = []
  let left = minutes * MINUTE_MS
  const today = localDate(start, zone)
  for (let day = 0; day < LONGEST_DAYS; day++) {
    const hours = openHours(shop, addDays(today, day), zone)
    if (!hours) continue
    const from = Math.max(hours.start.getTime(), start.getTime())
    const until = Math.min(hours.end.getTime(), from + left)
    if (until <= from) continue
    pieces.push({ start: new Date(from), end: new Date(until) })
    left -= until - from
    if (left === 0) return pieces
  }
  return null
}

function openHours({ startMinute, endMinute, days }: ShopHours, date: string, zone: string): Interval | null {
  const hours = { start: wallToInstant(date, startMinute, zone), end: wallToInstant(date, endMinute, zone) }
  return days.includes(dayOfWeek(hours.start, zone)) ? hours : null
}

/** Returns the minutes of shop hours in an interval; of an interval without any, its length. */
export function workIn({ start, end }: Interval, shop: ShopHours, zone: string): number {
  const shared = localDates(start, end, zone).map((date) => {
    const hours = openHours(shop, date, zone)
    const from = Math.max(hours?.start.getTime() ?? 0, start.getTime())
    return Math.max(0, Math.min(hours?.end.getTime() ?? 0, end.getTime()) - from)
  })
  const inside = shared.reduce((sum, one) => sum + one, 0)
  return Math.ceil((inside || end.getTime() - start.getTime()) / MINUTE_MS)
}

/** Returns whether at each moment a technician works. When no technician has a pattern, it is not known, and somebody does. */
function isStaffed(technicians: readonly TechnicianHours[], work: Interval, zone: string): boolean {
  const known = technicians.filter(({ pattern }) => pattern.length > 0)
  if (known.length === 0) return true
  const bounds = known.flatMap(({ timeOff }) => timeOff.flatMap(({ start, end }) => [start, end]))
  const within = bounds.filter((at) => at > work.start && at < work.end)
  const cuts = [work.start, ...within, work.end].sort((a, b) => a.getTime() - b.getTime())
  return cuts.slice(1).every((end, n) => {
    const part = { start: cuts[n]!, end }
    const there = known.filter(({ timeOff }) => !timeOff.some((away) => overlaps(away, part)))
    const pattern = there.flatMap((one) => one.pattern)
    return pattern.length > 0 && isAvailable(pattern, part, zone)
  })
}

/** What a slot costs before its plan is known. */
export interface SlotToPlan extends Interval {
  /** The bookings that leave the aircraft. */
  displaced: readonly { id: number; start: Date }[]
  /** What is lost of the interval of the work, in whole tenths, and whether the work is due before. */
  unusedTenths: number
  passes: boolean
}

/** A slot with its plan: how many of its displaced bookings get a place. */
export interface PlannedSlot<Slot extends SlotToPlan = SlotToPlan> {
  slot: Slot
  placeable: number
  lost: number
  points: number
}

/** Returns the points of a slot; the fewest are the cheapest. Implements interface §Shop slots. */
export function slotPoints({ displaced, unusedTenths, passes }: SlotToPlan, lost: number): number {
  const moved = displaced.length - lost
  return lost * LOST + moved * MOVED + unusedTenths * UNUSED_TENTH + (passes ? PASSED : 0)
}

/**
 * Finds the ten cheapest slots and yields those to plan, which takes long: the caller says how many bookings of a slot no plan can place. Ends when no
 * other slot can cost less, even if all of its bookings have a place. Implements interface §Shop slots.
 */
export function* cheapestSlots<Slot extends SlotToPlan>(
  slots: readonly Slot[],
): Generator<Slot, PlannedSlot<Slot>[], number> {
  const byLeast = slots
    .map((slot) => ({ slot, least: slotPoints(slot, 0) }))
    .sort((a, b) => a.least - b.least || a.slot.start.getTime() - b.slot.start.getTime())
  let found: PlannedSlot<Slot>[] = []
  for (const { slot, least } of byLeast) {
    if (found.length === MOST_SLOTS && least > found.at(-1)!.points) break
    const lost = slot.displaced.length === 0 ? 0 : yield slot
    const planned = { slot, lost, placeable: slot.displaced.length - lost, points: slotPoints(slot, lost) }
    found = [...found, planned]
      .sort((a, b) => a.points - b.points || a.slot.start.getTime() - b.slot.start.getTime())
      .slice(0, MOST_SLOTS)
  }
  return found
}
