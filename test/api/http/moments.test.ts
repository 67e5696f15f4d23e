import { describe, expect } from 'vitest'
import { withMoments } from '../../../src/api/http/moments.ts'
import { TestBody } from '../../../src/api/training/knowledge-tests/tests.schemas.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'

const test = schoolTest({ school: { timeZoneName: 'America/New_York' } })

describe('a local day in place of an instant (§Time zones)', () => {
  const inZone = (takenAt: string, timeZoneName: string) =>
    withMoments(TestBody.parse({ kind: 'knowledge', result: 'passed', takenAt }), { organization: { timeZoneName } })

  test.for([
    ['in winter', '2026-11-20', 'America/New_York', '2026-11-20T05:00:00.000Z'],
    ['in summer', '2026-06-20', 'America/New_York', '2026-06-20T04:00:00.000Z'],
    ['when the clocks go back', '2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
    ['without a midnight', '2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    ['east of Greenwich', '2026-11-20', 'Pacific/Auckland', '2026-11-19T11:00:00.000Z'],
  ] as const)('is its first instant %s', ([, day, zone, instant]) => {
    expect(inZone(day, zone)).toMatchObject({ takenAt: new Date(instant) })
  })

  test('does not change an instant', () => {
    expect(inZone('2026-11-20T10:00:00-05:00', 'Asia/Tokyo')).toMatchObject({
      takenAt: new Date('2026-11-20T15:00:00Z'),
    })
  })

  test('is of the zone of the school, today is not in the future, and tomorrow is', async ({ api, school }) => {
    const { admin, student } = school
    const body = { name: 'Medical', kind: 'medical' }
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/currencies', body)
    const url = `/orgUsers/${student.orgUserId}/currencies/${id}`
    const examined = (examinedAt: string) => api.as(admin).put(url, { class: 'third', examinedAt })
    expect((await examined('2026-11-21')).json().data).toMatchObject({ examinedAt: '2026-11-21T05:00:00.000Z' })
    expect((await examined('2026-11-22')).json().message).toBe('examinedAt: is in the future')
    expect((await examined('21.11.2026')).json().message).toBe(
      'examinedAt: must be a day, YYYY-MM-DD, or a date and time',
    )
  })
})
