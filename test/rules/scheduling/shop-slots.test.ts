import { describe, expect, test } from 'vitest'
import type { PlanRow } from '../../../src/shared/scheduling/recoveries/plan-problem.rules.ts'
import { costOf } from '../../../src/shared/scheduling/recoveries/points.rules.ts'
import {
  cheapestSlots,
  type SlotToPlan,
  shopSlots,
  slotPoints,
  type TechnicianHours,
  workIn,
} from '../../../src/shared/scheduling/recoveries/shop-slots.rules.ts'
import { countLost } from '../../../src/shared/scheduling/recoveries/solve-plan.ts'

const zone = 'America/New_York'
const weekdays = { startMinute: 480, endMinute: 1020, days: [1, 2, 3, 4, 5] }
/** An instant of New York in June 2026; the 1st is a Monday. */
const local = (day: number, hour: number, minute = 0) => new Date(Date.UTC(2026, 5, day, hour + 4, minute))
const span = (from: Date, to: Date) => ({ start: from, end: to })
const staffed = (days: number[], startMinute: number, endMinute: number, timeOff: TechnicianHours['timeOff'] = []) => ({
  pattern: days.map((dayOfWeek) => ({ dayOfWeek, startMinute, endMinute })),
  timeOff,
})

describe('the times of slots (§Shop slots)', () => {
  const monday = span(local(1, 0), local(2, 0))

  test('start on the hour inside shop hours, and work goes on over night and the weekend inside them', () => {
    const slots = shopSlots({ ...monday, minutes: 240 }, weekdays, [], zone)
    expect(slots.map(({ start }) => start)).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16].map((hour) => local(1, hour)))
    expect([slots[0], slots[5], slots[6]]).toEqual([
      span(local(1, 8), local(1, 12)),
      span(local(1, 13), local(1, 17)),
      span(local(1, 14), local(2, 9)),
    ])
    const [friday] = shopSlots({ ...span(local(5, 16), local(6, 0)), minutes: 120 }, weekdays, [], zone)
    expect(friday).toEqual(span(local(5, 16), local(8, 9)))
  })

  test.each([
    ['a shop that opens at half past', { ...weekdays, startMinute: 510, endMinute: 660 }, [9, 10]],
    ['a window that begins and ends within the day', weekdays, [10, 11], span(local(1, 9, 30), local(1, 12))],
    ['a day on which the shop is closed', { ...weekdays, days: [2] }, []],
    ['work that never ends', { ...weekdays, startMinute: 540, endMinute: 600, days: [1] }, [], monday, 4_320],
  ])('%s', (_what, shop, hours, window = monday, minutes = 60) => {
    const slots = shopSlots({ ...window, minutes }, shop, [], zone)
    expect(slots.map(({ start }) => start)).toEqual(hours.map((hour) => local(1, hour)))
  })

  test('the change of the clocks does not move the hours of the shop', () => {
    const sunday = span(new Date('2026-11-01T04:00:00Z'), new Date('2026-11-02T05:00:00Z'))
    const [slot] = shopSlots({ ...sunday, minutes: 120 }, { startMinute: 0, endMinute: 240, days: [7] }, [], zone)
    expect(slot).toEqual(span(new Date('2026-11-01T04:00:00Z'), new Date('2026-11-01T06:00:00Z')))
    const eight = shopSlots({ ...sunday, minutes: 60 }, { startMinute: 480, endMinute: 540, days: [7] }, [], zone)
    expect(eight).toEqual([span(new Date('2026-11-01T13:00:00Z'), new Date('2026-11-01T14:00:00Z'))])
  })

  test.each([
    ['skip two o’clock', '2027-03-14', '05:00', [5, 6, 7]],
    ['repeat one o’clock', '2027-11-07', '04:00', [4, 5, 6, 7, 8]],
  ])('clocks that %s have each hour that they show', (_what, day, midnight, hours) => {
    const from = new Date(`${day}T${midnight}:00Z`)
    const night = { startMinute: 0, endMinute: 240, days: [7] }
    const slots = shopSlots({ ...span(from, new Date(`${day}T12:00:00Z`)), minutes: 60 }, night, [], zone)
    const starts = slots.map(({ start }) => start.toISOString())
    expect(starts).toEqual(hours.map((hour) => `${day}T0${hour}:00:00.000Z`))
  })

  test.each<[string, TechnicianHours[], number[]]>([
    ['nobody has a pattern', [staffed([], 0, 0), staffed([], 0, 0, [monday])], [8, 9, 10, 11, 12, 13, 14, 15, 16]],
    ['one works in the morning', [staffed([1], 480, 720), staffed([], 0, 0)], [8, 9, 10]],
    ['one follows the other', [staffed([1], 480, 600), staffed([1], 600, 720)], [8, 9, 10]],
    ['there is a gap between the two', [staffed([1], 480, 570), staffed([1], 600, 720)], [10]],
    ['the one in the morning is away until nine', [staffed([1], 480, 720, [span(local(1, 8), local(1, 9))])], [9, 10]],
    ['nobody works that day', [staffed([2], 480, 1020)], []],
  ])('a technician works at each moment: %s', (_who, technicians, hours) => {
    const slots = shopSlots({ ...monday, minutes: 120 }, weekdays, technicians, zone)
    const ends = slots.filter(({ end }) => end <= local(1, 17))
    const expected = hours.filter((hour) => hour + 2 <= 17)
    expect(ends.map(({ start }) => start)).toEqual(expected.map((hour) => local(1, hour)))
  })

  test.each([
    ['within a day', span(local(1, 9), local(1, 13)), 240],
    ['over night', span(local(1, 15), local(2, 10)), 240],
    ['on a Sunday', span(local(7, 9), local(7, 12)), 180],
  ])('the work in a booking is its shop hours: %s', (_when, booking, minutes) => {
    expect(workIn(booking, weekdays, zone)).toBe(minutes)
  })
})

