import { describe, expect } from 'vitest'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { releaseNoShow } from '../../../src/shared/workflows/release-no-shows.ts'
import { FEES, readOnTerms } from '../../support/fees.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'

const out = { hobbsTimeOut: 1000, tachTimeOut: 900 }

const test = schoolTest({ school: { settings: { ...FEES, noShowMinutes: 30 } as never } })

describe('a no-show (§29.3)', () => {
  test('that is ramped out at the same time is out, or brought back: never both cancelled and flying', async ({
    api,
    school,
  }) => {
    const { organizationId } = school
    const { database, clock } = api.core
    for (let time = 0; time < 8; time += 1) {
      api.clock.now = new Date('2026-11-21T12:00:00Z')
      const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', {
        title: 'Pattern',
        type: 'solo',
        start: '2026-11-23T10:00:00Z',
        end: '2026-11-23T12:00:00Z',
        timeZoneName: 'UTC',
        resource: { id: school.plane.id },
        personnel: { students: [{ orgUserId: school.student.orgUserId }] },
      })
      api.clock.now = new Date('2026-11-23T10:30:00Z')
      await Promise.all([
        inTransaction(database, clock, (tx) => releaseNoShow(tx, { organizationId, id })),
        expectOk(api, school.student, 'POST', `/reservations/${id}/rampOut`, out),
      ])
      expect(await readOnTerms(api, school.dispatcher, id)).toMatchObject({ status: 'ramped_out', fee: null })
      const back = { hobbsTimeIn: 1000, tachTimeIn: 900 }
      await expectOk(api, school.student, 'POST', `/reservations/${id}/rampIn`, back)
      await database.pool.query('update reservation set live = false, cancelled_at = now() where id = $1', [id])
    }
  })
})
