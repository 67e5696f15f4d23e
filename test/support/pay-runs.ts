import type { TestApp } from './app.ts'
import { buildMember, type Member, type School } from './builders.ts'
import { expectOk } from './flights.ts'
import { buildFlight, type PlainFlight } from './reports.ts'

/** The figures of an instructor in a pay run: tenths of an hour and cents. */
export interface PayFigures {
  flightDeciHours: number
  groundDeciHours: number
  simulatorDeciHours: number
  amountCents: number
}

/** A pay run, as the interface answers it. */
export interface PayRunAnswer {
  id: number
  flights: number
  amountCents: number
  own: boolean
  rows: (PayFigures & {
    orgUserId: number
    payRates: Record<'flight' | 'ground' | 'sim', number | null> | null
    reservationIds: number[]
    adjustments: (PayFigures & { reservationId: number; paidInRunId: number })[]
  })[]
  longBriefings: { reservationId: number; orgUserId: number }[]
  correctedAfterSigning: { reservationId: number; orgUserId: number }[]
  signedOnBehalf: { reservationId: number; orgUserId: number }[]
}

/** Adds an instructor who is paid these cents an hour. */
export async function buildPaid(api: TestApp, school: School, payRates: object): Promise<Member> {
  const instructor = await buildMember(api, school.organizationId, ['instructor'])
  await expectOk(api, school.owner, 'PATCH', `/orgUsers/${instructor.orgUserId}`, { payRates })
  return instructor
}

/** Inserts a flight that is signed off. */
export async function buildSigned(api: TestApp, school: School, flight: PlainFlight): Promise<number> {
  const id = await buildFlight(api, school, { student: school.student, ...flight })
  await resign(api, id, flight.endedAt)
  return id
}

/** Signs a flight, with other figures when they are given: hundredths of an hour by Hobbs, tenths of briefing. */
export async function resign(
  api: TestApp,
  id: number,
  at: Date,
  { hobbs, briefing }: { hobbs?: number; briefing?: number } = {},
): Promise<void> {
  await api.core.database.pool.query(
    `update reservation set signed_off_at = $2, hobbs_in = coalesce(hobbs_out + $3, hobbs_in),
       briefing_tenths = coalesce($4, briefing_tenths) where id = $1`,
    [id, at, hobbs ?? null, briefing ?? null],
  )
}

/** Makes a pay run as the school's admin, by default. */
export function runPay(
  api: TestApp,
  school: School,
  [startDate, endDate]: readonly [string, string],
  who = school.admin,
): Promise<PayRunAnswer> {
  return expectOk<PayRunAnswer>(api, who, 'POST', '/payRuns', { startDate, endDate })
}
