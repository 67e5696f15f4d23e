import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { buildSchool, type Member } from '../../../support/builders.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { buildPaid, buildSigned, type PayRunAnswer, resign, runPay } from '../../../support/pay-runs.ts'

const test = apiTest()

const DAY_MS = 86_400_000
const dayOf = (day: number) => new Date(Date.UTC(2026, 0, 1) + day * DAY_MS)
const dateOf = (day: number) => dayOf(day).toISOString().slice(0, 10)

const aRate = fc.option(fc.integer({ min: 1, max: 20_000 }), { freq: 6 })
const someRates = fc.record({ flight: aRate, ground: aRate })
const who = fc.integer({ min: 0, max: 1 })
const figures = { hobbs: fc.integer({ min: 0, max: 400 }), briefing: fc.integer({ min: 0, max: 40 }) }

/** What happens at a school: flights, corrections of earlier ones, changed rates, and pay runs of some days. */
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ what: fc.constant('fly' as const), who, ...figures }) },
    { weight: 3, arbitrary: fc.record({ what: fc.constant('correct' as const), nth: fc.nat(20), ...figures }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('reopen' as const), nth: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('rates' as const), who, payRates: someRates }) },
    {
      weight: 3,
      arbitrary: fc.record({
        what: fc.constant('run' as const),
        from: fc.nat(30),
        days: fc.integer({ min: 1, max: 30 }),
      }),
    },
  ),
  { minLength: 4, maxLength: 16 },
)

/** A flight as the test knows it: tenths of an hour, and the rates at which it was first paid. */
interface Known {
  id: number
  instructor: number
  flight: number
  ground: number
  signed: boolean
  paidAt: { flight: number | null; ground: number | null } | null
  /** What runs have paid for, in tenths: the figures that were signed at the last run. */
  paid: { flight: number; ground: number }
}

const inTenths = (hobbs: number) => Math.floor((hobbs + 5) / 10)
const payOf = (tenths: number, rate: number | null) => Math.floor((tenths * (rate ?? 0) + 5) / 10)

describe('over any flights, corrections and pay runs (§Pay runs)', () => {
  test('each instructor is paid the signed figures of each flight once, at the rates at which it was first paid', async ({
    api,
  }) => {
    await fc.assert(
      fc.asyncProperty(steps, async (happened) => {
        const school = await buildSchool(api)
        const rates = [
          { flight: 4_505, ground: 3_005 },
          { flight: 5_015, ground: null },
        ] as { flight: number | null; ground: number | null }[]
        const instructors: Member[] = []
        for (const payRates of rates) instructors.push(await buildPaid(api, school, payRates))
        const flights: Known[] = []
        const runs: PayRunAnswer[] = []
        let signedAt = Date.UTC(2026, 5, 1)
        const later = () => {
          signedAt += 1000
          return new Date(signedAt)
        }
        for (const step of happened) {
          if (step.what === 'fly') {
            const [instructor, day] = [instructors[step.who]!, flights.length]
            const given = { endedAt: new Date(dayOf(day).getTime() + DAY_MS / 2), instructor, student: undefined }
            const id = await buildSigned(api, school, { ...given, hobbs: step.hobbs, briefing: step.briefing })
            const hours = { flight: inTenths(step.hobbs), ground: step.briefing }
            flights.push({
              id,
              instructor: step.who,
              ...hours,
              signed: true,
              paidAt: null,
              paid: { flight: 0, ground: 0 },
            })
          } else if (step.what === 'correct' || step.what === 'reopen') {
            const flight = flights[step.nth % Math.max(1, flights.length)]
            if (!flight) continue
            flight.signed = step.what === 'correct'
            if (step.what === 'correct') {
              Object.assign(flight, { flight: inTenths(step.hobbs), ground: step.briefing })
              await resign(api, flight.id, later(), step)
            } else {
              await api.core.database.pool.query('update reservation set signed_off_at = null where id = $1', [
                flight.id,
              ])
            }
          } else if (step.what === 'rates') {
            const orgUserId = instructors[step.who]!.orgUserId
            await expectOk(api, school.admin, 'PATCH', `/orgUsers/${orgUserId}`, { payRates: step.payRates })
            rates[step.who] = step.payRates
          } else {
            runs.push(await runPay(api, school, [dateOf(step.from), dateOf(step.from + step.days - 1)]))
            for (const [day, flight] of flights.entries()) {
              if (!flight.signed) continue
              const rate = rates[flight.instructor]!
              const payable = (flight.flight > 0 && rate.flight !== null) || (flight.ground > 0 && rate.ground !== null)
              const within = day >= step.from && day < step.from + step.days
              if (!flight.paidAt && within && payable) flight.paidAt = rate
              if (flight.paidAt) flight.paid = { flight: flight.flight, ground: flight.ground }
            }
          }
        }
        const places = runs.flatMap((run) => run.rows.flatMap((row) => row.reservationIds))
        expect(places.toSorted()).toEqual(flights.flatMap(({ id, paidAt }) => (paidAt ? [id] : [])).toSorted())
        for (const [index, { orgUserId }] of instructors.entries()) {
          const rows = runs.flatMap((run) => run.rows.filter((row) => row.orgUserId === orgUserId))
          const total = (of: (row: (typeof rows)[number]) => number) => rows.reduce((sum, row) => sum + of(row), 0)
          const own = flights.filter((flight) => flight.instructor === index && flight.paidAt)
          const due = own.map(
            ({ paid, paidAt }) => payOf(paid.flight, paidAt!.flight) + payOf(paid.ground, paidAt!.ground),
          )
          expect(total((row) => row.amountCents)).toBe(due.reduce((sum, one) => sum + one, 0))
          expect(total((row) => row.flightDeciHours)).toBe(own.reduce((sum, { paid }) => sum + paid.flight, 0))
          expect(total((row) => row.groundDeciHours)).toBe(own.reduce((sum, { paid }) => sum + paid.ground, 0))
        }
        for (const run of runs) {
          expect(run.amountCents).toBe(run.rows.reduce((sum, row) => sum + row.amountCents, 0))
          expect(await expectOk(api, school.admin, 'GET', `/payRuns/${run.id}`)).toEqual(run)
        }
      }),
      { numRuns: 25 },
    )
  })
})
