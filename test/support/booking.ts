import { expect } from 'vitest'
import type { Problem } from '../../src/shared/scheduling/rules/problems.ts'
import type { TestApp } from './app.ts'
import type { Member, School } from './builders.ts'

/** Calls POST /reservations. */
export const book = (api: TestApp, who: Pick<Member, 'token'>, body: unknown) =>
  api.call('POST', '/reservations', { token: who.token, body })

/** Expects that a booking is refused with 400, and returns its problems. */
export async function refusedBooking(api: TestApp, who: Pick<Member, 'token'>, body: unknown): Promise<Problem[]> {
  const response = await book(api, who, body)
  expect(response.statusCode, response.body).toBe(400)
  const { code, message, details } = response.json() as Refusal
  const problems = details?.problems ?? []
  const [first] = problems
  if (first && first.code !== 'INVALID') expect(code).toBe(first.code)
  for (const problem of problems) expect(message).toContain(problem.message)
  return problems
}

interface Refusal {
  code?: string
  message: string
  details?: { problems?: Problem[] }
}

/** Returns the personnel of a body: one seat per member on each side. */
export function seats(sides: Partial<Record<'instructors' | 'students' | 'renters' | 'pilots', Member[]>>) {
  return Object.fromEntries(
    Object.entries(sides).map(([side, members]) => [side, members.map(({ orgUserId }) => ({ orgUserId }))]),
  )
}

/** Returns the body of a booking of this type: Monday, 23 November 2026, 10 to 12 UTC by default. */
export function bookingBody(school: School, type: string, extra: Record<string, unknown> = {}) {
  return {
    title: 'A booking',
    type,
    start: '2026-11-23T10:00:00Z',
    end: '2026-11-23T12:00:00Z',
    timeZoneName: 'UTC',
    resource: { id: school.plane.id },
    ...extra,
  }
}