const slot = (id: number, displaced: number, more: Partial<SlotToPlan> = {}): SlotToPlan => ({
  ...span(local(1, id), local(1, id + 1)),
  displaced: Array.from({ length: displaced }, (_, n) => ({ id: id * 100 + n, start: local(1, id) })),
  unusedTenths: 0,
  passes: false,
  ...more,
})

function found(slots: readonly SlotToPlan[], lostOf: (slot: SlotToPlan) => number) {
  const order = cheapestSlots(slots)
  const planned: SlotToPlan[] = []
  let step = order.next(0)
  while (!step.done) {
    planned.push(step.value)
    step = order.next(lostOf(step.value))
  }
  return { found: step.value, planned }
}

describe('what a slot costs (§Shop slots)', () => {
  test.each([
    ['nothing', slot(1, 0), 0, 0],
    ['three bookings that move', slot(1, 3), 0, 30],
    ['three, of which two are lost', slot(1, 3), 2, 210],
    ['three tenths that are not used', slot(1, 1, { unusedTenths: 3 }), 0, 13],
    ['an inspection that is passed before', slot(1, 0, { passes: true }), 0, 1_000],
  ])('%s', (_what, one, lost, points) => {
    expect(slotPoints(one, lost)).toBe(points)
  })

  test('the ten cheapest are found, of equal ones the earliest, and what cannot be among them is not planned', () => {
    const slots = [slot(1, 2), ...Array.from({ length: 12 }, (_, n) => slot(n + 2, 0)), slot(14, 5)]
    const { found: ten, planned } = found(slots, () => 0)
    expect(ten.map((one) => one.slot)).toEqual(slots.slice(1, 11))
    expect(planned).toEqual([])
  })

  test('a slot that could cost less is planned, also after ten', () => {
    const slots = Array.from({ length: 13 }, (_, n) => slot(n + 1, n < 10 ? 1 : 2))
    const { found: ten, planned } = found(slots, ({ displaced }) => (displaced.length === 1 ? 1 : 0))
    expect(planned).toHaveLength(13)
    expect(ten.map(({ points }) => points)).toEqual([20, 20, 20, ...Array(7).fill(100)])
  })
})

const AIRCRAFT = [1, 2]
const INSTRUCTORS = 3

