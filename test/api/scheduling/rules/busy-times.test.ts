import { describe, expect } from 'vitest'
import { loadBusyTimes } from '../../../../src/shared/scheduling/rules/busy-times.queries.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { bookDual } from '../../../support/flights.ts'

const test = sharedSchoolTest()

const at = (time: string) => new Date(`2026-11-${time}Z`)

describe('the busy times of people', () => {
  test('are the same whether few are asked about or so many that their seats are found by the bookings', async ({
    api,
    school,
  }) => {
    for (const day of ['22', '23', '24']) {
      await bookDual(api, school, { start: `2026-11-${day}T10:00:00Z`, end: `2026-11-${day}T12:00:00Z` })
    }
    const { organizationId, instructor, student, admin } = school
    const people = [instructor.orgUserId, student.orgUserId]
    const busy = (memberIds: number[]) =>
      loadBusyTimes(api.core.database.db, organizationId, {
        memberIds,
        resourceIds: [],
        guestIds: [],
        training: true,
        now: at('20T00:00:00'),
        span: { start: at('23T00:00:00'), end: at('23T18:00:00') },
        callerId: admin.orgUserId,
      })
    const strangers = Array.from({ length: 100 }, (_, index) => -1 - index)
    const [few, many] = [await busy(people), await busy([...people, ...strangers])]
    expect(many).toEqual(few)
    expect([...few.members.values()].map((times) => times.length)).toEqual([1, 1])
    // Training counts from two days before to one day after.
    expect([...few.training].map(([id, times]) => [id, times.length])).toEqual([[instructor.orgUserId, 3]])
  })
})
