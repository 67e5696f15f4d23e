import { describe, expect } from 'vitest'
import { notifyOverrides } from '../../../src/shared/scheduling/scheduling.jobs.ts'
import { notifyingTest } from '../../support/fixtures.ts'
import { bookDual, expectOk } from '../../support/flights.ts'

const reason = 'Back before dark, agreed by phone'

/** A school in New York, where seven o'clock is noon in UTC, that is open from 8 to 20. */
const settings = { flyingDayStartMinute: 480, flyingDayEndMinute: 1200 }
const test = notifyingTest({ school: { timeZoneName: 'America/New_York', settings } })
  /** Books at an instant, in spite of the flying day, for the given day in December. */
  .extend('overrideAt', ({ env, school }) => (instant: string, day: string): Promise<number> => {
    env.api.clock.now = new Date(instant)
    const extra = { overrides: [{ rule: 'opening_hours', reason }] }
    return bookDual(env.api, school, { start: `2026-12-${day}T05:00:00Z`, end: `2026-12-${day}T06:00:00Z`, extra })
  })
  /** Goes to an instant, lets the schedule run, and answers the mails that the owner has so far. */
  .extend('mailsAt', ({ env, school }) => async (instant: string): Promise<{ subject: string; text: string }[]> => {
    const { api, workers } = env
    api.clock.now = new Date(instant)
    await workers.run((tx) => tx.enqueue(notifyOverrides, {}))
    return workers
      .mails(school.owner.email)
      .filter(({ subject }) => subject.includes('overridden'))
      .map(({ subject, text }) => ({ subject, text }))
  })

describe('the digest of overrides (§Booking rules)', () => {
  test('owners and admins get one mail at seven of their zone about what was overridden before it, without reasons', async ({
    school,
    overrideAt,
    mailsAt,
  }) => {
    await overrideAt('2026-11-23T15:00:00Z', '01')
    expect(await mailsAt('2026-11-24T11:59:00Z')).toHaveLength(0)
    await overrideAt('2026-11-24T11:59:00Z', '02')
    await overrideAt('2026-11-24T12:00:00Z', '03')
    const [mail, ...others] = await mailsAt('2026-11-24T12:00:00Z')
    expect(others).toEqual([])
    expect(mail!.subject).toContain('2 booking rules were overridden')
    expect(mail!.text).toContain('Flying day')
    expect(mail!.text).toContain(school.dispatcher.name)
    expect(mail!.text).not.toContain(reason)
    expect(await mailsAt('2026-11-24T18:00:00Z')).toHaveLength(1)
    expect(await mailsAt('2026-11-25T12:00:00Z')).toHaveLength(2)
    expect(await mailsAt('2026-11-26T12:00:00Z')).toHaveLength(2)
  })

  test('an admin who overrode alone is told too', async ({ env, school, mailsAt }) => {
    env.api.clock.now = new Date('2026-11-23T15:00:00Z')
    const id = await bookDual(env.api, school, { start: '2026-12-05T15:00:00Z', end: '2026-12-05T16:00:00Z' })
    const overrides = [{ rule: 'opening_hours', reason }]
    const early = { start: '2026-12-05T05:00:00Z', end: '2026-12-05T06:00:00Z', overrides }
    await expectOk(env.api, school.owner, 'PATCH', `/reservations/${id}`, early)
    expect(await mailsAt('2026-11-24T12:00:00Z')).toHaveLength(1)
  })
})