/** Returns the bookings of an aircraft in a made-up week, each with its places on two others; the seed decides all of it. */
function weekOf(seed: number): { start: Date; end: Date; row: PlanRow }[] {
  let state = Math.imul(seed, 2_654_435_761)
  const below = (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return Math.floor(((state >>> 0) / 4_294_967_296) * n)
  }
  const bookings = [1, 2, 3, 4, 5].flatMap((day) =>
    [8, 10, 12, 14].filter(() => below(10) < 9).map((hour) => ({ day, hour, instructor: below(INSTRUCTORS) })),
  )
  const busy = new Set(Array.from({ length: 160 }, () => `${AIRCRAFT[below(2)]} ${1 + below(8)} ${8 + 2 * below(4)}`))
  return bookings.map(({ day, hour, instructor }, id) => {
    const start = local(day, hour)
    const worth = [100, 150, 300][below(3)]!
    const places = Array.from({ length: 7 }, (_, n) => day - 3 + n)
      .flatMap((other) => [8, 10, 12, 14].map((at) => ({ other, at })))
      .filter(({ other }) => other >= 1 && other <= 8 && below(5) === 0)
      .flatMap(({ other, at }) =>
        AIRCRAFT.filter((one) => !busy.has(`${one} ${other} ${at}`)).map((one) => {
          const to = local(other, at)
          const points = worth - costOf({ from: start, to, otherInstructor: false, otherModel: one === 2 }, zone)
          const takes = [`aircraft ${one}`, `instructor ${instructor}`, `student ${id}`]
          return { start: to, end: local(other, at + 2), points, takes }
        }),
      )
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points)
    return { start, end: local(day, hour + 2), row: { id, places } }
  })
}

type Places = PlanRow['places']

/** Returns the most points of any plan of these bookings, and how many bookings it leaves, by trying every plan that could have more. */
function exhaustive(rows: readonly PlanRow[]): { points: number; lost: number } {
  const best = { points: -1, lost: rows.length }
  const most = rows.map(({ places }) => places[0]?.points ?? 0)
  const rest = most.map((_, n) => most.slice(n).reduce((sum, one) => sum + one, 0))
  const visit = (n: number, taken: Places, points: number) => {
    if (n === rows.length) {
      const lost = rows.length - taken.length
      if (points > best.points || (points === best.points && lost < best.lost)) Object.assign(best, { points, lost })
      return
    }
    if (points + rest[n]! < best.points) return
    for (const place of rows[n]!.places) {
      const clash = (other: Places[number]) =>
        other.start < place.end && place.start < other.end && other.takes.some((key) => place.takes.includes(key))
      if (!taken.some(clash)) visit(n + 1, [...taken, place], points + place.points)
    }
    visit(n + 1, taken, points)
  }
  visit(0, [], 0)
  return best
}

describe('50 made-up weeks (§Shop slots)', () => {
  test('the first answer costs no more than any other start by a recovery that tries every plan', async () => {
    let lost = 0
    const shop = { ...weekdays, endMinute: 960 }
    for (let seed = 1; seed <= 50; seed++) {
      const week = weekOf(seed)
      const minutes = [120, 240, 480][seed % 3]!
      const slots = shopSlots({ ...span(local(1, 0), local(5, 0)), minutes }, shop, [], zone).map((time) => {
        const rows = week.filter(({ start, end }) => start < time.end && end > time.start)
        const displaced = rows.map(({ row, start }) => ({ id: row.id, start }))
        return { ...time, displaced, unusedTenths: seed % 4, passes: false, rows: rows.map(({ row }) => row) }
      })
      const order = cheapestSlots(slots)
      let step = order.next(0)
      while (!step.done) step = order.next(await countLost(step.value.rows))
      const exact = slots.map((one) => slotPoints(one, exhaustive(one.rows).lost))
      expect([seed, step.value[0]!.points]).toEqual([seed, Math.min(...exact)])
      lost += step.value.reduce((sum, one) => sum + one.lost, 0)
    }
    // The weeks are full enough for slots that cost a lesson.
    expect(lost).toBeGreaterThan(20)
  }, 60_000)

  test('a booking without places is lost', async () => {
    expect(await countLost([{ id: 1, places: [] }])).toBe(1)
  })
})
