import { describe, expect, test as plain } from 'vitest'
import { share } from '../../../../src/api/fleet/maintenance/status-sheet.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { buildMaintenanceItem, buildSquawk } from '../../../support/maintenance.ts'

const test = schoolTest()

describe('the rows of the tables on the page', () => {
  plain.each([
    [
      [2, 1, 0, 3],
      [2, 1, 0, 3],
    ],
    [
      [30, 0, 0, 0],
      [16, 0, 0, 0],
    ],
    [
      [30, 8, 8, 8],
      [7, 3, 3, 3],
    ],
    [
      [4, 30, 1, 0],
      [4, 11, 1, 0],
    ],
  ])('of so many %j are %j', (wanted, given) => {
    expect(share(wanted)).toEqual(given)
  })
})

describe('the status sheet of an aircraft', () => {
  test('is one tagged page, however much there is to say', async ({ api, school }) => {
    const dueAt = new Date('2026-12-31T12:00:00Z')
    for (let count = 0; count < 25; count++) {
      await buildMaintenanceItem(api, school, { name: `A rather long name of an inspection, ${count}`, dueAt })
      await buildSquawk(api, school, {
        title: `A squawk with a rather long title, number ${count}`,
        reportedBy: school.technician,
        status: count % 2 ? 'deferred' : 'open',
      })
    }
    const sheet = await api.as(school.student).get(`/resources/${school.plane.id}/status?format=pdf`)
    expect([sheet.statusCode, sheet.headers['content-type']]).toEqual([200, 'application/pdf'])
    const text = sheet.rawPayload.toString('latin1')
    expect(text.match(/\/Type \/Page\b/g)).toHaveLength(1)
    expect(text).toContain('/MarkInfo')
    expect(text).toContain(`(Aircraft status: ${school.plane.name})`)
  })
})
