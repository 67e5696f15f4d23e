import type { TestApp } from './app.ts'
import type { Member, School } from './builders.ts'
import { dualBody, expectOk, setRates } from './flights.ts'

/** What a booking answers of its terms and its fee. */
export interface OnTerms {
  id: number
  status: string
  cancellation: { category: string; by: { orgUserId: number } | null } | null
  cancellationTerms: { freeUntil: string; afterwardsCents: number } | null
  fee: {
    cents: number
    status: string
    chargeAt: string | null
    invoiceId: number | null
    reason: string | null
    objection: string | null
    often: boolean
  } | null
}

/** Cancelling less than a day before the start costs 50.00. */
export const FEES = { cancellationFees: [{ underHours: 24, kind: 'flat', cents: 5_000 }] } as const

/**
 * Books a dual as the student, for which 300.00 are expected; by default from ten to twelve on Monday, 23 November 2026.
 */
export async function bookOnTerms(api: TestApp, school: School, extra: Record<string, unknown> = {}): Promise<number> {
  await setRates(api, school, 15_000)
  const { id } = await expectOk<{ id: number }>(
    api,
    school.student,
    'POST',
    '/reservations',
    dualBody(school, { extra }),
  )
  return id
}

/** Reads a booking with its terms and its fee. */
export function readOnTerms(api: TestApp, who: Member, id: number): Promise<OnTerms> {
  return expectOk<OnTerms>(api, who, 'GET', `/reservations/${id}`)
}
