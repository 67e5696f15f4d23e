import { describe, expect } from 'vitest'
import type { Member } from '../../support/builders.ts'
import { expectFigure } from '../../support/figures.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { bookDual, expectOk } from '../../support/flights.ts'
import { countStatements } from '../../support/statements.ts'

const test = sharedSchoolTest()
  /** Sends a request for the booking; answers what its transaction reads, and how many statements it writes with. */
  .extend('sending', ({ api }) => async (by: Member, method: 'POST' | 'PATCH', action: string, body?: object) => {
    const { statements } = await countStatements(api, () =>
      expectOk(api, by, method, `/reservations/${id}${action}`, body),
    )
    const inside = statements.slice(statements.indexOf('begin') + 1, statements.indexOf('commit'))
    const isRead = (text: string) => /^\s*(select|with page)/i.test(text)
    return {
      reads: inside.filter(isRead).map(readOf),
      changed: inside.filter((text) => /^\s*update/i.test(text)).length,
    }
  })

let id: number
test.beforeAll(async ({ api, school }) => {
  id = await bookDual(api, school)
})

/** The reads of a transaction that seals what is signed on a flight: the figures, and the number of the last seal (decision 46). */
const sealing = ['reservation', 'the last seal']

/** What a transaction reads of one statement: a booking with everything in it, or rows of a table, locked or not. */
function readOf(text: string): string {
  if (/as created_by_name/.test(text)) return 'the booking'
  if (/last_seal_number/.test(text)) return 'the last seal'
  const [, table] = /\bfrom "?(\w+)/i.exec(text) ?? []
  return /for update/i.test(text) ? `lock ${table}` : String(table)
}

describe('a request that changes a booking locks it once and reads it once (decision 5)', () => {
  test('when its title changes', async ({ school, sending }) => {
    const { reads, changed } = await sending(school.instructor, 'PATCH', '', { title: 'Lesson 5' })
    expect(reads).toEqual(['lock reservation', 'the booking'])
    expect(changed).toBe(1)
  })

  test('when it moves, and its other reads are the facts of the booking rules', async ({ school, sending }) => {
    const { reads, changed } = await sending(school.instructor, 'PATCH', '', { end: '2026-11-23T12:30:00Z' })
    expect(reads.slice(0, 2)).toEqual(['lock reservation', 'the booking'])
    expect(reads.slice(2)).toHaveLength(5)
    expect(changed).toBe(1)
  })

  test('when the aircraft leaves, and its other reads are whether it is out and the facts of the release', async ({
    school,
    sending,
  }) => {
    const readings = { hobbsTimeOut: 1000, tachTimeOut: 900 }
    const { reads, changed } = await sending(school.instructor, 'POST', '/rampOut', readings)
    expect(reads.slice(0, 4)).toEqual(['lock reservation', 'the booking', 'resource', 'reservation'])
    expect(reads.slice(4)).toHaveLength(7)
    expect(changed).toBe(1)
  })

  test('when the aircraft returns, and locks and changes the aircraft once', async ({ school, sending }) => {
    const readings = { hobbsTimeIn: 1001.4, tachTimeIn: 901.2 }
    const { reads, changed } = await sending(school.instructor, 'POST', '/rampIn', readings)
    expect(reads).toEqual(['lock reservation', 'the booking', 'lock resource', 'squawk', 'maintenance_limit'])
    expect(changed).toBe(2)
    expectFigure('reads of a ramp-in', reads.length)
  })

  test('when it is corrected, and locks and changes the aircraft once', async ({ school, sending }) => {
    const readings = { hobbsTimeOut: 1000, hobbsTimeIn: 1001.5, tachTimeOut: 900, tachTimeIn: 901.2 }
    const { reads, changed } = await sending(school.instructor, 'POST', '/updateReviewTimes', readings)
    expect(reads.slice(0, 3)).toEqual(['lock reservation', 'the booking', 'lock resource'])
    expect(reads.slice(3)).toEqual(['meter_change', 'maintenance_limit', 'squawk', 'maintenance_limit', ...sealing])
    expect(changed).toBe(2)
  })

  test('when sides sign', async ({ school, sending }) => {
    const first = await sending(school.instructor, 'POST', '/confirmReview')
    expect(first).toEqual({ reads: ['lock reservation', 'the booking', ...sealing], changed: 0 })
    const last = await sending(school.student, 'POST', '/confirmReview')
    expect(last).toEqual({ reads: ['lock reservation', 'the booking', ...sealing], changed: 1 })
    expectFigure('reads of a signature', last.reads.length)
  })

  test('when it is reopened', async ({ school, sending }) => {
    const { reads, changed } = await sending(school.instructor, 'POST', '/reopen', { reason: 'Wrong student.' })
    expect(reads).toEqual(['lock reservation', 'the booking', ...sealing])
    expect(changed).toBe(1)
    expectFigure('reads of a reopening', reads.length)
  })
})
